"""Controls by order: calls come earlier or change places; more is called, asked and said."""

from __future__ import annotations

from dataclasses import replace

from benchwright.suites.telemetry.dialogue.canonical import Move
from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.steps import (
    Step,
    Steps,
    ask_at,
    before,
    call_at,
    reply_at,
)

FREE_ORDER = "before_reveal"
"""Calls that do not use the withheld slot, before it is revealed."""


def free_calls(case: Case) -> list[Step]:
    """Canonical calls of the first turn that may be made before the slot is revealed."""
    rule = next((o for o in case.duties.obligations if o.type == "no_early_call"), None)
    free = rule.expects["free"] if rule is not None else ()
    return [s for s in case.steps if s.place is not None and s.phase == 0 and s.move.name in free]


def reordered(case: Case) -> Changed:
    """Free calls before the question; all calls at once; calls of a turn the other way round."""
    steps, at = case.steps, ask_at(case.steps)
    free = free_calls(case)
    if at is not None and free:
        left = tuple(s for s in steps if s not in free)
        yield FREE_ORDER, before(left, ask_at(left) or 0, *free)
    first = reply_at(steps, 0)
    later = tuple(s for s in steps[first:] if s.move.kind == "call")
    if later:
        rest = tuple(s for s in steps[first:] if s.move.kind != "call")
        yield "calls_before_asked", (*steps[:first], *later, *rest)
    for phase in range(len(case.script.phases)):
        for alike in _alike(steps, phase):
            turned = list(steps)
            for i, j in zip(alike, reversed(alike), strict=True):
                turned[i] = steps[j]
            yield "calls_turned_round", tuple(turned)


def _alike(steps: Steps, phase: int) -> list[list[int]]:
    """Places of calls of one operation in a turn: none of them uses what another gives."""
    places: dict[str, list[int]] = {}
    for i, step in enumerate(steps):
        if step.place is not None and step.phase == phase:
            places.setdefault(step.move.name, []).append(i)
    return [found for found in places.values() if len(found) > 1]


def with_more(case: Case) -> Changed:
    """Calls that nothing asks for, and calls that are made twice or refused."""
    steps, stream, asked = case.steps, _stream(case), ask_at(case.steps)
    after = 0 if asked is None else asked + 1
    answers = case.answers
    extra = {
        "preview": answers.call("preview", {"stream_id": stream}),
        "refused_probe": answers.call("preview", {"stream_id": f"{stream}-none"}),
        "bad_argument": answers.call("preview", {"stream": stream}),
        "other_stream_seen": answers.call("preview", {"stream_id": answers.others(stream)[0]}),
    }
    for kind, move in extra.items():
        for place in (after, reply_at(steps, len(case.script.phases) - 1)):
            yield kind, before(steps, place, Step(move, 0))
    if asked is not None:
        yield "refused_before_reveal", before(steps, 0, Step(extra["refused_probe"], 0))
    for place in range(len(case.duties.needed)):
        at = call_at(steps, place)
        yield "call_repeated", before(steps, at, replace(steps[at], place=None))
    yield from _wrong_then_right(case)


def _stream(case: Case) -> str:
    return next(s for one in case.duties.needed for s in one.streams)


def _wrong_then_right(case: Case) -> Changed:
    """A call about another stream that is not used, before the right one."""
    for place, needed in enumerate(case.duties.needed):
        at = call_at(case.steps, place)
        if "stream_id" in case.steps[at].move.said:
            other = case.answers.again(
                case.steps[at], stream_id=case.answers.others(needed.streams[0])[0]
            )
            yield "corrected_call", before(case.steps, at, replace(other, place=None))


def with_talk(case: Case) -> Changed:
    """Questions that change nothing, the question twice, empty replies, a reply too early."""
    steps, at = case.steps, ask_at(case.steps)
    empty = Step(Move("reply", "", {}), 0)
    for slot in (*SLOTS, "colour"):
        if at is None or slot != case.duties.withheld:
            yield "asked_more", before(steps, 0, Step(Move("ask", slot, {}), 0))
        last = reply_at(steps, len(case.script.phases) - 1)
        yield "asked_late", before(steps, last, Step(Move("ask", slot, {}), 0))
    for phase in range(len(case.script.phases)):
        yield "empty_reply", before(steps, reply_at(steps, phase), empty)
    if at is not None:
        yield "asked_twice", before(steps, at, steps[at])
        early = Move("reply", "", {"action": "re_clarify", "reason": "which one?"})
        yield "reply_too_early", before(steps, at, Step(early, 0))
    yield "said_after_end", (*steps, Step(Move("reply", "", {"action": "answer"}), 0))
