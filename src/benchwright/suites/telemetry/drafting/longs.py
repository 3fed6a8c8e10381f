"""Files with a row per reading: which column is which, words among numbers, flags of quality.

Takes the columns of a file; gives a `Long`, or None for a wide file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.drafting.cells import Reading

_ID = re.compile(r"id|point|tag|sensor|meter|stream|series|name|variable|channel|signal|register")
_VALUE = re.compile(r"val|value|reading|wert|messwert|measurement")
_GOOD: Final = frozenset(("good", "ok", "valid", "uncertain", "gut", "normal"))
_BAD: Final = frozenset(("bad", "invalid", "error", "fault", "failed", "fail", "schlecht", "nok"))


@dataclass(frozen=True, slots=True)
class Long:
    """The columns of a file with a row per reading."""

    stream: str
    value: str
    codes: NDArray[np.int64]
    """Place in `ids` of every row."""
    ids: tuple[str, ...]
    words: tuple[str, ...]
    """Texts that are the readings of streams which have hardly any numbers."""
    word: NDArray[np.int64]
    """Place in `words` of every row, -1 where there is none."""
    flag: str | None
    """A column that tells good readings from bad ones."""
    flags: Mapping[str, int]
    """How often each of its texts stands."""
    bad_rows: NDArray[np.bool_]
    """Rows whose flag says that the reading is none."""


def long_of(
    names: Sequence[str],
    cells: Mapping[str, list[str]],
    readings: Mapping[str, Reading],
    local: NDArray[np.int64],
) -> Long | None:
    """The layout with a row per reading: times come again, but not with the same id."""
    if len(np.unique(local)) > 0.7 * len(local):
        return None
    value = _value(names, readings)
    for name in sorted(names, key=lambda n: (not _ID.search(n.lower()), names.index(n))):
        if name == value or value is None or not _may_be_id(name, readings[name]):
            continue
        ids, codes = np.unique(np.array(cells[name]), return_inverse=True)
        pairs = len(np.unique(np.stack([local, codes]), axis=1).T)
        if 1 < len(ids) <= len(local) / 2 and pairs > 0.9 * len(local):
            words = _words(cells[value], readings[value], codes)
            flag = _flag([n for n in names if n not in (name, value)], readings)
            counts = dict(sorted(Counter(cells[flag]).items())) if flag else {}
            return Long(
                name,
                value,
                codes.astype(np.int64),
                tuple(map(str, ids)),
                tuple(words),
                np.array([words.get(text, -1) for text in cells[value]], dtype=np.int64),
                flag,
                counts,
                np.array(list(map(is_bad, cells[flag])) if flag else np.zeros(len(codes)), bool),
            )
    return None


def _may_be_id(name: str, reading: Reading) -> bool:
    named = _ID.search(name.lower()) is not None
    return reading.what in ("words", "text") or (reading.what == "numbers" and named)


def _value(names: Sequence[str], readings: Mapping[str, Reading]) -> str | None:
    numeric = [n for n in names if readings[n].what == "numbers" and not _ID.search(n.lower())]
    named = [n for n in numeric if _VALUE.search(n.lower())]
    return next(iter(named or numeric), None)


def is_bad(flag: str) -> bool:
    """Whether a flag says that a reading is none."""
    return flag.strip().lower() in _BAD


def _flag(names: Sequence[str], readings: Mapping[str, Reading]) -> str | None:
    """The first column of words of which one is known as good or as bad."""
    for name in names:
        said = {word.strip().lower() for word in readings[name].words}
        if said & (_GOOD | _BAD):
            return name
    return None


def _words(cells: Sequence[str], reading: Reading, codes: NDArray[np.int64]) -> dict[str, int]:
    """Odd texts that are nine in ten readings of a stream, in the order of the alphabet."""
    if not reading.odd:
        return {}
    odd = np.array([text in reading.odd for text in cells])
    numbers = np.array([text not in reading.missing for text in cells])
    many = int(codes.max()) + 1
    worded = np.bincount(codes[odd], minlength=many) > 9 * np.bincount(
        codes[numbers], minlength=many
    )
    found = {cells[row] for row in np.flatnonzero(odd & worded[codes]).tolist()}
    return {word: place for place, word in enumerate(sorted(found))}


def without(reading: Reading, words: Sequence[str]) -> Reading:
    """The reading of a value column, where these are no tokens for a missing value."""
    return replace(
        reading,
        missing={t: n for t, n in reading.missing.items() if t not in words},
        odd={t: n for t, n in reading.odd.items() if t not in words},
    )
