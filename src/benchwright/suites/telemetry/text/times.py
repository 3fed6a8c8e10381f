"""Times as they are written: ISO instants, and the five forms in which questions tell times."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from benchwright.suites.telemetry.rows.times import Told, parsed

_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
TIME: Final = (
    r"(?<![\w-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?"
    r"(?:Z|[+-]\d\d:?\d\d)?(?![\w:]|\.\d)"
)
PERIOD: Final = (
    rf"(?:the week from Monday )?(?<![\w.])\d{{1,2}} {_MONTH} \d{{4}}\b|\b{_MONTH} \d{{4}}\b"
    r"|(?<![\w-])\d{4}-\d\d-\d\d(?![\w:-])"
)
_UP_TO: Final = "the 24 hours up to "


def read_instant(text: str) -> str | None:
    """An instant, or what a clock shows, as ISO; the end of 24 hours is one. None for another."""
    told = text.strip().removeprefix(_UP_TO)
    try:
        datetime.fromisoformat(told)
    except ValueError:
        return None
    return told if len(told) > len("2022-01-31") else None


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
