"""Times as they are written: ISO instants, and the five forms in which questions tell times."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from benchwright.suites.telemetry.rows.times import Told, parsed

_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
ZONES: Final = {
    **{"UTC": "+00:00", "GMT": "+00:00", "CET": "+01:00", "CEST": "+02:00", "EET": "+02:00"},
    **{"EEST": "+03:00", "AEST": "+10:00", "AEDT": "+11:00", "NZST": "+12:00", "NZDT": "+13:00"},
}
"""Names of zones that mean one offset everywhere; EST, CST, IST and BST mean several."""
_NAMES: Final = "|".join([*ZONES, "utc", "gmt"])
TIME: Final = (
    r"(?<![\w-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?"
    rf"(?:Z| ?[+-]\d\d(?::?\d\d)?(?![\d:])| ?(?:\((?:{_NAMES})\)|(?:{_NAMES})(?![\w+-]))"
    r"| local(?: time)?\b)?(?![\w:]|\.\d)"
)
PERIOD: Final = (
    rf"(?:the week from Monday )?(?<![\w.])\d{{1,2}} {_MONTH} \d{{4}}\b|\b{_MONTH} \d{{4}}\b"
    r"|(?<![\w-])\d{4}-\d\d-\d\d(?![\w:-])"
)
_ZONED: Final = re.compile(
    rf"(?P<time>\d{{4}}-.*\d)(?P<zone> ?\(?(?:{_NAMES})\)?| local(?: time)?| [+-][\d:]+"
    r"|(?<=:\d\d)[+-]\d\d|(?<=\.\d\d\d)[+-]\d\d)"
)
_UP_TO: Final = "the 24 hours up to "


def read_instant(text: str) -> str | None:
    """An instant, or what a clock shows, as ISO; the end of 24 hours is one. None for another."""
    told = _in_numbers(text.strip().removeprefix(_UP_TO))
    try:
        datetime.fromisoformat(told)
    except ValueError:
        return None
    return told if len(told) > len("2022-01-31") else None


def _in_numbers(text: str) -> str:
    """A zone that is told by its name as an offset; what a clock shows without "local time"."""
    found = _ZONED.fullmatch(text)
    if found is None:
        return text
    name = found["zone"].strip(" ()")
    if name.startswith("local"):
        return found["time"]
    return found["time"] + ZONES.get(name.upper(), f"{name}:00" if len(name) == 3 else name)


def read_period(text: str) -> Told | None:
    """A day, week or month in the words of a question."""
    found = parsed(text.strip())
    return found if found is not None and found.form in ("day", "week", "month") else None


def same_instant(one: str, other: str) -> bool:
    """Whether two texts mean one instant; a clock without an offset agrees with itself only."""
    first, second = datetime.fromisoformat(one), datetime.fromisoformat(other)
    if (first.tzinfo is None) != (second.tzinfo is None):
        return False
    return first == second
