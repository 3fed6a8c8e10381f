"""Obligations of a conversation: which there are and what they expect, by docs/dialogue.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.suites.telemetry.audit.phases.make import Phase
from benchwright.suites.telemetry.audit.rows.look import Call

WITHHELD = {"point_disambiguation": "site", "quality_gate": "site", "nearest_value": None}
# Operations that no slot is an argument of.
FREE: dict[str, list[str]] = {
    "site": [],
    "time": ["resolve_point", "preview", "calendar_profile"],
}
STATED = {
    "observed_stated": ("observed",),
    "offset_stated": ("offset_s",),
    "comparison_stated": ("difference", "higher"),
    "ranking_stated": ("ranked", "winner", "margin"),
    "quality_stated": ("coverage", "gap_ratio"),
    "quality_decision": ("decision", "quality_reason"),
}
APART = {name for names in STATED.values() for name in names}
WINDOWS = ("window_mean", "aggregate_period", "compare_window", "rank_window")


@dataclass(frozen=True, slots=True)
class Duty:
    """One obligation: its type, the number of its turn, and what it expects."""

    type: str
    phase: int
    expects: dict[str, Any]

    @property
    def id(self) -> str:
        """Turn and type; of what is about a call its number, of all handles `issued`."""
        of = [self.expects[name] for name in ("call", "handle_of") if name in self.expects]
        of += ["issued"] if "issued" in self.expects else []
        return ".".join(map(str, [self.phase, self.type, *of]))


def withheld(family: str) -> str | None:
    """The slot that the first turn of a family leaves out."""
    return WITHHELD.get(family, "time")


def duties(family: str, phases: Sequence[Phase]) -> list[Duty]:
    """Every obligation of a conversation, turn by turn."""
    made, first = [], 0
    last_calls = []
    for place, phase in enumerate(phases):
        for kind, expects in _turn(family, place, phase, first):
            made.append(Duty(kind, place, expects))
        first += len(phase.calls)
        if phase.calls:
            last_calls.append(first - 1)
    for call in last_calls:
        made.append(Duty("evidence_handle", len(phases) - 1, {"handle_of": call}))
    made.append(Duty("evidence_handle", len(phases) - 1, {"issued": True}))
    return made


Found = Iterator[tuple[str, dict[str, Any]]]


def _turn(family: str, place: int, phase: Phase, first: int) -> Found:
    slot = withheld(family)
    if place == 0 and slot is not None:
        yield f"asks_{slot}", {"slot": slot}
        yield "no_early_call", {"slot": slot, "free": FREE[slot]}
    yield "protocol_completed", {"reply": place}
    for number, call in enumerate(phase.calls, first):
        for kind in _of_call(family, phase.kind, call):
            yield kind, {"call": number}
    yield from _of_reply(place, phase)


def _of_call(family: str, turn: str, call: Call) -> Iterator[str]:
    if call.operation == "resolve_point":
        yield "point_resolved"
        return
    if call.operation == "inspect_quality_window":
        yield "quality_call"
        return
    yield _whose_stream(family, turn)
    if call.operation in WINDOWS:
        yield "window_period"
        yield "half_open"
    else:
        exact = call.arguments["mode"] == "exact"
        yield "exact_probe" if exact else "nearest_fallback"


def _whose_stream(family: str, turn: str) -> str:
    """How a call comes to name its stream: asked for, revised, carried, or a winner carried."""
    if turn == "initial_answer":
        return "stream_argument"
    if turn == "revise_point":
        return "alternate_point_used"
    won = family in {"pairwise_comparison", "ranking"} and turn == "revise_timestamp"
    return "winner_carried" if won else "stream_carried"


def _of_reply(place: int, phase: Phase) -> Found:
    gold = phase.gold
    if phase.kind == "reporting_commitment":
        yield "reporting_action", {"action": gold.action}
        yield "reporting_reason", {"reason": gold.reason}
    elif phase.kind in {"preference_decision", "rationale"}:
        given = {"action": gold.action, "fields": gold.fields}
        asked = {"reason": gold.reason} if phase.kind == "preference_decision" else {}
        yield "preference_given", {**given, **asked}
    elif phase.kind == "evidence":
        yield "evidence_streams", {"streams": gold.fields["streams"]}
    else:
        rest = {n: v for n, v in gold.fields.items() if n not in APART}
        expects: dict[str, Any] = {"fields": rest}
        if "decision" not in gold.fields:
            expects["action"] = gold.action
            if gold.reason != "complete":
                expects["reason"] = gold.reason
        yield "initial_value" if place == 0 else "revised_value", expects
        for kind, names in STATED.items():
            named = {n: gold.fields[n] for n in names if n in gold.fields}
            if named:
                yield kind, {"fields": named}
