"""Controls by words: the same reply with numbers rounded, times and lists in another form, more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchwright.suites.telemetry.dialogue.model import Phase
from benchwright.suites.telemetry.obligations.spans import moment
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.rewriting import in_far_offset
from benchwright.suites.telemetry.proof.steps import saying

_SETS = ("streams", "candidates")
_DECIMALS = 4
_READING = ("observed", "offset_s", "flag")


def restated(case: Case) -> Changed:
    """Every reply in other forms, one reply at a time."""
    for number, phase in enumerate(case.script.phases):
        fields = {k: v for k, v in phase.gold.fields.items() if v is not None}
        for kind, changed in _forms(case, fields):
            yield kind, saying(case.steps, number, changed)
        more = _more(case, number)
        if more:
            yield "more_stated", saying(case.steps, number, more)
        shown = _shown(phase)
        if shown:
            yield "result_stated", saying(case.steps, number, shown)
        if phase.kind != "evidence":
            handles = [str(c.answer["handle"]) for c in phase.calls]
            if handles:
                yield "cited_early", saying(case.steps, number, {"handles": handles})


def _forms(case: Case, fields: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    rounded = {k: round(v, _DECIMALS) for k, v in fields.items() if isinstance(v, float)}
    if rounded:
        yield "rounded", rounded
    whole = {k: float(v) for k, v in fields.items() if type(v) is int}
    if whole:
        yield "whole_as_decimal", whole
    if "observed" in fields:
        at = moment(fields["observed"], case.zone)
        assert at is not None
        yield "instant_by_other_offset", {"observed": in_far_offset(at)}
    turned = {k: fields[k][::-1] for k in _SETS if k in fields and len(fields[k]) > 1}
    if turned:
        yield "set_turned_round", turned


def _shown(phase: Phase) -> dict[str, Any]:
    """True fields that results of this turn show and its gold leaves out."""
    found: dict[str, Any] = {}
    for call in phase.calls:
        answer, named = call.answer, ("coverage", "offset_s", "error")
        found |= {k: answer[k] for k in named if answer.get(k) is not None}
    return {name: value for name, value in found.items() if name not in phase.gold.fields}


def _more(case: Case, number: int) -> dict[str, Any]:
    """True fields that this turn does not ask for: those of the turns before.

    What was said of one reading is not said again of the next.
    """
    found: dict[str, Any] = {}
    phases = case.script.phases
    for phase in phases[: number + 1]:
        if "observed" in phase.gold.fields:
            found = {k: v for k, v in found.items() if k not in _READING}
        if phase is not phases[number]:
            found |= {k: v for k, v in phase.gold.fields.items() if v is not None}
    own = phases[number].gold.fields
    return {name: value for name, value in found.items() if name not in own}
