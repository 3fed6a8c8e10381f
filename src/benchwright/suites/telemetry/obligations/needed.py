"""Canonical calls of a script as the evaluator looks for them: what they name, when, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.dialogue.model import Required, Script
from benchwright.suites.telemetry.obligations.model import Needed
from benchwright.suites.telemetry.operations.refusals import Refused
from benchwright.suites.telemetry.operations.times import instant

_GROUP = ("site", "point_class", "location_type")


def needed_calls(script: Script, zone: Zone) -> tuple[Needed, ...]:
    """Every canonical call, in order."""
    return tuple(
        _needed(number, one, zone)
        for number, phase in enumerate(script.phases)
        for one in phase.required
    )


def _needed(phase: int, one: Required, zone: Zone) -> Needed:
    call, said = one.call, one.call.arguments
    ends = {
        name: _moment(call.answer.get(name) or said.get(name), zone) for name in ("start", "end")
    }
    return Needed(
        phase=phase,
        operation=call.operation,
        arguments=said,
        handles=one.handles,
        streams=_streams(call.operation, call.answer, said),
        group={k: said[k] for k in _GROUP if k in said} if call.operation == "rank_window" else {},
        start=ends["start"],
        end=ends["end"],
        at=_moment(said.get("timestamp"), zone),
        mode=said.get("mode"),
        error=call.answer.get("error"),
    )


def _streams(operation: str, answer: Mapping[str, Any], said: Mapping[str, Any]) -> tuple[str, ...]:
    if operation == "resolve_point":
        return (str(answer["stream_id"]),) if "stream_id" in answer else ()
    names = ("stream_id", "stream_a", "stream_b")
    return tuple(str(said[name]) for name in names if name in said)


def _moment(text: object, zone: Zone) -> int | None:
    """An instant in ms; None for no time, or one that no clock showed."""
    if text is None:
        return None
    try:
        return instant(str(text), zone)
    except Refused:
        return None
