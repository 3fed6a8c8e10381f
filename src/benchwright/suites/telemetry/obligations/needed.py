"""Canonical calls of a script as the evaluator looks for them: what they name, when, and how."""

from __future__ import annotations

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.dialogue.model import Required, Script
from benchwright.suites.telemetry.obligations.model import Needed
from benchwright.suites.telemetry.obligations.spans import asked_window, moment, named_streams

_GROUP = ("site", "point_class", "location_type")


def needed_calls(script: Script, zone: Zone, calendar: str) -> tuple[Needed, ...]:
    """Every canonical call, in order."""
    return tuple(
        _needed(number, one, zone, calendar)
        for number, phase in enumerate(script.phases)
        for one in phase.required
    )


def _needed(phase: int, one: Required, zone: Zone, calendar: str) -> Needed:
    call, said = one.call, one.call.arguments
    start, end = asked_window(said, zone, calendar)
    return Needed(
        phase=phase,
        operation=call.operation,
        arguments=said,
        handles=one.handles,
        streams=named_streams(call.operation, said, call.answer),
        group={k: said[k] for k in _GROUP if k in said} if call.operation == "rank_window" else {},
        start=start,
        end=end,
        at=moment(said.get("timestamp"), zone),
        mode=said.get("mode"),
        error=call.answer.get("error"),
    )
