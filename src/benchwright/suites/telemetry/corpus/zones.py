"""Wall-clock times as instants: the passes of a clock through its changes.

Takes integer milliseconds of wall clock; gives integer milliseconds of UTC and a mark where a
policy had to decide. Transitions come from the standard library's zone data, 1970 to 2099.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError

Ints = NDArray[np.int64]
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS = 47_482
"""Days from 1970 up to 2099-12-31."""
DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Zone:
    """Offsets of a zone: `offsets[i]` holds from `changes[i - 1]` up to `changes[i]`, all in ms."""

    name: str
    changes: Ints
    offsets: Ints

    def local(self, utc: Ints) -> Ints:
        """Wall clock of instants."""
        return utc + self.offsets[np.searchsorted(self.changes, utc, side="right")]

    def instants(self, local: Ints) -> tuple[Ints, Ints, NDArray[np.bool_], NDArray[np.bool_]]:
        """Both candidates of every wall time, and where it is repeated or skipped.

        A time is read as one before the change it is nearest to (`first` for repeated times, and
        `second` for skipped ones) and as one after it; both agree everywhere else.
        """
        before = np.searchsorted(self.changes + self.offsets[:-1], local, side="right")
        after = np.searchsorted(self.changes + self.offsets[1:], local, side="right")
        first, second = local - self.offsets[before], local - self.offsets[after]
        return first, second, before < after, before > after

    def starts_of(self, local: Ints) -> Ints:
        """The first instants whose wall clock shows these times or later; for starts of days."""
        first, second, _, skipped = self.instants(local)
        found = np.minimum(first, second)
        # The clock jumps over a skipped time: it begins with the change itself.
        at = np.searchsorted(self.changes, first[skipped], side="right")
        found[skipped] = self.changes[at]
        return found

    def start_of(self, local: int) -> int:
        """As `starts_of`, for one time."""
        return int(self.starts_of(np.array([local], dtype=np.int64))[0])


@cache
def zone(name: str, where: str = "zone") -> Zone:
    """The zone of that IANA name.

    Raises:
        SpecError: there is none.
    """
    info = _info(name, where)
    offsets = [_offset(info, 0)]
    changes: list[int] = []
    for day in range(1, _DAYS + 1):
        offset = _offset(info, day * DAY_MS)
        if offset != offsets[-1]:
            changes.append(_change(info, (day - 1) * DAY_MS, day * DAY_MS, offset))
            offsets.append(offset)
    return Zone(name, np.array(changes, dtype=np.int64), np.array(offsets, dtype=np.int64))


def to_utc(
    local: Ints, zone: Zone, repeated: str, skipped: str, where: object
) -> tuple[Ints, NDArray[np.bool_]]:
    """Instants of wall times by declared policies, and where one was needed; `TimeRule` says which.

    Raises:
        SpecError: the policy is to refuse, or a file is not in the order that it relies on.
    """
    first, second, twice, never = zone.instants(local)
    _refuse(local, twice, repeated, where, "the clock shows this time twice", "repeated")
    _refuse(local, never, skipped, where, "the clock never shows this time", "skipped")
    instants = first.copy()
    marked = twice | never
    if repeated == "later":
        instants[twice] = second[twice]
    if repeated == "file_order" and twice.any():
        later, told = _second_passes(local, twice, first, where)
        instants[later] = second[later]
        marked &= ~told
    if skipped == "forward":
        instants[never] = second[never]
    return instants, marked


def _refuse(
    local: Ints, found: NDArray[np.bool_], policy: str, where: object, what: str, key: str
) -> None:
    if policy == "refuse" and found.any():
        row = int(np.argmax(found))
        raise SpecError(
            what,
            value=str(np.datetime64(int(local[row]), "ms")),
            where=f"{where}, row {row + 1}",
            hint="If your clocks showed it as any other time, the zone is wrong; else declare in "
            f"""the time rule {key} = "{"earlier" if key == "repeated" else "forward"}".""",
        )


def _second_passes(
    local: Ints, twice: NDArray[np.bool_], first: Ints, where: object
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rows are second passes, and which lie in an hour in which the file turns back."""
    steps = np.diff(first[~twice])
    if steps.size and not ((steps >= 0).all() or (steps <= 0).all()):
        against = steps < 0 if (steps >= 0).sum() >= (steps < 0).sum() else steps > 0
        row = int(np.flatnonzero(~twice)[int(np.argmax(against)) + 1])
        raise SpecError(
            "passes cannot be told by the order of a file that is in no order",
            value=str(np.datetime64(int(local[row]), "ms")),
            where=f"{where}, row {row + 1}",
            hint="If the clock went back there, the zone is wrong; else sort the file by its real "
            'order, or declare repeated = "earlier".',
        )
    descending = bool(steps.size and steps[0] < 0)
    rows = np.flatnonzero(twice)
    order = rows[::-1] if descending else rows
    wall, day = local[order], local[order] // DAY_MS
    begins = np.append(True, day[1:] != day[:-1])
    back = np.append(False, wall[1:] <= wall[:-1]) & ~begins
    hour, turned = np.cumsum(begins) - 1, np.cumsum(back)
    starts = np.flatnonzero(begins)
    passed = turned > turned[starts][hour]
    later, told = np.zeros(len(local), dtype=bool), np.zeros(len(local), dtype=bool)
    later[order] = passed
    told[order] = np.logical_or.reduceat(passed, starts)[hour]
    return later, told


def _info(name: str, where: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise SpecError(
            "unknown time zone",
            value=name,
            where=where,
            hint="Use an IANA name, such as UTC or Europe/Berlin.",
        ) from error


def _offset(info: Any, instant: int) -> int:
    moment = (_FIRST + timedelta(milliseconds=instant)).astimezone(info)
    shift = moment.utcoffset()
    assert shift is not None
    return round(shift.total_seconds() * 1000)


def _change(info: Any, low: int, high: int, after: int) -> int:
    """The instant in (low, high] from which on the offset is `after`, to the second."""
    while high - low > 1000:
        middle = (low + high) // 2000 * 1000
        low, high = (low, middle) if _offset(info, middle) == after else (middle, high)
    return high
