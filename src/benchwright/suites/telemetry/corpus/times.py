"""Times of a source as wall-clock milliseconds, whatever they are written like.

Takes a column of text or numbers; gives int64 milliseconds, finer parts cut off. Patterns are read
here and not by the C library, whose answer depends on the locale of the process.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.model import TimeRule
from benchwright.suites.telemetry.corpus.zones import Ints, to_utc, zone

_PARTS = {
    "Y": r"(?P<Y>\d{4})",
    "y": r"(?P<y>\d{2})",
    "m": r"(?P<m>\d{1,2})",
    "d": r"(?P<d>\d{1,2})",
    "H": r"(?P<H>\d{1,2})",
    "I": r"(?P<I>\d{1,2})",
    "M": r"(?P<M>\d{2})",
    "S": r"(?P<S>\d{2})",
    "f": r"(?P<f>\d{1,9})",
    "p": r"(?P<p>[AaPp])(?:\.?[Mm]\.?)?",
}
_HINT = "Correct the time rule of the source: form and zone."


def arrow_type(rule: TimeRule) -> pa.DataType:
    """The type that a reader of CSV should give the time column; text where patterns are used."""
    if isinstance(rule.form, tuple) or not isinstance(rule.column, str):
        return pa.string()
    if rule.form == "iso":
        return pa.timestamp("us", tz="UTC" if rule.zone == "offset" else None)
    return pa.float64()


def instants(rule: TimeRule, column: Any, where: object) -> tuple[Ints, Any]:
    """Instants in UTC and marks of those that a policy decided; `to_utc` says how.

    Raises:
        SpecError: a time is absent or cannot be read, with its row.
    """
    if column.null_count:
        row = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False))) + 1
        raise SpecError("row has no time", value="", where=f"{where}, row {row}", hint=_HINT)
    local = _milliseconds(rule, column, where)
    if rule.form in ("unix_s", "unix_ms") or rule.zone == "offset":
        return local, np.zeros(len(local), dtype=bool)
    return to_utc(local, zone(rule.zone), rule.repeated, rule.skipped, where)


def _milliseconds(rule: TimeRule, column: Any, where: object) -> Ints:
    if isinstance(rule.form, tuple):
        return _by_patterns(rule.form, column, where)
    if pa.types.is_timestamp(column.type):
        micro = column.cast(pa.timestamp("us", tz=column.type.tz), safe=False)
        return _whole(np.asarray(micro.cast(pa.int64()))) // 1000
    if rule.form == "iso":
        micro = pc.cast(column, pa.timestamp("us", tz="UTC" if rule.zone == "offset" else None))
        return _whole(np.asarray(micro.cast(pa.int64()))) // 1000
    unit = 1000 if rule.form == "unix_s" else 1
    if pa.types.is_integer(column.type):
        return _whole(np.asarray(column.cast(pa.int64()))) * unit
    return _whole(np.floor(np.asarray(column.cast(pa.float64())) * unit + 1e-4))


def _whole(values: Any) -> Ints:
    return np.asarray(values, dtype=np.int64)


def _by_patterns(patterns: tuple[str, ...], column: Any, where: object) -> Ints:
    coded = column.combine_chunks().dictionary_encode()
    texts = coded.dictionary.to_pylist()
    read = np.empty(len(texts), dtype=np.int64)
    codes = np.asarray(coded.indices)
    for index, text in enumerate(texts):
        found = next((at for p in patterns if (at := wall_clock(text, p)) is not None), None)
        if found is None:
            row = int(np.argmax(codes == index)) + 1
            raise SpecError(
                "time cannot be read", value=text, where=f"{where}, row {row}", hint=_HINT
            )
        read[index] = found
    found_at: Ints = read[codes]
    return found_at


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"%([A-Za-z])", pattern)
    text = "".join(
        re.escape(piece) if index % 2 == 0 else _part(piece, pattern)
        for index, piece in enumerate(pieces)
    )
    return re.compile(text.replace(r"\ ", r"\s+"))


def _part(letter: str, pattern: str) -> str:
    if letter in _PARTS:
        return _PARTS[letter]
    known = ", ".join(f"%{name}" for name in _PARTS)
    raise SpecError(
        "unknown part of a time pattern", value=f"%{letter}", where=pattern, hint=f"Known: {known}."
    )


def wall_clock(text: str, pattern: str) -> int | None:
    """Milliseconds of wall clock that a text shows by a pattern; None where it does not fit."""
    match = _expression(pattern).fullmatch(text.strip())
    if match is None:
        return None
    part = {key: found for key, found in match.groupdict().items() if found is not None}
    year = int(part["Y"]) if "Y" in part else 2000 + int(part["y"])
    hour = int(part.get("H", part.get("I", "0")))
    if "I" in part:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if part.get("p", "a").lower() == "p" else 0)
    minute, second = int(part.get("M", "0")), int(part.get("S", "0"))
    try:
        moment = datetime(year, int(part["m"]), int(part["d"]), hour, minute, second)
    except ValueError:
        return None
    fraction = int(part.get("f", "0").ljust(3, "0")[:3])
    return int((moment - datetime(1970, 1, 1)).total_seconds()) * 1000 + fraction
