"""Whether a call uses a withheld detail: answered always, refused where it holds a value of it.

A call that was answered could only be by what it named. One that was refused uses the time if it
holds a time, and the site if it names one, or a stream that there is, which lies on one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.evaluation.trace import Made
from benchwright.suites.telemetry.obligations.model import Duties
from benchwright.suites.telemetry.obligations.spans import moment, wall

_TIMES: Final = ("timestamp", "start", "end")
_NOT_FOUND: Final = ("unknown", "bad_argument")
"""Errors of calls that may have named no stream that there is."""


def uses(slot: str, made: Made, duties: Duties, zone: Zone) -> bool:
    """Whether a call, which was not free of a slot, uses it."""
    if made.error is None:
        return True
    return _time(made.arguments, zone) if slot == "time" else _site(made, duties)


def _time(arguments: Mapping[str, Any], zone: Zone) -> bool:
    """Any text that is a time or a day, one that no clock ever showed included."""
    times = [arguments[name] for name in _TIMES if name in arguments]
    if any(moment(text, zone) is not None or wall(text) is not None for text in times):
        return True
    try:
        return date.fromisoformat(str(arguments.get("date"))) is not None
    except ValueError:
        return False


def _site(made: Made, duties: Duties) -> bool:
    """A site by its name, known or not; or by a stream that there is."""
    if str(made.arguments.get("site") or "").strip():
        return True
    meant = {stream for one in duties.needed for stream in one.streams}
    return made.error not in _NOT_FOUND or not meant.isdisjoint(made.streams)
