"""Five forms in which questions tell times, each with its way back to the value.

A form takes a typed value and gives words; `parsed` takes the words and gives the value again. Days
and periods are those of the clock; instants carry milliseconds and their offset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

import numpy as np

from benchwright.suites.telemetry.corpus.zones import Zone

Form = Literal["instant", "trailing", "day", "week", "month"]
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """A time as a question tells it: an instant in ms, or the first day of a period."""

    form: Form
    value: int | str


def told(time: Told, zone: Zone) -> str:
    """The words of a time."""
    return _FORMS[time.form][0](time.value, zone)


def parsed(words: str) -> Told | None:
    """The time that words tell; None where they are in none of the five forms."""
    for form, (_, pattern, back) in _FORMS.items():
        found = re.fullmatch(pattern, words)
        if found is not None:
            value = back(found)
            return None if value is None else Told(form, value)
    return None


def offset_text(at: int, zone: Zone) -> str:
    """An instant by the clock, with its offset: 2022-01-31T00:00:00.000+01:00."""
    local = int(zone.local(np.array([at]))[0])
    sign, minutes = ("+", "-")[local < at], abs(local - at) // 60_000
    return f"{np.datetime64(local, 'ms')}{sign}{minutes // 60:02d}:{minutes % 60:02d}"


def _instant(value: object, zone: Zone) -> str:
    return f"{np.datetime64(int(str(value)), 'ms')}Z"


def _trailing(value: object, zone: Zone) -> str:
    return f"the 24 hours up to {_instant(value, zone)}"


def _day(value: object, zone: Zone) -> str:
    day = date.fromisoformat(str(value))
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _week(value: object, zone: Zone) -> str:
    return f"the week from Monday {_day(value, zone)}"


def _month(value: object, zone: Zone) -> str:
    day = date.fromisoformat(str(value))
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _milliseconds(found: re.Match[str]) -> int | None:
    try:
        return int(np.datetime64(found["at"], "ms").astype(np.int64))
    except ValueError:
        return None


def _date(found: re.Match[str]) -> str | None:
    named = found.groupdict()
    try:
        number = _MONTHS.index(named["month"]) + 1
        return date(int(named["year"]), number, int(named.get("day") or 1)).isoformat()
    except ValueError:
        return None


def _monday(found: re.Match[str]) -> str | None:
    day = _date(found)
    return day if day is not None and date.fromisoformat(day).weekday() == 0 else None


_AT = r"(?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z"
_MONTH_OF = rf"(?P<month>{'|'.join(_MONTHS)}) (?P<year>\d{{4}})"
_DAY_OF = rf"(?P<day>\d{{1,2}}) {_MONTH_OF}"
_FORMS: Mapping[
    Form,
    tuple[Callable[[object, Zone], str], str, Callable[[re.Match[str]], int | str | None]],
] = {
    "instant": (_instant, _AT, _milliseconds),
    "trailing": (_trailing, rf"the 24 hours up to {_AT}", _milliseconds),
    "week": (_week, rf"the week from Monday {_DAY_OF}", _monday),
    "day": (_day, _DAY_OF, _date),
    "month": (_month, _MONTH_OF, _date),
}
