"""Families about one reading: exact value, nearest value, and their negatives; and a whole stream.

Takes a stream with all its readings; offers at most one question per week to each kind: about the
anchor, which a hash draws among the readings that the kind admits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.measure import (
    HOUR_MS,
    Rules,
    implausible,
    is_sentinel,
    step_at,
)
from benchwright.suites.telemetry.contract.model import Mark
from benchwright.suites.telemetry.contract.periods import Periods, Window
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, DROPOUT
from benchwright.suites.telemetry.families.inventory import Inventory
from benchwright.suites.telemetry.families.model import Traits, draw
from benchwright.suites.telemetry.families.sink import Sink
from benchwright.suites.telemetry.store.observed import Stretch

Places = NDArray[np.int64]
FRACTIONS = ((1, 5), (7, 20), (1, 2), (13, 20), (4, 5))
"""Where between two readings a nearest value is asked for; the middle is a tie."""
TYPICAL = 1.5
"""Steps that a gap between neighbours has at most where it is an ordinary one."""


@dataclass(frozen=True)
class Whole:
    """A stream with all its readings, and which of them questions may be about."""

    point: Point
    site: str
    """As the questions about one stream name it."""
    stretch: Stretch
    rules: Rules
    weeks: Periods
    left_out: tuple[Mark, ...] = ()
    """As the contract says; readings out of range are faults where it names these."""

    @cached_property
    def clean(self) -> NDArray[np.bool_]:
        """Interior readings without marks that are no sentinels, and in range if that counts."""
        good = (self.stretch.marks == 0) & ~self._odd
        return np.asarray(good & self.interior, dtype=bool)

    @cached_property
    def _odd(self) -> NDArray[np.bool_]:
        """Values that are faults: sentinels, and those out of range where the contract says so."""
        value, kind = self.stretch.value, self.rules.kind
        found = is_sentinel(value, kind)
        if "range" in self.left_out:
            found = found | implausible(value, self.stretch.marks, kind)
        return found

    @cached_property
    def interior(self) -> NDArray[np.bool_]:
        """All but the first and the last."""
        inside = np.ones(len(self.stretch.ts), dtype=bool)
        inside[[0, -1]] = False
        return inside

    @cached_property
    def faulty(self) -> NDArray[np.bool_]:
        """Interior drop-outs and values that are faults, whose instant no policy decided."""
        marks = self.stretch.marks
        fault = ((marks & DROPOUT) > 0) | self._odd
        return np.asarray(fault & ((marks & ADJUSTED) == 0) & self.interior, dtype=bool)

    @cached_property
    def steps(self) -> NDArray[np.float64]:
        """The step that holds at every reading, as look-ups take it."""
        if not self.rules.steps:
            return np.full(len(self.stretch.ts), self.rules.typical_ms or float(HOUR_MS))
        return step_at(self.stretch.ts, self.rules)

    @cached_property
    def near(self) -> NDArray[np.bool_]:
        """Clean readings whose next one is clean too, in the same week and an ordinary gap away."""
        ts, found = self.stretch.ts, np.zeros(len(self.stretch.ts), dtype=bool)
        week = np.searchsorted(self.weeks.edges, ts, side="right")
        same = week[1:] == week[:-1]
        found[:-1] = self.clean[:-1] & self.clean[1:] & same
        found[:-1] &= np.diff(ts) <= TYPICAL * self.steps[:-1]
        return found

    def anchors(self, admitted: NDArray[np.bool_], sink: Sink) -> Iterator[tuple[int, Window]]:
        """Place of the anchor and week, for every week with an admitted reading."""
        places = np.flatnonzero(admitted)
        ts, edges = self.stretch.ts[places], self.weeks.edges
        cuts = np.searchsorted(ts, edges).tolist()
        labels = self.weeks.labels()
        for index in np.flatnonzero(np.diff(cuts)).tolist():
            low, high = cuts[index], cuts[index + 1]
            place = low + draw(sink.seed(self.point.stream, labels[index]), high - low)
            week = Window(int(edges[index]), int(edges[index + 1]), labels[index])
            yield int(places[place]), week


def offer_exact(stream: Whole, sink: Sink) -> None:
    """The value at the anchor of every week."""
    _offer_at(stream, stream.clean, sink)


def offer_bad_sensor(stream: Whole, sink: Sink) -> None:
    """A value that stands for a fault, is a zero that is no measurement, or cannot be true."""
    _offer_at(stream, stream.faulty, sink)


def _offer_at(stream: Whole, admitted: NDArray[np.bool_], sink: Sink) -> None:
    point = stream.point
    for place, week in stream.anchors(admitted, sink):
        identity = {"streams": [point.stream], "at": int(stream.stretch.ts[place])}
        sink.offer(identity, stream.site, [point], week, Traits((point.stream,)))


def offer_nearest(stream: Whole, sink: Sink) -> None:
    """An instant between two neighbours an ordinary gap apart."""
    ts, point = stream.stretch.ts, stream.point
    for place, week in stream.anchors(stream.near, sink):
        seed = {**sink.seed(point.stream, week.label), "fraction": True}
        over, under = FRACTIONS[draw(seed, len(FRACTIONS))]
        gap = int(ts[place + 1] - ts[place])
        identity = {"streams": [point.stream], "at": int(ts[place]) + over * gap // under}
        traits = Traits((point.stream,), bucket=f"{over}/{under}")
        sink.offer(identity, stream.site, [point], week, traits)


def offer_too_far(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    """The middle of a gap from which neither neighbour is near enough."""
    ts, point = stream.stretch.ts, stream.point
    limit = inventory.contract.nearest_steps * np.maximum(stream.steps[:-1], stream.steps[1:])
    wide = stream.clean[:-1] & stream.clean[1:] & (np.diff(ts) > 2 * limit + 2)
    for place in np.flatnonzero(wide).tolist():
        first, second = int(ts[place]), int(ts[place + 1])
        identity = {"streams": [point.stream], "at": first + (second - first) // 2}
        reach = inventory.weeks(first, second + 1)
        sink.offer(identity, stream.site, [point], reach, Traits((point.stream,)))


def clean_in(stream: Whole, week: Window) -> bool:
    """Whether a stream has a clean reading in a week."""
    a, b = np.searchsorted(stream.stretch.ts, [week.start, week.end]).tolist()
    return bool(stream.clean[a:b].any())


Reader = Callable[[Point], Whole]
