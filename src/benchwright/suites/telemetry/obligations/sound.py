"""Whether a script and its duties can be used at all: every place they name is there.

What a build writes always can; a file that was edited, or written by something else, need not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchwright.errors import BenchwrightError
from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.dialogue.model import Script
from benchwright.suites.telemetry.obligations.model import TYPES, Duties, Obligation
from benchwright.suites.telemetry.rows.model import ACTIONS

Flaw = tuple[str, str, object]
"""Place, what is wrong there, and the value."""
_CALLS = (
    *("point_resolved", "alternate_point_used", "stream_argument", "stream_carried"),
    *("winner_carried", "exact_probe", "nearest_fallback", "window_period", "half_open"),
    "quality_call",
)
_STATED = (
    *("initial_value", "revised_value", "observed_stated", "offset_stated", "comparison_stated"),
    *("ranking_stated", "quality_stated", "quality_decision", "preference_given"),
)


def first_flaw(script: Script, duties: Duties) -> Flaw | None:
    """The first thing for which a conversation could not be had or judged; None for none."""
    return next(_flaws(script, duties), None)


def _flaws(script: Script, duties: Duties) -> Iterator[Flaw]:
    yield from _script(script, duties)
    yield from _needed(script, duties)
    seen: set[str] = set()
    if not duties.obligations:
        yield "duties.obligations", "there are none", []
    for place, one in enumerate(duties.obligations):
        where = f"duties.obligations[{place}]"
        for problem, value in _obligation(one, duties, seen):
            yield where, problem, value
        seen.add(one.id)
    try:
        zone(duties.zone)
    except BenchwrightError:
        yield "duties.zone", "there is no such zone", duties.zone


def _script(script: Script, duties: Duties) -> Iterator[Flaw]:
    if not script.phases:
        yield "script.phases", "there are none", []
        return
    if duties.phases != len(script.phases):
        yield "duties.phases", "is not the number of turns of the script", duties.phases
    last = script.phases[-1]
    if last.kind != "evidence" or not isinstance(last.gold.fields.get("streams"), list):
        yield f"script.phases[{len(script.phases) - 1}]", "does not ask for evidence", last.kind
    slot = script.withheld.slot if script.withheld else None
    if duties.withheld != slot:
        yield "duties.withheld", "is not what the script withholds", duties.withheld


def _needed(script: Script, duties: Duties) -> Iterator[Flaw]:
    asked = [(n, c.operation) for n, phase in enumerate(script.phases) for c in phase.calls]
    found = [(one.phase, one.operation) for one in duties.needed]
    if asked != found:
        yield "duties.needed", "are not the calls of the script", len(found)
    for place, one in enumerate(duties.needed):
        if not one.handles:
            yield f"duties.needed[{place}].handles", "there are none", []


def _obligation(one: Obligation, duties: Duties, seen: set[str]) -> Iterator[tuple[str, object]]:
    if one.type not in TYPES:
        yield "is of no type that there is", one.type
        return
    if one.id in seen or one.id.split(".")[:2] != [str(one.phase), one.type]:
        yield "has an id that is not its own", one.id
    if not 0 <= one.phase < duties.phases:
        yield "belongs to no turn", one.phase
    for need in one.needs:
        if need not in seen:
            yield "needs what does not come before it", need
    if not _expects(one.type)(one.expects, duties):
        yield "expects what cannot be judged", dict(one.expects)


def _expects(kind: str) -> Callable[[Mapping[str, Any], Duties], bool]:
    """Whether what a type expects has the form that its judgement reads."""
    if kind in _CALLS:
        return lambda told, duties: _place(told.get("call"), duties)
    if kind in _STATED:
        return lambda told, _: isinstance(told.get("fields"), dict)
    return _OTHERS[kind]


def _place(value: object, duties: Duties) -> bool:
    return type(value) is int and 0 <= value < len(duties.needed)


def _slot(told: Mapping[str, Any], duties: Duties) -> bool:
    return duties.withheld is not None and told.get("slot") == duties.withheld


_OTHERS: Mapping[str, Callable[[Mapping[str, Any], Duties], bool]] = {
    "asks_site": _slot,
    "asks_time": _slot,
    "no_early_call": lambda told, duties: _slot(told, duties) and type(told.get("free")) is list,
    "protocol_completed": lambda told, _: True,
    "reporting_action": lambda told, _: list(told) == ["action"] and told["action"] in ACTIONS,
    "reporting_reason": lambda told, _: list(told) == ["reason"],
    "evidence_streams": lambda told, _: isinstance(told.get("streams"), list),
    "evidence_handle": lambda told, duties: (
        "issued" in told or _place(told.get("handle_of"), duties)
    ),
}
