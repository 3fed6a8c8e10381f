"""One column of text as numbers: tokens that stand for none, words, and what is neither.

Takes distinct texts with their counts; gives a `Reading` of the column. A text is a number when the
readers of a corpus would take it for one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_SIGNS = ("", "-", "--", "---", "?", ".", "#n/a", "#na", "#value!", "#div/0!", "#ref!")
_SHORT = ("n/a", "na", "n.a.", "nan", "nat", "null", "none", "nil", "inf", "-inf", "k.a.")
_LONG = ("missing", "no data", "nodata", "bad", "bad data", "error", "i/o timeout", "invalid")
TOKENS = frozenset((*_SIGNS, *_SHORT, *_LONG, "offline", "fault"))
"""Lower-case texts that stand for no reading in logs; whether they do here is for a person."""
_POINT = re.compile(r"\s*-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_COMMA = re.compile(r"\s*-?(\d+,\d+)([eE][+-]?\d+)?\s*")
_MOST_WORDS = 16
_MOST_ODD = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """What the texts of a column are."""

    what: str
    """`numbers`, `words`, `empty` or `text`."""
    missing: Mapping[str, int] = field(default_factory=dict)
    """Tokens that stand for no reading, with how often each was met."""
    odd: Mapping[str, int] = field(default_factory=dict)
    """Those of them that no list has: few and rare among numbers."""
    words: tuple[str, ...] = ()
    example: str = ""
    """A text that is no number, where the column is text."""


def decimal_of(columns: list[Mapping[str, int]]) -> str | None:
    """The decimal sign that makes numbers of a file's columns; None where none occurs."""
    comma = sum(map(_by_comma, columns))
    point = sum(
        any(_POINT.fullmatch(t) and "." in t for t in texts) and not _by_comma(texts)
        for texts in columns
    )
    return None if not comma and not point else "," if comma > point else "."


def _by_comma(texts: Mapping[str, int]) -> bool:
    """Whether a column holds decimal commas, and numbers only, read that way."""
    told = [t for t in texts if t.strip().lower() not in TOKENS]
    return any(_COMMA.fullmatch(t) for t in told) and all(is_number(t, ",") for t in told)


def is_number(text: str, decimal: str) -> bool:
    """Whether readers take it for a number."""
    if decimal == ",":
        return "." not in text and _POINT.fullmatch(text.replace(",", ".")) is not None
    return _POINT.fullmatch(text) is not None


def number(text: str, decimal: str) -> float:
    """The number that a text says."""
    return float(text.replace(",", ".") if decimal == "," else text)


def read_cells(texts: Mapping[str, int], decimal: str) -> Reading:
    """What a column holds, from its distinct texts and their counts."""
    missing = {t: n for t, n in texts.items() if t.strip().lower() in TOKENS}
    rest = {t: n for t, n in texts.items() if t not in missing}
    if not rest:
        return Reading("empty", missing)
    odd = {t: n for t, n in rest.items() if not is_number(t, decimal)}
    if not odd:
        return Reading("numbers", missing)
    if len(odd) <= _MOST_ODD and sum(odd.values()) <= 0.1 * sum(rest.values()):
        return Reading("numbers", {**missing, **odd}, odd)
    # A list of tokens knows states such as `fault` or `offline`; among words they are words.
    words = {t: n for t, n in texts.items() if t.strip()}
    if len(words) <= _MOST_WORDS and sum(words.values()) > 2 * len(words):
        return Reading(
            "words", {t: n for t, n in texts.items() if not t.strip()}, {}, _sorted(words)
        )
    return Reading("text", missing, example=min(odd))


def _sorted(words: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(words))
