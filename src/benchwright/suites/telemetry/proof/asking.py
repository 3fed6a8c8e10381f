"""Mutations of the protocol: a slot never asked for, a call too early, a turn not answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from benchwright.suites.telemetry.dialogue.canonical import Move
from benchwright.suites.telemetry.obligations.model import Obligation
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.steps import (
    Step,
    ask_at,
    before,
    instead,
    reply_at,
    without,
)


def never_asked(case: Case, obligation: Obligation) -> Changed:
    """Act as if the slot were known; ask for another one."""
    at = ask_at(case.steps)
    assert at is not None
    yield "slot_never_asked", without(case.steps, at)
    yield "another_slot_asked", instead(case.steps, at, Step(Move("ask", "unit", {}), 0))


def too_early(case: Case, obligation: Obligation) -> Changed:
    """A call that uses the slot, before it was revealed."""
    at = ask_at(case.steps)
    assert at is not None
    step = next(_consuming(case, obligation))
    yield "call_before_reveal", before(case.steps, at, replace(step, place=None))
    yield "guess_refused", before(case.steps, at, _refused(case, str(obligation.expects["slot"])))


def _consuming(case: Case, obligation: Obligation) -> Iterator[Step]:
    """Calls that give a result and use the slot; a guess, where all of a row are refused."""
    free = obligation.expects["free"]
    for step in case.steps:
        move = step.move
        if move.kind == "call" and move.name not in free and "error" not in (move.answer or {}):
            yield step
    stream = next(s for one in case.duties.needed for s in one.streams)
    at = shown(case.answers.store.extent(stream).first)
    yield Step(case.answers.call("lookup_observation", {"stream_id": stream, "timestamp": at}), 0)


def _refused(case: Case, slot: str) -> Step:
    """A guess that nothing answers: a site that nobody has, or an instant after all readings."""
    if slot == "site":
        point = next(iter(case.answers.store.points.values()))
        said = {"site": "no such site", "point_class": point.point_class}
        return Step(case.answers.call("resolve_point", said), 0)
    stream = next(s for one in case.duties.needed for s in one.streams)
    late = shown(case.answers.store.extent(stream).last + 1)
    return Step(
        case.answers.call("lookup_observation", {"stream_id": stream, "timestamp": late}), 0
    )


def left_early(case: Case, obligation: Obligation) -> Changed:
    """Stop before the reply to a turn; stop at once when the turn was said."""
    at = reply_at(case.steps, obligation.phase)
    yield "stopped_before_reply", case.steps[:at]
    if obligation.phase:
        yield "stopped_at_turn", case.steps[: reply_at(case.steps, obligation.phase - 1) + 1]
