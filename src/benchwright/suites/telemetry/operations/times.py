"""Times of arguments as instants: with an offset, or by the wall clock of the corpus."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.operations.refusals import Refusal, Refused, refuse

_YEARS = range(2, 9999)
"""A day to either side of these can be named, whatever the offset."""


def instant(text: str, zone: Zone) -> int:
    """Milliseconds since 1970 of an argument.

    Refuses text that is no time, times that the clock never showed, times that it showed twice
    (with both instants as candidates), and the first and last year that dates can name.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise refuse(
            "bad_argument", f"{text!r} is no time; write 2022-02-03T07:03:23.640Z."
        ) from None
    if moment.year not in _YEARS:
        raise refuse("bad_argument", f"{text!r} lies beyond the years that calendars count.")
    if moment.tzinfo is not None:
        return _milliseconds(moment)
    local = np.array([_milliseconds(moment.replace(tzinfo=UTC))], dtype=np.int64)
    first, second, twice, never = zone.instants(local)
    if never[0]:
        raise refuse(
            "no_such_local_time", f"Clocks of {zone.name} never showed {text}; give an offset."
        )
    if twice[0]:
        both: tuple[dict[str, str | None], ...] = (
            {"timestamp": shown(int(first[0]))},
            {"timestamp": shown(int(second[0]))},
        )
        message = f"Clocks of {zone.name} showed {text} twice; give an offset."
        raise Refused(
            Refusal(error="ambiguous", message=message, candidates=both, ask=("timestamp",))
        )
    return int(first[0])


def window(start: str, end: str, zone: Zone) -> tuple[int, int]:
    """A half-open window; refuses one that is empty."""
    first, after = instant(start, zone), instant(end, zone)
    if first >= after:
        raise refuse("bad_argument", f"The window ends at {end}, which is not after its start.")
    return first, after


def shown(at: int) -> str:
    """An instant as text: 2022-02-03T07:03:23.640Z."""
    return f"{np.datetime64(at, 'ms')}Z"


def _milliseconds(moment: datetime) -> int:
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
