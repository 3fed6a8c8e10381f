"""Canonical calls of a question, made on the store as an agent would make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import Window, window_of
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.zones import DAY_MS
from benchwright.suites.telemetry.families.inventory import Description, Inventory
from benchwright.suites.telemetry.families.model import Candidate
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.rows.model import Asked, Call
from benchwright.tasks.session import Operation, answered


@dataclass(frozen=True)
class Bench:
    """What rows are made with: a store as questions see it, and its operations."""

    inventory: Inventory
    operations: Mapping[str, Operation]

    def call(self, operation: str, arguments: Mapping[str, Any]) -> Call:
        """Make one call."""
        found = answered(self.operations[operation], arguments)
        return Call(operation, dict(arguments), found.model_dump(mode="json"))

    def described(self, chosen: Chosen, point: Point) -> Description:
        """A point in the words of a family."""
        fields = chosen.kind.family.sites
        field = next(f for f in fields if getattr(point, f) == chosen.candidate.site)
        found = self.inventory.described(point, field)
        assert found is not None
        return found

    def window(self, candidate: Candidate) -> Window:
        """The window that a question about figures or quality is about."""
        identity = candidate.identity
        if "end" in identity:
            end = cast(int, identity["end"])
            return Window(end - DAY_MS, end)
        period = cast(Period, identity.get("period", "week"))
        day = date.fromisoformat(str(identity["first_day"]))
        return window_of(day, period, self.inventory.clock)


def canonical(chosen: Chosen, points: Sequence[Point], bench: Bench) -> list[Call]:
    """Calls of a row, in the order in which they are made."""
    family = chosen.kind.family.name
    if family == "ranking":
        return [_ranking(chosen, points[0], bench)]
    if family == "pairwise_comparison":
        resolved = [_resolve(chosen, point, bench) for point in points]
        names = [call.answer["stream_id"] for call in resolved]
        ends = _ends(bench.window(chosen.candidate))
        compared = {"stream_a": names[0], "stream_b": names[1], **ends}
        return [*resolved, bench.call("compare_window", compared)]
    first = _resolve(chosen, points[0], bench)
    if first.refused:
        return [first]
    asked = primary(chosen, str(first.answer["stream_id"]), bench)
    return [first, bench.call(asked.operation, asked.arguments)]


def primary(chosen: Chosen, stream: str, bench: Bench) -> Asked:
    """The call that answers a question about one stream."""
    family, identity = chosen.kind.family.name, chosen.candidate.identity
    if family in ("point_disambiguation", "exact_value", "nearest_value"):
        at = shown(cast(int, identity["at"])) if "at" in identity else identity["local"]
        mode = "nearest" if family == "nearest_value" else "exact"
        return Asked("lookup_observation", {"stream_id": stream, "timestamp": at, "mode": mode})
    if family in ("daily_aggregate", "period_aggregate"):
        told = {"period": identity["period"], "date": identity["first_day"]}
        return Asked("aggregate_period", {"stream_id": stream, **told})
    name = "inspect_quality_window" if family == "quality_gate" else "window_mean"
    return Asked(name, {"stream_id": stream, **_ends(bench.window(chosen.candidate))})


def _resolve(chosen: Chosen, point: Point, bench: Bench) -> Call:
    return bench.call("resolve_point", bench.described(chosen, point))


def _ranking(chosen: Chosen, point: Point, bench: Bench) -> Call:
    identity = chosen.candidate.identity
    said: dict[str, Any] = {"site": chosen.candidate.site, "point_class": point.point_class}
    if identity["location_type"] is not None:
        said["location_type"] = identity["location_type"]
    top = {"top_k": 100} if len(cast(list[str], identity["streams"])) > 10 else {}
    return bench.call("rank_window", {**said, **_ends(bench.window(chosen.candidate)), **top})


def _ends(window: Window) -> dict[str, str]:
    return {"start": shown(window.start), "end": shown(window.end)}
