"""Measures of a stream inside a half-open window: coverage, gaps, frozen runs, range."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from operator import sub

from benchwright.suites.telemetry.audit.stream import (
    ADJUSTED,
    DROPOUT,
    Regimes,
    Stream,
    median,
    runs,
)


@dataclass(frozen=True, slots=True)
class Measures:
    """Counts of readings, shares of 1, times in ms."""

    count: int
    coverage: float
    gap_ms: int
    gap_ratio: float
    frozen: int
    dropout: int
    sentinel: int
    out_of_range: int
    spikes: int
    adjusted: int


def coverage(stream: Stream, start: int, end: int, span: tuple[int, int] | None = None) -> float:
    """Readings over expected ones, at most 1; expected by regimes, else by the median inside."""
    low, high = span or stream.span(start, end)
    return min(1.0, (high - low) / _expected(stream, start, end, low, high))


def _expected(stream: Stream, start: int, end: int, low: int, high: int) -> float:
    if stream.regimes:
        return expected_by(stream.regimes, start, end)
    return (end - start) / inner_step(stream, low, high)


def expected_by(regimes: Regimes, start: int, end: int) -> float:
    """Readings that the declared steps lead to expect in a window."""
    total = Fraction(0)
    for index, (begin, step) in enumerate(regimes):
        until = regimes[index + 1][0] if index + 1 < len(regimes) else None
        first = max(start, begin) if begin is not None and index else start
        last = min(end, until) if until is not None else end
        if last > first:
            total += Fraction(last - first, step)
    return float(total)


def inner_step(stream: Stream, low: int, high: int) -> float:
    """Median interval inside a range; of the whole stream if it has fewer than three readings."""
    if high - low < 3:
        return stream.step_ms
    return median(sorted(stream.gaps[low : high - 1]))


def measures(stream: Stream, start: int, end: int) -> Measures:
    """Everything that the quality of a window is judged by."""
    low, high = stream.span(start, end)
    gap, ratio = _gap(stream, start, end, low, high)
    beyond, spikes = _beyond(stream, low, high)
    marks = stream.marks[low:high]
    odd = [m for m in marks if m] if any(marks) else []
    return Measures(
        count=high - low,
        coverage=coverage(stream, start, end, (low, high)),
        gap_ms=gap,
        gap_ratio=ratio,
        frozen=_frozen(stream, low, high),
        dropout=sum(1 for m in odd if m & DROPOUT),
        sentinel=_sentinels(stream, low, high),
        out_of_range=beyond,
        spikes=spikes,
        adjusted=sum(1 for m in odd if m & ADJUSTED),
    )


def _sentinels(stream: Stream, low: int, high: int) -> int:
    wanted = stream.rules.sentinels
    return sum(map(stream.values[low:high].count, wanted)) if wanted else 0


def _gap(stream: Stream, start: int, end: int, low: int, high: int) -> tuple[int, float]:
    """The largest gap, edges included, over the step that holds where it ends.

    Of equally large gaps the one with the greater ratio counts; the last ends inside the window.
    """
    edges = [start, *stream.times[low:high], end]
    gaps = list(map(sub, edges[1:], edges))
    largest = max(gaps)
    if low == high:
        return largest, 0.0
    if len(stream.regimes) > 1:
        steps = (
            stream.step_at(min(at, end - 1))
            for at, gap in zip(edges[1:], gaps, strict=True)
            if gap == largest
        )
        return largest, largest / min(steps)
    if stream.regimes:
        return largest, largest / stream.regimes[0][1]
    return largest, largest / inner_step(stream, low, high)


def _frozen(stream: Stream, low: int, high: int) -> int:
    """Readings in runs of equal values that last long enough, to a step after the last one."""
    limit = stream.rules.frozen_ms
    if not limit or low == high:
        return 0
    inner = inner_step(stream, low, high) if not stream.regimes else None
    total = 0
    for first, last in runs(stream.values[low:high]):
        begin, until = stream.times[low + first], stream.times[low + last - 1]
        step = stream.step_at(until) if inner is None else inner
        if until - begin + step >= limit:
            total += last - first
    return total


def _beyond(stream: Stream, low: int, high: int) -> tuple[int, int]:
    """Readings out of range that are no drop-out and no sentinel: others, and spikes."""
    at = bisect_left(stream.out, low)
    inside = stream.out[at : bisect_left(stream.out, high)]
    counted = [i for i in inside if not (stream.marks[i] & DROPOUT or stream.is_sentinel(i))]
    spikes = sum(1 for i in counted if _is_spike(stream, i))
    return len(counted) - spikes, spikes


def _is_spike(stream: Stream, index: int) -> bool:
    """Alone: both neighbours in the stream are in range."""
    if not 0 < index < len(stream) - 1:
        return False
    return not any(_is_out(stream, other) for other in (index - 1, index + 1))


def _is_out(stream: Stream, index: int) -> bool:
    at = bisect_left(stream.out, index)
    return at < len(stream.out) and stream.out[at] == index
