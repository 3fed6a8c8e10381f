"""Pairs and groups of streams: what can be compared and ranked, and by which margin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from benchwright.suites.telemetry.audit.candidates.base import Candidate, Pool
from benchwright.suites.telemetry.audit.contract import FIGURES, MEANS, Family
from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.thresholds import Scope, scope
from benchwright.suites.telemetry.audit.world import World

KINDS = ("week", "month")


@dataclass(frozen=True, slots=True)
class Group:
    """Streams of one class on one site value, in order of ids; `location_type` None for all."""

    site: str
    point_class: str
    location_type: str | None
    streams: tuple[str, ...]


def pairs(world: World, family: Family) -> Iterator[Group]:
    """Streams with a mean, of one unit and different equipment; each pair once."""
    seen: set[tuple[str, str]] = set()
    for site_field in family.sites:
        for (site, name), group in world.points.groups(site_field).items():
            fit = [p for p in group if p.kind in MEANS]
            for a, b in combinations(fit, 2):
                both = (a.stream, b.stream)
                if a.unit == b.unit and a.equipment != b.equipment and both not in seen:
                    seen.add(both)
                    yield Group(site, name, None, both)


def rankable(world: World, family: Family) -> Iterator[Group]:
    """All streams of a class and site value, and those of each location type if there are several.

    Smaller ones than the contract's `group` can never be ranked and are none.
    """
    least = world.corpus.rules["eligibility"]["group"]
    seen: set[tuple[str, ...]] = set()
    for site_field in family.sites:
        given: set[tuple[str, ...]] = set()
        for (site, name), group in world.points.whole_groups(site_field).items():
            fit = [p for p in group if p.kind in FIGURES]
            for location_type, some in _sorts(fit):
                streams = tuple(p.stream for p in some)
                units = {p.unit for p in some}
                if len(units) == 1 and len(some) >= least and streams not in seen:
                    given.add(streams)
                    yield Group(site, name, location_type, streams)
        seen |= given


def _sorts(group: Sequence[Point]) -> Iterator[tuple[str | None, Sequence[Point]]]:
    yield None, group
    types = defaultdict(list)
    for point in group:
        if point.location_type is not None:
            types[point.location_type].append(point)
    if len(types) > 1:
        yield from sorted(types.items())


def having(world: World, group: Sequence[str], kind: str) -> dict[int, list[str]]:
    """Streams of a group with a kept reading, by number of the period."""
    made: dict[int, list[str]] = defaultdict(list)
    for stream in group:
        for number, found in world.aggregates[stream][kind].items():
            if found.kept:
                made[number].append(stream)
    return dict(sorted(made.items()))


def ordered(
    world: World, streams: Sequence[str], kind: str, number: int
) -> list[tuple[float, str]]:
    """Figures and ids, the greatest first, equal ones by id."""
    made = []
    for stream in streams:
        found = world.aggregate(stream, kind, number)
        if found is not None and found.figure is not None:
            made.append((-found.figure, stream))
    return [(-figure, stream) for figure, stream in sorted(made)]


def margin(world: World, streams: Sequence[str], kind: str, number: int) -> float | None:
    """The greatest figure minus the second, of eligible streams only; None if one is not."""
    if not all(world.eligible(s, kind, number) for s in streams):
        return None
    top = ordered(world, streams, kind, number)
    return top[0][0] - top[1][0] if len(top) > 1 else None


def scopes(name: str, group: Group, kind: str) -> tuple[Scope, Scope]:
    """Where the margin of a group is looked up."""
    own = {"period": kind, "class": group.point_class}
    whole = scope(**own, site="*")
    if name == "ranking_margin":
        return scope(**own, site=group.site, location_type=group.location_type), whole
    return scope(**own, site=group.site), whole


@dataclass(slots=True)
class Margins:
    """One family's margins: learnt from the training part, then asked per group and period."""

    world: World
    name: str
    groups: list[Group]
    least: int

    def learn(self) -> None:
        """Take the thresholds from what the training part has."""
        held = self.world.holdout.stream_held
        for group in self.groups:
            free = [s for s in group.streams if not held(self.world.streams[s].point)]
            if len(free) == len(group.streams) or self.name == "ranking_margin":
                for kind in KINDS:
                    self._learn(group, kind, free)
        self.world.thresholds.settle()

    def _learn(self, group: Group, kind: str, free: Sequence[str]) -> None:
        """Margins of the streams that no family holds out, ranked among themselves.

        A whole group counts where it could be asked about, what is left of one where two have
        readings.
        """
        tolerance = self.world.corpus.rules["tolerances"]["value"]
        least = self.least if len(free) == len(group.streams) else 2
        for number, streams in having(self.world, free, kind).items():
            period = self.world.spans.periods[kind][number]
            if len(streams) < least or self.world.holdout.window_held(period.start, period.end):
                continue
            found = margin(self.world, streams, kind, number)
            if found is not None and found > tolerance:
                self.world.thresholds.add(self.name, found, *scopes(self.name, group, kind))

    def ask(self, pool: Pool) -> None:
        """Candidates of every group and period."""
        for group in self.groups:
            for kind in KINDS:
                have = having(self.world, group.streams, kind)
                for number, streams in have.items():
                    if len(streams) < self.least:
                        continue
                    if self._fine(group, kind, number, streams, have.get(number + 1, [])):
                        pool.add(self._candidate(pool, group, kind, number, streams))
                    else:
                        pool.refuse()

    def _fine(
        self, group: Group, kind: str, number: int, now: Sequence[str], then: Sequence[str]
    ) -> bool:
        if len(then) < self.least:
            return False
        tolerance = self.world.corpus.rules["tolerances"]["value"]
        first = margin(self.world, now, kind, number)
        second = margin(self.world, then, kind, number + 1) if first is not None else None
        least = self.world.thresholds.found(self.name, *scopes(self.name, group, kind))
        if first is None or second is None or least is None:
            return False
        return first > tolerance and second > tolerance and first >= least

    def _candidate(
        self, pool: Pool, group: Group, kind: str, number: int, streams: Sequence[str]
    ) -> Candidate:
        spans = self.world.spans
        now, then = spans.periods[kind][number], spans.periods[kind][number + 1]
        fields: dict[str, Any] = {"site": group.site, "streams": list(group.streams)}
        ranking = self.name == "ranking_margin"
        if ranking:
            fields |= {"location_type": group.location_type, "point_class": group.point_class}
        return Candidate(
            identity=pool.name(**fields, period=kind, first_day=now.first_day),
            touched=group.streams,
            reach=spans.whole_weeks(now.start, then.end),
            point_class=group.point_class,
            counted=() if ranking else group.streams,
            extra=group.location_type if ranking else None,
            winner=ordered(self.world, streams, kind, number)[0][1],
        )


def comparison(world: World, family: Family) -> Margins:
    """Margins of pairs."""
    return Margins(world, "comparison_margin", [*pairs(world, family)], 2)


def ranking(world: World, family: Family) -> Margins:
    """Margins of groups."""
    least = world.corpus.rules["eligibility"]["group"]
    return Margins(world, "ranking_margin", [*rankable(world, family)], least)
