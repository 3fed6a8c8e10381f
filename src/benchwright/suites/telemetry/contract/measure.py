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
    if not len(ts):
        return Measures(0, 0.0, window.end - window.start, 0.0, 0, 0, 0, 0, 0, 0)
    step = step_at(ts, window, rules)
    gaps = np.diff(np.concatenate(([window.start], ts, [window.end])))
    steps = np.append(step, step[-1])
    down = (marks & DROPOUT) > 0
    outside = out_of_range(value, rules.kind) & ~down
    spikes = _isolated(outside)
    return Measures(
        count=len(ts),
        coverage=min(1.0, len(ts) / expected(window, ts, rules)),
        gap_ms=int(gaps.max()),
        gap_ratio=float((gaps / steps).max()),
        frozen=int(_frozen(ts, value, step, rules.kind.frozen_hours).sum()),
        dropout=int(down.sum()),
        sentinel=int(is_sentinel(value, rules.kind).sum()),
        range=int((outside & ~spikes).sum()),
        spike=int(spikes.sum()),
        adjusted=int(((marks & ADJUSTED) > 0).sum()),
    )


def expected(window: Window, ts: NDArray[np.int64], rules: Rules) -> float:
    """How many readings were due inside the window, as a real number above 0."""
    if not rules.steps:
        return (window.end - window.start) / _median_step(ts, rules)
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


def step_at(ts: NDArray[np.int64], window: Window, rules: Rules) -> NDArray[np.float64]:
    """The step in ms that holds at every reading."""
    if not rules.steps:
        return np.full(len(ts), _median_step(ts, rules))
    starts = np.array([s.start for s in rules.steps[1:]], dtype=np.int64)
    sizes = np.array([s.ms for s in rules.steps], dtype=np.float64)
    found: NDArray[np.float64] = sizes[np.searchsorted(starts, ts, side="right")]
    return found


def _median_step(ts: NDArray[np.int64], rules: Rules) -> float:
    if len(ts) >= 3:
        return float(np.median(np.diff(ts)))
    return rules.typical_ms or float(HOUR_MS)


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


def _isolated(outside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    padded = np.concatenate(([False], outside, [False]))
    alone: NDArray[np.bool_] = outside & ~padded[:-2] & ~padded[2:]
    return alone


def _frozen(
    ts: NDArray[np.int64], value: NDArray[np.float64], step: NDArray[np.float64], hours: float
) -> NDArray[np.bool_]:
    """Readings in runs of equal ones that last at least `hours`.

    A run lasts from its first reading to a step after its last.
    """
    if not hours:
        return np.zeros(len(ts), dtype=bool)
    starts = np.flatnonzero(np.append(True, value[1:] != value[:-1]))
    ends = np.append(starts[1:], len(ts)) - 1
    lasting = (ts[ends] - ts[starts]) + step[ends] >= hours * HOUR_MS
    return np.repeat(lasting & (ends > starts), ends - starts + 1)
