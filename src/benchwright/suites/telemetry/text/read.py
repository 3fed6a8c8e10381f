"""A whole message: every sentence by every rule, then what was said twice and what stays open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.text import actions, figures, words
from benchwright.suites.telemetry.text.frame import Sentence, sentences
from benchwright.suites.telemetry.text.grammar import COMMITS, INTENT, UNREAL, clauses, scopes
from benchwright.suites.telemetry.text.model import Found, Reading, Unread
from benchwright.suites.telemetry.text.numbers import agree
from benchwright.suites.telemetry.text.plain import RETRACTS, is_plain
from benchwright.suites.telemetry.text.questions import asked, is_question
from benchwright.suites.telemetry.text.times import same_instant

_NAMED: Final = {
    name: re.compile(rf"\b(?:{rule})\b") for name, rule in {**figures.NAMED, **words.NAMED}.items()
}
_LOOSE: Final = (
    (re.compile(r"<[nx]\d+>"), figures.NUMBERS),
    (re.compile(r"<t\d+>"), ("observed",)),
    (re.compile(r"<i\d+>"), words.IDS),
)
"""Values that nothing was read from, and the fields that they may be meant for."""
_RULES: Final = (actions.acted, figures.numbers, words.named)
_SETS: Final = ("streams", "candidates")


@lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    """What a message states and asks; the same text is read once."""
    found: list[Found] = []
    handles: list[str] = []
    open_: dict[str, Unread] = {}
    asks: set[str] = set()
    asking = False
    for sentence in sentences(text):
        if is_question(sentence):
            asks, asking = asks | set(asked(sentence)), True
            continue
        told = _told(sentence)
        if not told.found and RETRACTS.search(sentence.frame):
            found = _taken_back(found, sentence)
        found += told.found
        handles = [one for one in (*handles, *told.handles) if one not in told.dropped]
        for name, why in told.open:
            if name not in open_ or open_[name].why == "unbound":
                open_[name] = why
    said, unread = _settled(found, open_)
    if handles:
        said["handles"] = list(dict.fromkeys(handles))
        unread.pop("handles", None)
    return Reading(said, unread, tuple(s for s in SLOTS if s in asks), asking)


@dataclass(slots=True)
class _Told:
    """What a sentence states, and what it leaves open."""

    found: list[Found] = field(default_factory=list)
    handles: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    """Handles that it takes back."""
    open: list[tuple[str, Unread]] = field(default_factory=list)


def _told(sentence: Sentence) -> _Told:
    """Statements of a plain sentence; those of any other cannot be read."""
    told = _Told()
    taken_back = RETRACTS.search(sentence.frame) is not None
    plain = not taken_back
    for scope in scopes(sentence.frame):
        before = len(told.found) + len(told.handles)
        rest = _scope(sentence, scope, told)
        if len(told.found) + len(told.handles) > before:
            plain = plain and is_plain(rest)
    if not plain:
        named = [*dict.fromkeys(one.field for one in told.found), *["handles"][: len(told.handles)]]
        told.open += [(name, Unread("unreadable", (sentence.raw,))) for name in named]
        told.found = [replace(one, denied=True) for one in told.found if taken_back or one.denied]
        told.dropped = told.handles if taken_back else []
        told.handles = []
    return told


def _scope(sentence: Sentence, scope: str, told: _Told) -> str:
    """What a part of a sentence states, added to what was told; and what is left of it."""
    rest: list[str] = []
    for clause in clauses(scope):
        if INTENT.search(clause) and not COMMITS.search(clause):
            continue
        told.handles += words.handles(sentence, clause)
        left = _clause(sentence, clause, told.found)
        told.open += _left(sentence, left)
        if not UNREAL.search(clause):
            rest.append(left)
    return " ".join(rest)


def _taken_back(found: list[Found], sentence: Sentence) -> list[Found]:
    """Statements, those of the sentence before denied."""
    last = found[-1].sentence if found else None
    told = f"{last} {sentence.raw}"
    return [
        replace(one, denied=True, sentence=told) if one.sentence == last else one for one in found
    ]


def _clause(sentence: Sentence, clause: str, found: list[Found]) -> str:
    """Everything that a clause states, and what is left of it; a supposition states nothing."""
    if UNREAL.search(clause):
        return clause
    for rule in _RULES:
        more, clause = rule(sentence, clause)
        found += more
    return clause


def _left(sentence: Sentence, left: str) -> Iterable[tuple[str, Unread]]:
    """Fields that what is left mentions, and those that its loose values may be meant for."""
    mentioned = [name for name, rule in _NAMED.items() if rule.search(left)]
    if actions.MENTION.search(left):
        mentioned.append("action")
    for name in mentioned:
        yield name, Unread("unreadable", (sentence.raw,))
    for name in (name for mark, names in _LOOSE if mark.search(left) for name in names):
        if name not in mentioned:
            yield name, Unread("unbound", (sentence.raw,))


def _settled(
    found: list[Found], open_: Mapping[str, Unread]
) -> tuple[dict[str, Any], dict[str, Unread]]:
    """One value a field; where there is more than one, none."""
    said: dict[str, Any] = {}
    unread = dict(open_)
    for name in dict.fromkeys(one.field for one in found):
        own = [one for one in found if one.field == name and not one.denied]
        denied = [one for one in found if one.field == name and one.denied]
        if not own:
            unread[name] = Unread("unreadable", _shown(denied))
            continue
        values = [one.value for one in own]
        apart = any(not _same(name, values[0], value) for value in values[1:])
        against = any(_same(name, one.value, value) for one in denied for value in values)
        if apart or against:
            unread[name] = Unread("contradicted", _shown([*own, *denied]))
            _spread(name, unread)
        else:
            said[name] = max(values, key=lambda v: len(repr(v))) if _number(name) else values[0]
            unread.pop(name, None)
    if said.get("of") == "mean" or "of" in unread:
        for name in ("mean_a", "mean_b"):
            shown = _shown([one for one in found if one.field == "value"])
            if name not in said and shown:
                unread.setdefault(name, Unread("unbound", shown))
    return said, unread


def _spread(name: str, unread: dict[str, Unread]) -> None:
    """Numbers that contradict each other may be numbers of other things."""
    if name == "value":
        for other in figures.NUMBERS:
            unread.setdefault(other, Unread("unbound", unread[name].sentences))


def _number(name: str) -> bool:
    return name in figures.NUMBERS


def _same(name: str, one: Any, other: Any) -> bool:
    if _number(name):
        return agree(one, other)
    if name == "observed":
        return same_instant(one, other)
    if name in _SETS:
        return sorted(one) == sorted(other)
    return bool(one == other)


def _shown(found: list[Found]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.sentence for one in found))
