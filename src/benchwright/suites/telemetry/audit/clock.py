"""Wall clocks: instants of local times, days, weeks and months of a zone, skipped stretches.

Instants are integers of milliseconds since 1970; `wall` numbers are the same count of a clock
without a zone. A clock knows one zone; offsets of whole days are remembered, because files ask day
by day.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

DAY = 86_400_000
HOUR = 3_600_000
_FIRST = date(1970, 1, 1)
PERIODS = ("day", "week", "month")


@dataclass(frozen=True, slots=True)
class Period:
    """Half-open span [start, end) named by its first day."""

    kind: str
    first_day: str
    start: int
    end: int


@dataclass(slots=True)
class Clock:
    """The wall clock of one zone."""

    name: str
    zone: ZoneInfo = field(init=False)
    _days: dict[int, tuple[int, int]] = field(default_factory=dict)
    _starts: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.zone = ZoneInfo(self.name)

    def _offset(self, wall: int, fold: int) -> int:
        at = datetime(1970, 1, 1, fold=fold, tzinfo=self.zone) + timedelta(milliseconds=wall)
        return _milliseconds(at.replace(fold=fold))

    def offset_at(self, ms: int) -> int:
        """Milliseconds that local time is ahead of UTC at an instant."""
        at = datetime.fromtimestamp(ms // 1000, UTC).astimezone(self.zone)
        return _milliseconds(at)

    def passes(self, wall: int) -> tuple[int, int]:
        """The two readings of a wall time: equal if it is plain, first < second if it comes twice.

        A time that is skipped gives first > second: the first reads it with the offset before the
        change (which moves it forward), the second with the one after (which moves it back).
        """
        day = wall // DAY
        known = self._days.get(day)
        if known is None:
            known = (self._offset(day * DAY, 0), self._offset((day + 1) * DAY - 1, 1))
            self._days[day] = known
        if known[0] == known[1]:
            return wall - known[0], wall - known[0]
        return wall - self._offset(wall, 0), wall - self._offset(wall, 1)

    def day_start(self, day: int) -> int:
        """First instant of the day that lies `day` days after 1970-01-01 on this clock."""
        start = self._starts.get(day)
        if start is None:
            start = self._starts[day] = self.passes(day * DAY)[0]
        return start

    def day_of(self, ms: int) -> int:
        """Number of the day that holds an instant."""
        day = (ms + self.offset_at(ms)) // DAY
        while self.day_start(day) > ms:
            day -= 1
        while self.day_start(day + 1) <= ms:
            day += 1
        return day

    def period_of(self, kind: str, ms: int) -> Period:
        """The day, week (from Monday) or month that holds an instant."""
        return self._period(kind, self._first(kind, self.day_of(ms)))

    def after(self, period: Period) -> Period:
        """The period that follows."""
        return self.period_of(period.kind, period.end)

    def named(self, kind: str, first_day: str) -> Period:
        """The period of that name."""
        return self._period(kind, (date.fromisoformat(first_day) - _FIRST).days)

    def between(self, kind: str, first: int, last: int) -> list[Period]:
        """All periods from the one that holds `first` to the one that holds `last`."""
        found = [self.period_of(kind, first)]
        while found[-1].end <= last:
            found.append(self.after(found[-1]))
        return found

    def _first(self, kind: str, day: int) -> int:
        if kind == "week":
            return day - (day + 3) % 7  # 1970-01-01 was a Thursday
        if kind == "month":
            return day - (_FIRST + timedelta(days=day)).day + 1
        return day

    def _period(self, kind: str, first: int) -> Period:
        name = _FIRST + timedelta(days=first)
        days = {"day": 1, "week": 7}.get(kind) or _days_of_month(name)
        return Period(kind, name.isoformat(), self.day_start(first), self.day_start(first + days))


def _days_of_month(first: date) -> int:
    return ((first + timedelta(days=32)).replace(day=1) - first).days


@dataclass(frozen=True, slots=True)
class Skipped:
    """A stretch of wall time that a zone left out: from `wall`, `minutes` long, at instant `at`."""

    at: int
    wall: int
    minutes: int


def skipped(clock: Clock, first: int, last: int) -> list[Skipped]:
    """Stretches whose change lies strictly between two instants, in order of time."""
    found = []
    for day in range(first // DAY - 1, last // DAY + 2):
        low, high = day * DAY, (day + 1) * DAY
        before, behind = clock.offset_at(low), clock.offset_at(high)
        if before >= behind:
            continue
        while high - low > 1000:
            middle = (low + high) // 2000 * 1000
            low, high = (middle, high) if clock.offset_at(middle) == before else (low, middle)
        if first < high < last:
            found.append(Skipped(high, high + before, (behind - before) // 60_000))
    return found


def place(starts: list[int], ms: int) -> int:
    """Index of the last start at or before an instant, -1 before all."""
    return bisect_right(starts, ms) - 1


def _milliseconds(at: datetime) -> int:
    """How far the clock of a zoned time is ahead of UTC."""
    offset = at.utcoffset()
    assert offset is not None
    return offset // timedelta(milliseconds=1)
