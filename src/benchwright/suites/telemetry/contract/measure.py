"""What a window of a stream measures: coverage, gaps and faults of values.

Takes arrays of readings in order of time; gives counts and ratios. Expected steps are the declared
regimes; without any, the median interval inside the window, or of the stream where the window holds
fewer than three readings. Edges of the window count as ends of gaps. Runs of equal readings are
looked for inside the window only, so a window can be measured alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.model import ValueClass
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, DROPOUT
from benchwright.suites.telemetry.corpus.regimes import Step

HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Rules:
    """What is expected of one stream."""

    kind: ValueClass
    steps: tuple[Step, ...]
    typical_ms: float
    """Median interval of the whole stream; 0 for fewer than two readings."""


@dataclass(frozen=True, slots=True)
class Measures:
    """One window of one stream."""

    count: int
    coverage: float
    """Readings over expected readings, at most 1."""
    gap_ms: int
    gap_ratio: float
    """The largest gap in steps that hold where it ends; edges of the window included."""
    frozen: int
    """Readings in runs of equal ones that last the hours of the class."""
    dropout: int
    sentinel: int
    range: int
    """Readings outside the plausible range, spikes not counted."""
    spike: int
    """Single readings outside it between two inside."""
    adjusted: int
    """Readings whose instant a policy decided."""


def measure(
    ts: NDArray[np.int64],
    value: NDArray[np.float64],
    marks: NDArray[np.uint8],
    window: Window,
    rules: Rules,
) -> Measures:
    """Measures of the readings inside `window`; all given readings must lie there."""
    measuring = Measuring(window, rules, _median_step(ts, rules))
    measuring.add(ts, value, marks)
    return measuring.measures()


class Measuring:
    """Measures of a window whose readings come in pieces, in order of time.

    `median` is the median interval inside the window in ms; declared regimes go before it.
    """

    def __init__(self, window: Window, rules: Rules, median: float) -> None:
        self._window, self._rules, self._median = window, rules, median
        self._last, self._step = window.start, 1.0
        self._gap, self._ratio = 0, 0.0
        self._count = self._down = self._outside = self._sentinel = self._adjusted = 0
        self._spikes, self._runs = _Spikes(), _Runs(rules.kind.frozen_hours * HOUR_MS)

    def add(
        self, ts: NDArray[np.int64], value: NDArray[np.float64], marks: NDArray[np.uint8]
    ) -> None:
        """Some more readings."""
        if not len(ts):
            return
        kind = self._rules.kind
        step = _steps(ts, self._rules, self._median)
        gaps = np.diff(ts, prepend=self._last)
        self._gap = max(self._gap, int(gaps.max()))
        self._ratio = max(self._ratio, float((gaps / step).max()))
        outside = implausible(value, marks, kind)
        self._count += len(ts)
        self._down += int(((marks & DROPOUT) > 0).sum())
        self._outside += int(outside.sum())
        self._sentinel += int(is_sentinel(value, kind).sum())
        self._adjusted += int(((marks & ADJUSTED) > 0).sum())
        self._spikes.add(outside)
        self._runs.add(ts, value, step)
        self._last, self._step = int(ts[-1]), float(step[-1])

    def measures(self) -> Measures:
        """Of everything that was added."""
        window = self._window
        if not self._count:
            return Measures(0, 0.0, window.end - window.start, 0.0, 0, 0, 0, 0, 0, 0)
        end = window.end - self._last
        spikes = self._spikes.count()
        return Measures(
            count=self._count,
            coverage=min(1.0, self._count / _expected(window, self._rules, self._median)),
            gap_ms=max(self._gap, end),
            gap_ratio=max(self._ratio, end / self._step),
            frozen=self._runs.frozen(),
            dropout=self._down,
            sentinel=self._sentinel,
            range=self._outside - spikes,
            spike=spikes,
            adjusted=self._adjusted,
        )


def expected(window: Window, ts: NDArray[np.int64], rules: Rules) -> float:
    """How many readings were due inside the window, as a real number above 0."""
    return _expected(window, rules, _median_step(ts, rules))


def _expected(window: Window, rules: Rules, median: float) -> float:
    if not rules.steps:
        return (window.end - window.start) / median
    return float(due(np.array([window.start, window.end]), rules)[0])


def due(edges: NDArray[np.int64], rules: Rules) -> NDArray[np.float64]:
    """How many readings declared regimes expect between adjacent `edges`, as real numbers."""
    low, high = edges[:-1], edges[1:]
    found = np.zeros(len(low))
    for index, step in enumerate(rules.steps):
        later = rules.steps[index + 1].start if index + 1 < len(rules.steps) else None
        begins = low if index == 0 else np.maximum(low, step.start or 0)
        ends = high if later is None else np.minimum(high, later)
        found += np.maximum(0, ends - begins) / step.ms
    return found


def step_at(ts: NDArray[np.int64], rules: Rules) -> NDArray[np.float64]:
    """The step in ms that holds at every reading."""
    return _steps(ts, rules, _median_step(ts, rules))


def _steps(ts: NDArray[np.int64], rules: Rules, median: float) -> NDArray[np.float64]:
    if not rules.steps:
        return np.full(len(ts), median)
    starts = np.array([s.start for s in rules.steps[1:]], dtype=np.int64)
    sizes = np.array([s.ms for s in rules.steps], dtype=np.float64)
    found: NDArray[np.float64] = sizes[np.searchsorted(starts, ts, side="right")]
    return found


def whole_step(rules: Rules) -> float:
    """The median interval of a whole stream in ms, or an hour for a single reading."""
    return rules.typical_ms or float(HOUR_MS)


def _median_step(ts: NDArray[np.int64], rules: Rules) -> float:
    if len(ts) >= 3:
        return float(np.median(np.diff(ts)))
    return whole_step(rules)


def is_sentinel(value: NDArray[np.float64], kind: ValueClass) -> NDArray[np.bool_]:
    """Readings that stand for a fault."""
    return np.isin(value, np.array(kind.sentinels, dtype=np.float64))


def out_of_range(value: NDArray[np.float64], kind: ValueClass) -> NDArray[np.bool_]:
    """Readings outside the plausible range that are no sentinel."""
    if kind.range is None:
        return np.zeros(len(value), dtype=bool)
    low, high = kind.range
    outside: NDArray[np.bool_] = ((value < low) | (value > high)) & ~is_sentinel(value, kind)
    return outside


def implausible(
    value: NDArray[np.float64], marks: NDArray[np.uint8], kind: ValueClass
) -> NDArray[np.bool_]:
    """Readings outside the plausible range that are no sentinel and no drop-out."""
    found: NDArray[np.bool_] = out_of_range(value, kind) & ((marks & DROPOUT) == 0)
    return found


class _Spikes:
    """Readings outside the range between two that are not."""

    def __init__(self) -> None:
        self._found = 0
        self._before = np.zeros(2, dtype=bool)
        """Whether the last two readings were outside; the last one is not yet judged."""

    def add(self, outside: NDArray[np.bool_]) -> None:
        padded = np.concatenate((self._before, outside))
        self._found += int((padded[1:-1] & ~padded[:-2] & ~padded[2:]).sum())
        self._before = padded[-2:]

    def count(self) -> int:
        return self._found + int(self._before[1] & ~self._before[0])


class _Runs:
    """Readings in runs of equal ones that last at least `least` ms, if that is not 0.

    A run lasts from its first reading to a step after its last.
    """

    def __init__(self, least: float) -> None:
        self._least, self._found = least, 0
        self._open = (0, 0, 0.0, 0.0)
        """The last run: first instant, readings, where it ends so far, value."""

    def add(
        self, ts: NDArray[np.int64], value: NDArray[np.float64], step: NDArray[np.float64]
    ) -> None:
        if not self._least:
            return
        starts = np.flatnonzero(np.append(True, value[1:] != value[:-1]))
        ends = np.append(starts[1:], len(ts)) - 1
        begin, count, until = ts[starts], ends - starts + 1, ts[ends] + step[ends]
        first, readings, _, held = self._open
        if readings and value[0] == held:
            begin[0], count[0] = first, count[0] + readings
        else:
            self._found = self.frozen()
        lasting = (until - begin >= self._least) & (count > 1)
        self._found += int(count[:-1][lasting[:-1]].sum())
        self._open = (int(begin[-1]), int(count[-1]), float(until[-1]), float(value[-1]))

    def frozen(self) -> int:
        first, readings, until, _ = self._open
        return self._found + (readings if readings > 1 and until - first >= self._least else 0)
