"""What must agree within a record: the same three questions for every conversation.

Each gives a check with the two exchanges that it compares, or none where it does not apply: a
conversation without a ranking has no winner to carry on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from benchwright.canonical import Json
from benchwright.scoring.model import Check
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.evaluation.trace import Made
from benchwright.suites.telemetry.obligations.extract import FREE
from benchwright.suites.telemetry.obligations.model import Needed
from benchwright.trajectory.evidence import Evidence

_RANKINGS = ("rank_window", "compare_window")


def winner_to_quality(told: Told) -> Check | None:
    """The winner of the latest ranking is the stream of the quality call after it.

    Applies where two rankings were answered before quality was inspected, as where a conversation
    moves on to a second period.
    """
    ranked: list[Made] = []
    for made in told.found.trace.calls:
        if made.operation in _RANKINGS and made.error is None:
            ranked.append(made)
        elif made.operation == "inspect_quality_window" and len(ranked) > 1:
            winner, named = _winner(ranked[-1]), made.arguments.get("stream_id")
            why = f"quality of {named} after {winner} had won"
            return _compared("winner_to_quality", winner, named, why, ranked[-1], made)
    return None


def window_to_arguments(told: Told) -> Check | None:
    """After a turn that moves the window, some call before the next reply asks about the new one.

    Applies where the turn was reached.
    """
    replies = told.found.trace.replies
    for number, phase in enumerate(told.script.phases):
        if phase.kind != "revise_window" or number > len(replies):
            continue
        after = replies[number - 1].n
        before = replies[number].n if number < len(replies) else len(told.lines)
        wanted = [n for n in told.duties.needed if n.phase == number and n.start is not None]
        made = [m for m in told.found.trace.calls if after < m.n < before and m.start is not None]
        if wanted:
            return _window(wanted[-1], made, after)
    return None


def slot_to_use(told: Told) -> Check | None:
    """What was revealed is what the first call that uses it says.

    Applies where a slot was revealed and a call that uses it came after.
    """
    trace = told.found.trace
    for slot, n in trace.revealed.items():
        needed = next((one for one in told.duties.needed if one.operation not in FREE[slot]), None)
        made = next((m for m in trace.calls if m.n > n and m.operation not in FREE[slot]), None)
        if made is not None and needed is not None:
            return _slot(slot, needed, made, n)
    return None


INVARIANTS: Final[Mapping[str, Callable[[Told], Check | None]]] = {
    "winner_to_quality": winner_to_quality,
    "window_to_arguments": window_to_arguments,
    "slot_to_use": slot_to_use,
}


def invariants(told: Told) -> tuple[Check, ...]:
    """Every invariant that applies."""
    found = (ask(told) for ask in INVARIANTS.values())
    return tuple(check for check in found if check is not None)


def _winner(made: Made) -> str | None:
    """The stream that leads; a comparison says which of its two by a letter."""
    if made.operation == "compare_window":
        return _named_text(made.answer.get(f"stream_{made.answer.get('higher')}"))
    ranked = made.answer.get("ranked") or [{}]
    return _named_text(ranked[0].get("stream_id"))


def _named_text(value: object) -> str | None:
    return None if value is None else str(value)


def _window(wanted: Needed, made: list[Made], turn: int) -> Check:
    expected: Json = [wanted.start, wanted.end]
    right = [m for m in made if [m.start, m.end] == expected]
    shown = (right or made)[:1]
    evidence = _places(turn, *(m.n for m in shown))
    if right:
        return Check("window_to_arguments", "pass", expected, expected, None, evidence)
    got: Json = [shown[0].start, shown[0].end] if shown else None
    why = "no call asks about the new window"
    return Check("window_to_arguments", "fail", expected, got, why, evidence)


def _slot(slot: str, needed: Needed, made: Made, n: int) -> Check:
    if slot == "time":
        expected: Json = [needed.start, needed.end, needed.at]
        got: Json = [made.start, made.end, made.at]
        same = expected == got or made.handle in needed.handles
    else:
        expected, got = dict(needed.arguments), dict(made.arguments)
        names = set(_named(needed.arguments)) & set(_named(made.arguments))
        same = made.handle in needed.handles or (
            bool(names) and all(expected[name] == got[name] for name in names)
        )
    why = None if same else f"{made.operation} does not use the {slot} that was revealed"
    outcome = "pass" if same else "fail"
    return Check("slot_to_use", outcome, expected, got, why, _places(n, made.n))  # type: ignore[arg-type]


def _named(arguments: Mapping[str, object]) -> Iterator[str]:
    """Arguments that say which point is meant."""
    names = ("site", "equipment", "location", "point_class", "stream_id")
    return (name for name in names if arguments.get(name) is not None)


def _compared(
    name: str, expected: str | None, got: str | None, why: str, first: Made, then: Made
) -> Check:
    same, evidence = expected == got, _places(first.n, then.n)
    if same:
        return Check(name, "pass", expected, got, None, evidence)
    return Check(name, "fail", expected, got, why, evidence)


def _places(*numbers: int) -> tuple[Evidence, ...]:
    return tuple(Evidence("session", str(n)) for n in numbers)
