"""Mutations of replies: one field at a time, changed and left out; actions and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchwright.suites.telemetry.obligations.model import Obligation
from benchwright.suites.telemetry.obligations.spans import moment
from benchwright.suites.telemetry.obligations.unasked import answers_for
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.steps import saying
from benchwright.suites.telemetry.rows.model import ACTIONS

_NUMBERS = frozenset(
    {
        *("value", "offset_s", "coverage", "gap_ratio", "mean_a", "mean_b"),
        *("difference", "margin"),
    }
)
_WORDS: dict[str, tuple[str, ...]] = {
    "of": ("mean", "change"),
    "decision": ("answer", "caution", "abstain"),
    "flag": ("dropout", "sentinel"),
    "error": ("empty", "unknown", "ambiguous"),
}
_NEVER: dict[str, Any] = {"flag": "stuck", "error": "no_error", "winner": "nobody", "margin": -1.0}
"""Fields with what none of them can be."""
OTHER = "none of these"
"""A word, id or reason code that nothing has."""


def other_fields(case: Case, obligation: Obligation) -> Changed:
    """Every field that an obligation asks for: another value; and not stated."""
    for name, value in obligation.expects.get("fields", {}).items():
        for other in _others(case, name, value):
            yield f"{name}_changed", saying(case.steps, obligation.phase, {name: other})
        if value is not None and value != "none":
            yield f"{name}_left_out", saying(case.steps, obligation.phase, {name: None})
    for name in ("action", "reason"):
        if name in obligation.expects:
            yield from _acted(case, obligation, name)
    yield from _unasked(case, obligation)


def _unasked(case: Case, obligation: Obligation) -> Changed:
    """What nothing asks for and is not so: in the same turn, and what was said, denied later."""
    for name, other in _NEVER.items():
        if answers_for(name, obligation.phase, case.duties) == obligation.id:
            phase = obligation.phase
            if name not in case.script.phases[phase].gold.fields:
                yield f"{name}_made_up", saying(case.steps, phase, {name: other})
    for name, value in obligation.expects.get("fields", {}).items():
        for phase in range(obligation.phase + 1, len(case.script.phases)):
            asked = name in case.script.phases[phase].gold.fields
            bears = answers_for(name, phase, case.duties) == obligation.id
            if bears and not asked and name in _NUMBERS and value is not None:
                yield f"{name}_denied_later", saying(case.steps, phase, {name: value - 1000})


def other_action(case: Case, obligation: Obligation) -> Changed:
    """Another last action, or another reason code."""
    for name in obligation.expects:
        yield from _acted(case, obligation, name)


def _acted(case: Case, obligation: Obligation, name: str) -> Changed:
    expected = obligation.expects[name]
    others = [a for a in ACTIONS if a != expected] if name == "action" else [OTHER]
    for other in [*others, None]:
        kind = f"{name}_{'left_out' if other is None else 'changed'}"
        yield kind, saying(case.steps, obligation.phase, {name: other})


def _others(case: Case, name: str, value: Any) -> Iterator[Any]:
    """Other values of a field: a little off, and far off."""
    if name in _NUMBERS:
        yield from _figures(case, name, value)
    elif name == "observed":
        at = moment(value, case.zone)
        assert at is not None
        yield shown(at + 1)
        yield shown(at - 60_000)
    elif isinstance(value, list):
        yield from _lists(case, name, [str(one) for one in value])
    elif name in _WORDS:
        yield from [word for word in _WORDS[name] if word != value][:1]
    elif str(value) in case.answers.store.points:
        yield case.answers.others(str(value))[0]
    else:
        yield OTHER


def _figures(case: Case, name: str, value: float | None) -> Iterator[float]:
    """Beyond the tolerance by half of it; the sign turned; 1 more."""
    duties = case.duties
    within = duties.offset_ms / 1000 if name == "offset_s" else duties.tolerance
    known = 0.0 if value is None else float(value)
    yield known + 1.5 * within + 1e-9 * abs(known)
    yield known - 1
    if abs(known) > within:
        yield -known


def _lists(case: Case, name: str, value: list[str]) -> Iterator[list[str]]:
    """One too few, one too many, and, where order counts, two that changed places."""
    yield value[:-1]
    yield [*value, next(s for s in case.answers.others(value[0]) if s not in value)]
    if name == "ranked":
        yield [value[1], value[0], *value[2:]]


def other_streams(case: Case, obligation: Obligation) -> Changed:
    """Evidence of one stream too few, and of one too many."""
    for kind, other in zip(
        ("stream_missing", "stream_too_many"),
        _lists(case, "streams", [str(s) for s in obligation.expects["streams"]]),
        strict=True,
    ):
        yield kind, saying(case.steps, obligation.phase, {"streams": other})
