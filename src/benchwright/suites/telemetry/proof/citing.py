"""Mutations of evidence: a handle left out, invented, or cited before it was given."""

from __future__ import annotations

from dataclasses import replace

from benchwright.suites.telemetry.obligations.model import Obligation
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.steps import (
    Step,
    Steps,
    call_at,
    instead,
    reply_at,
    saying,
    settled,
)

INVENTED = "r000000000000"


def other_handles(case: Case, obligation: Obligation) -> Changed:
    """Cite a handle that was never given, or not yet; or leave one out."""
    given = _cited(case.steps, obligation)
    if "issued" in obligation.expects:
        yield "handle_invented", _citing(case, obligation, [*given, INVENTED])
        late = _unused(case)
        handle = str((late.move.answer or {})["handle"])
        yield "handle_before_call", (*_citing(case, obligation, [*given, handle]), late)
        yield from _elsewhere(case)
        return
    needed = case.duties.needed[int(obligation.expects["handle_of"])]
    left = [handle for handle in given if handle not in needed.handles]
    yield "handle_left_out", _citing(case, obligation, left)
    at = call_at(case.steps, int(obligation.expects["handle_of"]))
    other = _unused(case)
    steps = (*case.steps[: at + 1], other, *case.steps[at + 1 :])
    swapped = [*left, str((other.move.answer or {})["handle"])]
    yield "another_handle", _citing(replace(case, steps=steps), obligation, swapped)


def _elsewhere(case: Case) -> Changed:
    """In every other reply: a handle that was never given; in the first, the last that will be."""
    for phase in range(len(case.script.phases) - 1):
        yield "handle_invented_earlier", saying(case.steps, phase, {"handles": [INVENTED]})
    calls = [step for step in case.steps if step.move.kind == "call"]
    given = {_handle_of(step) for step in case.steps[: reply_at(case.steps, 0)]}
    if _handle_of(calls[-1]) not in given:
        last = {"handles": [_handle_of(calls[-1])]}
        yield "handle_cited_too_early", saying(case.steps, 0, last)


def _handle_of(step: Step) -> str | None:
    return (step.move.answer or {}).get("handle")


def _unused(case: Case) -> Step:
    """A call that nothing asks for."""
    stream = next(s for one in case.duties.needed for s in one.streams)
    return Step(case.answers.call("preview", {"stream_id": stream}), 0)


def _cited(steps: Steps, obligation: Obligation) -> list[str]:
    move = settled(steps)[reply_at(steps, obligation.phase)]
    return [str(one) for one in move.said["handles"]]


def _citing(case: Case, obligation: Obligation, handles: list[str]) -> Steps:
    at = reply_at(case.steps, obligation.phase)
    step = case.steps[at]
    said = {**step.move.said, "handles": handles}
    return instead(case.steps, at, replace(step, move=replace(step.move, said=said), cites=False))
