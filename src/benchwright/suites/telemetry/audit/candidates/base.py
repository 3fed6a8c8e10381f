"""What a candidate is, how anchors are drawn, and what single streams a family asks about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.suites.telemetry.audit.canonical import draw, key_of
from benchwright.suites.telemetry.audit.clock import Period
from benchwright.suites.telemetry.audit.contract import FIGURES, Family
from benchwright.suites.telemetry.audit.stream import Stream
from benchwright.suites.telemetry.audit.world import World

VARIANTS = {
    "point_disambiguation": ("usual", "unresolvable"),
    "exact_value": ("usual", "bad_sensor", "no_such_local_time"),
    "nearest_value": ("usual", "too_far"),
    "quality_gate": ("usual",),
    "window_mean": ("usual",),
    "daily_aggregate": ("usual", "no_data"),
    "period_aggregate": ("usual",),
    "pairwise_comparison": ("usual",),
    "ranking": ("usual",),
}


@dataclass(slots=True)
class Candidate:
    """One question: its identity, what it reads, and what selection counts it under."""

    identity: dict[str, Any]
    touched: tuple[str, ...]
    reach: tuple[int, int]
    point_class: str
    counted: tuple[str, ...] = ()
    extra: str | None = None
    winner: str | None = None
    bucket: int | None = None
    part: str = ""
    key: str = ""


@dataclass(slots=True)
class Pool:
    """Candidates of one family and variant: eligible ones of a part, and how many of each sort."""

    world: World
    family: Family
    variant: str
    kept: list[Candidate] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, candidate: Candidate, *, eligible: bool = True) -> None:
        """Count a candidate; keep it if it is eligible and belongs to a part."""
        self.counts["candidates"] += 1
        if not eligible:
            return
        self.counts["eligible"] += 1
        points = [self.world.streams[s].point for s in candidate.touched]
        part = self.world.holdout.part(self.family, points, candidate.reach)
        self.counts[part or "none"] += 1
        if part is not None:
            candidate.part = part
            candidate.key = key_of(candidate.identity)
            self.kept.append(candidate)

    def refuse(self, many: int = 1) -> None:
        """Count candidates that are not eligible."""
        self.counts["candidates"] += many

    def name(self, **fields: Any) -> dict[str, Any]:
        """An identity of this family and variant."""
        return {"family": self.family.name, "variant": self.variant, **fields}


def seed(pool: Pool, stream: str, week: Period) -> dict[str, Any]:
    """The seed of an anchor."""
    return pool.name(streams=[stream], first_day=week.first_day)


def anchor(pool: Pool, stream: str, week: Period, admitted: Sequence[int]) -> int | None:
    """The reading of a week that a rule's admitted ones are represented by."""
    if not admitted:
        return None
    return admitted[draw(seed(pool, stream, week), len(admitted))]


def own_streams(world: World, family: Family, *, figures: bool = False) -> Iterator[Stream]:
    """Resolvable streams of a family that asks about one stream, in order of ids."""
    for point in world.points.by_stream.values():
        if figures and point.kind not in FIGURES:
            continue
        if world.points.resolvable(point, family.sites[0]):
            yield world.streams[point.stream]


def weeks_of(world: World, stream: Stream) -> Iterator[tuple[Period, int, int]]:
    """Weeks with readings, and the range of these."""
    for _, week in world.spans.touched("week", stream):
        low, high = stream.span(week.start, week.end)
        if low < high:
            yield week, low, high


def week_reach(week: Period) -> tuple[int, int]:
    """The reach of a question that stays in its week."""
    return week.start, week.end
