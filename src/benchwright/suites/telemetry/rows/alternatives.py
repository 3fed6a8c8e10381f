"""Calls that are as good as canonical ones: four kinds, each executed and compared.

An alternative that does not give what the call gives is none: a location that is needed cannot be
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.suites.telemetry.operations.times import instant
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.model import Alternative, Asked, Call
from benchwright.suites.telemetry.rows.times import offset_text

_WINDOWED = ("window_mean", "compare_window", "rank_window", "inspect_quality_window")


def alternatives(calls: list[Call], bench: Bench) -> tuple[Alternative, ...]:
    """Every accepted alternative of a row's calls."""
    found: list[Alternative] = []
    for place, call in enumerate(calls):
        for kind, instead in _of(call, bench):
            if as_good(call, instead, bench):
                found.append(Alternative(kind, place, instead))
    return tuple(found)


def _of(call: Call, bench: Bench) -> Iterator[tuple[Any, tuple[Asked, ...]]]:
    said = dict(call.arguments)
    if call.operation == "resolve_point" and "location" in said:
        less = {name: value for name, value in said.items() if name != "location"}
        yield "location_omitted", (Asked("resolve_point", less),)
    if call.operation == "aggregate_period" and not call.refused:
        window = {name: call.answer[name] for name in ("stream_id", "start", "end")}
        yield "period_form", (Asked("window_mean", window),)
    if call.operation in _WINDOWED:
        yield "period_form", (Asked(call.operation, {**said, **_by_clock(said, bench)}),)
    if call.operation == "compare_window":
        swapped = {"stream_a": said["stream_b"], "stream_b": said["stream_a"]}
        yield "operands_swapped", (Asked("compare_window", {**said, **swapped}),)
    if call.operation == "lookup_observation" and not call.refused:
        nearest = Asked("lookup_observation", {**said, "mode": "nearest"})
        exact = Asked("lookup_observation", {**said, "mode": "exact"})
        first = (exact, nearest) if said["mode"] == "nearest" else (nearest,)
        yield "exact_then_nearest", first


def _by_clock(said: Mapping[str, Any], bench: Bench) -> dict[str, str]:
    zone = bench.inventory.clock
    return {name: offset_text(instant(said[name], zone), zone) for name in ("start", "end")}


_SAME = {
    "resolve_point": ("stream_id", "error", "candidates"),
    "aggregate_period": ("stream_id", "start", "end", "mean", "change", "count"),
    "window_mean": ("handle", "mean", "change"),
    "inspect_quality_window": ("handle", "decision"),
    "rank_window": ("handle", "ranked"),
    "lookup_observation": ("stream_id", "observed", "value"),
}


def as_good(call: Call, instead: tuple[Asked, ...], bench: Bench) -> bool:
    """Whether the last of these calls gives what `call` gives, and those before it are refused."""
    *probes, last = [bench.call(asked.operation, asked.arguments) for asked in instead]
    refused = call.refused or last.refused
    if not all(probe.refused for probe in probes) or (
        refused and call.operation != "resolve_point"
    ):
        return False
    if call.operation == "compare_window":
        return _compares(call.answer, last.answer)
    return all(last.answer.get(name) == call.answer.get(name) for name in _SAME[call.operation])


def _compares(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two comparisons are of the same streams and window, in either order."""
    if other["handle"] == one["handle"]:
        return True
    swapped = other["stream_a"] == one["stream_b"] and other["stream_b"] == one["stream_a"]
    window = all(other[name] == one[name] for name in ("start", "end"))
    return swapped and window and bool(other["difference"] == -one["difference"])
