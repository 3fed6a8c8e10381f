"""The chain from source to words: per link whether it held, and the first that broke.

A link breaks by a fault of its own only: an obligation that is downstream of another broken one
says nothing about where the chain broke. Two links are looked at beside the obligations: `source`,
whether calls gave what the set says they give, and `result`, whether calls that were right in every
part gave the result that was meant. What does not apply is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from benchwright.canonical import Json
from benchwright.scoring.model import Check
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.evaluation.aligned import aligned, as_good
from benchwright.suites.telemetry.evaluation.trace import Made
from benchwright.suites.telemetry.obligations.model import TYPES, Obligation
from benchwright.trajectory.evidence import Evidence

Link = Literal["source", "contract", "call", "result", "state", "words"]
LINKS: Final[Mapping[Link, str]] = {
    "source": "calls gave what the data of the set give",
    "contract": "what was left out was asked for, and every turn answered",
    "call": "calls name the stream, the time and the mode that are meant",
    "result": "right calls gave the results that are meant",
    "state": "streams and winners were carried from turn to turn",
    "words": "replies state and cite what the results say",
}
_CONTRACT = frozenset({"asks_site", "asks_time", "no_early_call", "protocol_completed"})
_CALL = frozenset(
    {
        *("point_resolved", "stream_argument", "exact_probe", "nearest_fallback"),
        *("window_period", "half_open", "quality_call"),
    }
)
_STATE = frozenset({"alternate_point_used", "stream_carried", "winner_carried"})
CATEGORIES: Final[Mapping[str, frozenset[str]]] = {
    "protocol": _CONTRACT,
    "arguments": _CALL - {"point_resolved", "stream_argument"},
    "identity": frozenset({"point_resolved", "stream_argument", "alternate_point_used"}),
    "carry-over": frozenset({"stream_carried", "winner_carried"}),
    "evidence": frozenset({"evidence_streams", "evidence_handle"}),
}
"""Kinds of failure, by types of obligations; every other type is a `statement`."""


def link_of(kind: str) -> Link:
    """The link that a type of obligation is about."""
    if kind in _CONTRACT:
        return "contract"
    return "call" if kind in _CALL else "state" if kind in _STATE else "words"


def category_of(kind: str) -> str:
    """The kind of failure that a broken obligation of a type is."""
    return next((name for name, types in CATEGORIES.items() if kind in types), "statement")


def links(told: Told) -> tuple[Check, ...]:
    """One check per link that applies, in order."""
    made = {check.name: check for check in (_source(told), _result(told)) if check is not None}
    for link in LINKS:
        own = [o for o in told.duties.obligations if link_of(o.type) == link]
        if own and told.checks:
            made[link] = _of_duties(link, told)
    return tuple(made[link] for link in LINKS if link in made)


def first_broken(chain: Sequence[Check]) -> Check | None:
    """The first link that did not hold."""
    return next((check for check in chain if check.outcome == "fail"), None)


def _of_duties(link: Link, told: Told) -> Check:
    broken = [one for one in told.causes if link_of(one.type) == link]
    if not broken:
        return Check(link, "pass", None, None)
    first = told.checks[broken[0].id]
    names: list[Json] = [one.id for one in broken]
    return Check(link, "fail", None, names, f"{first.name}: {first.reason}", first.evidence)


def _source(told: Told) -> Check | None:
    known = {
        str(one.call.answer.get("handle")): one.call.answer
        for phase in told.script.phases
        for one in phase.required
    }
    compared = [made for made in told.found.trace.calls if made.handle in known]
    if not compared:
        return None
    for made in compared:
        if _data(made.answer) != _data(known[str(made.handle)]):
            why = f"{made.operation} gave something else than the set says"
            return Check("source", "fail", None, made.handle, why, _at(made))
    return Check("source", "pass", None, len(compared))


def _data(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without its words, which repeat arguments as they were written."""
    return {name: value for name, value in answer.items() if name != "message"}


def _result(told: Told) -> Check | None:
    judged = list(_right_calls(told))
    if not judged:
        return None
    for made, wanted in judged:
        if not wanted:
            why = f"{made.operation} was right in every part, and gave another result"
            return Check("result", "fail", None, made.handle, why, _at(made))
    return Check("result", "pass", None, len(judged))


def _right_calls(told: Told) -> Iterator[tuple[Made, bool]]:
    """Calls of which nothing was found wrong, and whether their result is one that is meant."""
    stands = aligned(told.duties.needed, told.found.trace)
    about: dict[int, list[Obligation]] = {}
    for one in told.duties.obligations:
        if "call" in one.expects:
            about.setdefault(int(one.expects["call"]), []).append(one)
    for place, own in about.items():
        made, needed = stands[place], told.duties.needed[place]
        if made is not None and all(told.checks[o.id].outcome == "pass" for o in own):
            yield made, made.handle in needed.handles or as_good(needed, made)


def _at(made: Made) -> tuple[Evidence, ...]:
    return (Evidence("session", str(made.n)),)


assert {name for types in CATEGORIES.values() for name in types} <= set(TYPES)
