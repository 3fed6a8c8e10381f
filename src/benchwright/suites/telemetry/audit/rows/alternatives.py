"""Calls that count as well as the canonical ones."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from benchwright.suites.telemetry.audit.canonical import EPOCH, milliseconds
from benchwright.suites.telemetry.audit.clock import Clock
from benchwright.suites.telemetry.audit.rows.expect import Row
from benchwright.suites.telemetry.audit.rows.look import Call
from benchwright.suites.telemetry.audit.world import World

Alternative = dict[str, Any]


def alternatives(world: World, row: Row) -> list[Alternative]:
    """All of a row; where its last call is refused, only a location may be left out."""
    refused = "error" in row.calls[-1].answer
    made = []
    for place, call in enumerate(row.calls):
        made += _without_location(world, place, call)
        if not refused:
            made += _other_form(world, place, call)
    return made


def others(world: World, call: Call) -> int:
    """How many calls with a handle of their own are as good as one.

    A window by the clock's offset is the same question, and so is a nearest look-up after a probe.
    """
    if "error" in call.answer and call.operation != "resolve_point":
        return 0
    if call.operation == "resolve_point":
        return len(_without_location(world, 0, call))
    exact = call.arguments.get("mode") == "exact"
    return int(exact or call.operation in {"aggregate_period", "compare_window"})


def _of(kind: str, place: int, *instead: tuple[str, dict[str, Any]]) -> Alternative:
    calls = [{"operation": name, "arguments": arguments} for name, arguments in instead]
    return {"kind": kind, "call": place, "instead": calls}


def _without_location(world: World, place: int, call: Call) -> list[Alternative]:
    if call.operation != "resolve_point" or "location" not in call.arguments:
        return []
    rest = {n: v for n, v in call.arguments.items() if n != "location"}
    if world.points.fitting(rest) != world.points.fitting(call.arguments):
        return []
    return [_of("location_omitted", place, ("resolve_point", rest))]


def _other_form(world: World, place: int, call: Call) -> list[Alternative]:
    given = call.arguments
    match call.operation:
        case "lookup_observation":
            probe = ("lookup_observation", {**given, "mode": "exact"})
            near = ("lookup_observation", {**given, "mode": "nearest"})
            both = (near,) if given["mode"] == "exact" else (probe, near)
            return [_of("exact_then_nearest", place, *both)]
        case "aggregate_period":
            window = {n: call.answer[n] for n in ("stream_id", "start", "end")}
            return [_of("period_form", place, ("window_mean", window))]
        case "resolve_point":
            return []
    clock = world.corpus.clock
    local = {n: _local(clock, given[n]) for n in ("start", "end")}
    made = [_of("period_form", place, (call.operation, {**given, **local}))]
    if call.operation == "compare_window":
        swapped = {"stream_a": given["stream_b"], "stream_b": given["stream_a"]}
        made.append(_of("operands_swapped", place, (call.operation, {**given, **swapped})))
    return made


def _local(clock: Clock, text: str) -> str:
    """The same instant with the offset of the clock."""
    at = EPOCH + timedelta(milliseconds=milliseconds(text))
    return at.astimezone(clock.zone).isoformat(timespec="milliseconds")
