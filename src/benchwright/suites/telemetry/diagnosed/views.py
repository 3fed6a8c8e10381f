"""What a reader of less would have seen: facts of calls, looked for in three views of a record.

The views are the last reply, all replies, and the records of calls. A fact counts as seen where it
stands as a value of its own: the same text, an instant written in any way, an equal number under
the same name.
Facts are those of every look-up and every inspection of quality that was answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from benchwright.suites.telemetry.corpus.zones import Zone, zone
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.evaluation.trace import Made
from benchwright.suites.telemetry.obligations.spans import moment

View = Literal["last reply", "all replies", "calls"]
VIEWS: Final[tuple[View, ...]] = ("last reply", "all replies", "calls")
_Leaf = tuple[str, str | float]
_INSTANTS = frozenset({"start", "end", "observed", "requested"})
FACTS: Final[Mapping[str, Mapping[str, str]]] = {
    "inspect_quality_window": {
        "stream id": "stream_id",
        "window start": "start",
        "window end": "end",
        "coverage": "coverage",
        "gap ratio": "gap_ratio",
    },
    "lookup_observation": {
        "stream id": "stream_id",
        "instant asked about": "requested",
        "instant of the reading": "observed",
        "value": "value",
    },
}
"""Words of a fact to the field of the answer that holds it, by operation."""
OPERATION_WORDS: Final = {
    "inspect_quality_window": "quality",
    "lookup_observation": "look-up",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """One fact of one call, and the views in which it stands."""

    operation: str
    fact: str
    exchange: int
    views: frozenset[View]


def seen(told: Told) -> tuple[Seen, ...]:
    """Every fact of a conversation."""
    clock = zone(told.duties.zone)
    leaves = {view: _leaves(told, view) for view in VIEWS}
    found = []
    for made in told.found.trace.calls:
        for fact, name in FACTS.get(made.operation, {}).items():
            if made.error is None and made.answer.get(name) is not None:
                value = made.answer[name]
                views = frozenset(v for v in VIEWS if _stands(value, name, leaves[v], clock))
                found.append(Seen(made.operation, fact, made.n, views))
    return tuple(found)


def _leaves(told: Told, view: View) -> list[_Leaf]:
    if view == "calls":
        return [leaf for made in told.found.trace.calls for leaf in _of_call(made)]
    said = [line["reply"] for line in told.lines if line["kind"] == "reply"]
    return [leaf for reply in (said[-1:] if view == "last reply" else said) for leaf in _in(reply)]


def _of_call(made: Made) -> Iterator[_Leaf]:
    yield from _in(made.arguments)
    yield from _in(made.answer)


def _in(value: Any, name: str = "") -> Iterator[_Leaf]:
    """Every text and number within a JSON value, with the name that it stands under."""
    if isinstance(value, Mapping):
        for own, inner in value.items():
            yield from _in(inner, own)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _in(inner, name)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield name, value


def _stands(value: str | float, name: str, leaves: list[_Leaf], clock: Zone) -> bool:
    if name in _INSTANTS:
        at = moment(value, clock)
        return any(isinstance(leaf, str) and moment(leaf, clock) == at for _, leaf in leaves)
    if isinstance(value, str):
        return any(leaf == value for _, leaf in leaves)
    return any(leaf == value and own == name for own, leaf in leaves)
