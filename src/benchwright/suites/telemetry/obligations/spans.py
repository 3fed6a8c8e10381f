"""What a call asks about, from its arguments: a window, an instant, streams.

From arguments and not from the answer: a call that was refused asks about something as well. Both a
canonical call and one that an agent made are read by these.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, get_args

from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import window_of
from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.corpus.zones import zone as zone_named
from benchwright.suites.telemetry.operations.refusals import Refused
from benchwright.suites.telemetry.operations.times import instant

_YEARS = range(1970, 2099)
"""That calendars are known for."""


def moment(text: object, zone: Zone) -> int | None:
    """An instant in ms; None for what is no time, or one that no clock showed."""
    try:
        return None if text is None else instant(str(text), zone)
    except Refused:
        return None


def wall(text: object) -> datetime | None:
    """What a clock would have to show; None for a time with an offset, or none at all."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo is None else None


def asked_window(
    arguments: Mapping[str, Any], zone: Zone, calendar: str
) -> tuple[int | None, int | None]:
    """Start and end that arguments name, themselves or as a period of a calendar."""
    if "period" not in arguments:
        return moment(arguments.get("start"), zone), moment(arguments.get("end"), zone)
    try:
        day = date.fromisoformat(str(arguments.get("date")))
    except ValueError:
        return None, None
    if day.year not in _YEARS or arguments["period"] not in get_args(Period):
        return None, None
    own = (arguments.get("calendar") or calendar) == "local"
    found = window_of(day, arguments["period"], zone if own else zone_named("UTC"))
    return found.start, found.end


def named_streams(
    operation: str, arguments: Mapping[str, Any], answer: Mapping[str, Any]
) -> tuple[str, ...]:
    """Streams that a call names; that it resolves, or could be meant; that it ranks, sorted."""
    told = answer if operation == "resolve_point" else arguments
    names = ("stream_id", "stream_a", "stream_b")
    found = [str(told[name]) for name in names if name in told]
    for listed in ("candidates", "ranked") if operation in ("resolve_point", "rank_window") else ():
        rows = answer.get(listed) or ()
        found += sorted(str(row["stream_id"]) for row in rows if "stream_id" in row)
    return tuple(found)
