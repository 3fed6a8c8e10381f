"""Everything that the rules look at: streams, periods, aggregates, weeks, limits, thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchwright.suites.telemetry.audit.contract import Corpus
from benchwright.suites.telemetry.audit.holdout import Holdout
from benchwright.suites.telemetry.audit.measures import Measures, measures
from benchwright.suites.telemetry.audit.points import Points
from benchwright.suites.telemetry.audit.quality import Judge, season
from benchwright.suites.telemetry.audit.spans import Aggregate, Aggregates, Spans, aggregates
from benchwright.suites.telemetry.audit.stream import Stream
from benchwright.suites.telemetry.audit.thresholds import Thresholds


@dataclass(slots=True)
class World:
    """One corpus, read and measured."""

    corpus: Corpus
    streams: Mapping[str, Stream]
    spans: Spans = field(init=False)
    points: Points = field(init=False)
    holdout: Holdout = field(init=False)
    aggregates: dict[str, Aggregates] = field(init=False)
    weeks: dict[str, dict[int, Measures]] = field(init=False)
    judge: Judge = field(init=False)
    thresholds: Thresholds = field(init=False)

    def __post_init__(self) -> None:
        every = self.streams.values()
        first, last = min(s.times[0] for s in every), max(s.times[-1] for s in every)
        self.spans = Spans(self.corpus.clock, first, last)
        self.points = Points((s.point for s in every), self.corpus.sites)
        self.holdout = Holdout(self.corpus)
        self.aggregates = {s.id: aggregates(self.spans, s) for s in every}
        self.weeks = {s.id: self._weeks(s) for s in every}
        self.judge = Judge(self.corpus.rules)
        self.judge.learn(self._training_weeks())
        self.thresholds = Thresholds(self.corpus.rules)
        for stream in every:
            self._learn(stream)
        self.thresholds.settle()

    def _weeks(self, stream: Stream) -> dict[int, Measures]:
        made = {}
        for number, week in self.spans.touched("week", stream):
            found = measures(stream, week.start, week.end)
            if found.count:
                made[number] = found
        return made

    def season(self, start: int) -> str:
        """The season of a window that starts then."""
        return season(self.corpus.rules, self.corpus.clock, start)

    def _training_weeks(self) -> list[tuple[str, Measures]]:
        """Weeks with readings, but for the first and last of each stream."""
        made = []
        seasons = [self.season(p.start) for p in self.spans.periods["week"]]
        for name, weeks in self.weeks.items():
            point = self.streams[name].point
            for number in sorted(weeks)[1:-1]:
                week = self.spans.periods["week"][number]
                if self.holdout.training([point], week.start, week.end):
                    made.append((seasons[number], weeks[number]))
        return made

    def _learn(self, stream: Stream) -> None:
        for kind, found in self.aggregates[stream.id].items():
            for number, aggregate in found.items():
                period = self.spans.periods[kind][number]
                if self.holdout.training([stream.point], period.start, period.end):
                    self.thresholds.learn(kind, stream.point, aggregate)

    def aggregate(self, stream: str, kind: str, number: int) -> Aggregate | None:
        """The aggregate of a stream and a period, None without a reading."""
        return self.aggregates[stream][kind].get(number)

    def eligible(self, stream: str, kind: str, number: int) -> bool:
        """Whether a question may be about it."""
        found = self.aggregate(stream, kind, number)
        point = self.streams[stream].point
        return found is not None and self.thresholds.eligible(kind, point, found)
