"""All periods of a corpus's clock, once, and every stream's aggregates over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from benchwright.suites.telemetry.audit.clock import PERIODS, Clock, Period, place
from benchwright.suites.telemetry.audit.figures import figures
from benchwright.suites.telemetry.audit.measures import coverage
from benchwright.suites.telemetry.audit.stream import Stream


class Spans:
    """Days, weeks and months from before the first reading to behind the last, by number."""

    def __init__(self, clock: Clock, first: int, last: int) -> None:
        margin = 70 * 86_400_000
        self.clock = clock
        self.periods = {k: clock.between(k, first - margin, last + margin) for k in PERIODS}
        self.starts = {k: [p.start for p in found] for k, found in self.periods.items()}
        self.numbers = {
            k: {p.first_day: i for i, p in enumerate(v)} for k, v in self.periods.items()
        }

    def number(self, kind: str, ms: int) -> int:
        """Number of the period that holds an instant."""
        return place(self.starts[kind], ms)

    def at(self, kind: str, ms: int) -> Period:
        """The period that holds an instant."""
        return self.periods[kind][self.number(kind, ms)]

    def whole_weeks(self, start: int, end: int) -> tuple[int, int]:
        """From the start of the week that holds the first instant to the end of the last one's."""
        return self.at("week", start).start, self.at("week", end - 1).end

    def touched(self, kind: str, stream: Stream) -> list[tuple[int, Period]]:
        """Periods from that of the first to that of the last reading, with their numbers."""
        first, last = self.number(kind, stream.times[0]), self.number(kind, stream.times[-1])
        return [(i, self.periods[kind][i]) for i in range(first, last + 1)]


class Aggregate(NamedTuple):
    """Of one stream and period with a reading: kept readings, coverage, figure (or None)."""

    kept: int
    coverage: float
    figure: float | None


Aggregates = Mapping[str, Mapping[int, Aggregate]]


def aggregates(spans: Spans, stream: Stream) -> dict[str, dict[int, Aggregate]]:
    """Aggregates by kind and number of the period; periods without a reading have none."""
    made: dict[str, dict[int, Aggregate]] = {}
    for kind in PERIODS:
        made[kind] = {}
        for number, period in spans.touched(kind, stream):
            low, high = stream.span(period.start, period.end)
            if low < high:
                made[kind][number] = aggregate(stream, period.start, period.end)
    return made


def aggregate(stream: Stream, start: int, end: int) -> Aggregate:
    """The same of any window."""
    found = figures(stream, start, end)
    return Aggregate(found.count, coverage(stream, start, end), found.figure)
