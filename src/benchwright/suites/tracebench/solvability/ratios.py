"""Both ratio tests, compiled, with the expected corruption in closed form (paper, appendix B).

A ratio is the RMS difference between target and probe over the RMS corruption expected on the
target, over the same window: from the change on against the unchanged run, the whole run against
the one with the new value from the start. An impulse channel counts rows at most 30 ms from an
impact in either run; with none of them its ratio is 0. The closed form is the mean over the window
of `noise.variance`, computed from sums, so that no array of a row's length is made:

    kappa^2 [ base^2 + event^2 n/N + hetero^2 sum x^2 / N + post^2 sum fading^2 / N
              + drift^2/2 + bias^2 ] + step^2/12

with every share but hetero multiplied by the scale of the channel, larger of range and RMS.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.noise import DRIFT_MEAN_SQUARE
from benchwright.suites.tracebench.solvability.terms import Terms
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]
Events = NDArray[np.int32]
Rows = NDArray[np.int64]
Marks = NDArray[np.uint8]

LIMIT: Final = 2.0
"""Strict: a ratio of exactly 2 does not pass."""
GUARD: Final = 1e-12
"""Added to sigma, in scales of the channel (the paper's epsilon)."""
LANES: Final = 64
"""Rows that are summed side by side."""
_QUANTISER: Final = 12.0
_DRIFT: Final = float(DRIFT_MEAN_SQUARE)


@kernel
def _extremes(x: Samples, low: Samples, high: Samples) -> None:
    for lane in range(x.shape[0]):
        low[lane] = x[lane] if x[lane] < low[lane] else low[lane]
        high[lane] = x[lane] if x[lane] > high[lane] else high[lane]


@kernel
def _squares(x: Samples, total: Floats) -> None:
    for lane in range(x.shape[0]):
        value = float(x[lane])
        total[lane] += value * value


@kernel
def _gaps(x: Samples, y: Samples, total: Floats, apart: Floats) -> None:
    for lane in range(x.shape[0]):
        value = float(x[lane])
        gap = value - float(y[lane])
        total[lane] += value * value
        apart[lane] += gap * gap


@kernel
def extent(x: Samples) -> tuple[float, float, float]:
    """Least, greatest and sum of squares of a channel.

    Sums run in LANES at a time, so that wide instructions need no licence to reorder them.
    """
    low, high, total = np.full(LANES, x[0]), np.full(LANES, x[0]), np.zeros(LANES)
    for first in range(0, x.shape[0], LANES):
        block = x[first : first + LANES]
        _extremes(block, low, high)
        _squares(block, total)
    return float(low.min()), float(high.max()), total.sum()


@kernel
def squares(x: Samples, y: Samples, start: int) -> tuple[float, float]:
    """Sums of x^2 and of (x - y)^2 from row `start` on."""
    total, apart = np.zeros(LANES), np.zeros(LANES)
    for first in range(start, x.shape[0], LANES):
        stop = first + LANES
        _gaps(x[first:stop], y[first:stop], total, apart)
    return total.sum(), apart.sum()


@kernel
def _mark(events: Events, kinds: NDArray[np.bool_], reach: Rows, start: int, marks: Marks) -> int:
    """Mark the rows around the events of these kinds; how many from `start` on were not before."""
    fresh = 0
    last = marks.shape[0] - 1
    for place in range(events.shape[0]):
        if kinds[events[place, 0]]:
            row = events[place, 1]
            for near in range(max(row - reach[0], 0), min(row + reach[1], last) + 1):
                fresh += near >= start and marks[near] == 0
                marks[near] = 1
    return fresh


@kernel
def _near_impacts(
    x: Samples, y: Samples, events: Events, terms: Terms, start: int, marks: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Over rows near impacts that are not marked yet: rows, noisy rows, x^2 and (x - y)^2.

    `marks` are rows with transition noise and rows that were counted; the latter are set.
    """
    noisy, counted = marks[0], marks[1]
    sums = np.zeros(4)
    last = x.shape[0] - 1
    for place in range(events.shape[0]):
        if terms.impacts[events[place, 0]]:
            row = events[place, 1]
            for near in range(max(row - terms.near, start), min(row + terms.near, last) + 1):
                if counted[near] == 0:
                    counted[near] = 1
                    gap = float(x[near]) - float(y[near])
                    sums[0] += 1.0
                    sums[1] += noisy[near]
                    sums[2] += float(x[near]) * float(x[near])
                    sums[3] += gap * gap
    return sums


@kernel
def _faded(events: Events, kinds: NDArray[np.bool_], rows: int, start: int, tau: float) -> float:
    """Sum over rows from `start` on of exp(-2 (row - last event)/tau), 0 before the first event."""
    total = 0.0
    ratio = math.exp(-2.0 / tau)
    end = rows
    for place in range(events.shape[0] - 1, -1, -1):
        if end <= start:
            break
        row = events[place, 1]
        if kinds[events[place, 0]] and row < end:
            first = max(row, start)
            share = math.exp(-2.0 * (first - row) / tau)
            total += share * (1.0 - ratio ** (end - first)) / (1.0 - ratio)
            end = row
    return total


@kernel
def _corruption(sizes: Floats, scale: float, kappa: float, shares: Floats) -> float:
    """Expected squared corruption; `shares` are means of transition rows, x^2 and fading."""
    base, hetero, drift, event, post, bias = sizes[:6]
    white = base * base + event * event * shares[0] + post * post * shares[2]
    slow = _DRIFT * drift * drift + bias * bias
    step = max(sizes[6], sizes[7] * scale)
    spread = scale * scale * (white + slow) + hetero * hetero * shares[1]
    return float(kappa * kappa * spread + step * step / _QUANTISER)


@kernel
def channel_scale(low: float, high: float, square: float, rows: int) -> float:
    """Larger of range and RMS, 1 for a channel of zeros."""
    scale = max(high - low, math.sqrt(square / rows))
    return scale if scale > 0.0 else 1.0


@kernel
def _window(
    channel: int,
    target: Samples,
    events: Events,
    probe: Samples,
    others: Events,
    start: int,
    terms: Terms,
    marks: NDArray[np.uint8],
) -> tuple[int, float, Floats]:
    """Rows of the window, sum of (x - y)^2, and means of transition rows, x^2 and fading."""
    rows = target.shape[1]
    marks[:] = 0
    near = 0.0
    for place in range(terms.kinds.shape[1]):
        reach = terms.reach[channel, place]
        near += _mark(events, terms.kinds[channel, place], reach, start, marks[0])
    if terms.impulse[channel]:
        x, y = target[channel], probe[channel]
        sums = _near_impacts(x, y, events, terms, start, marks)
        sums += _near_impacts(x, y, others, terms, start, marks)
        count, near, size, apart = int(sums[0]), sums[1], sums[2], sums[3]
    else:
        size, apart = squares(target[channel], probe[channel], start)
        count = rows - start
    fading = 0.0
    if terms.sizes[channel, 4] > 0.0:
        tau = terms.sizes[channel, 8]
        fading = _faded(events, terms.fading[channel], rows, start, tau)
    return count, apart, np.array([near, size, fading]) / max(count, 1)


@kernel
def scales(targets: Samples) -> Floats:
    """Scale of every channel of every run [run, channel]; not finite if a sample is not."""
    runs, channels, rows = targets.shape
    out = np.empty((runs, channels))
    for run in range(runs):
        for channel in range(channels):
            low, high, square = extent(targets[run, channel])
            scale = channel_scale(low, high, square, rows)
            out[run, channel] = scale if math.isfinite(square) else math.nan
    return out


@kernel
def sigma(
    channel: int, target: Samples, events: Events, start: int, kappa: float, terms: Terms
) -> float:
    """RMS corruption expected on a channel from row `start` on, of a run compared with itself."""
    marks = np.empty((2, target.shape[1]), np.uint8)
    low, high, square = extent(target[channel])
    scale = channel_scale(low, high, square, target.shape[1])
    _, _, means = _window(channel, target, events, target, events, start, terms, marks)
    return math.sqrt(_corruption(terms.sizes[channel], scale, kappa, means))


@kernel
def ratios(
    targets: tuple[Samples, Events, Rows],
    probes: tuple[Samples, Events, Rows],
    chosen: Rows,
    pairs: Rows,
    starts: Rows,
    scale: Floats,
    kappa: float,
    terms: Terms,
) -> Floats:
    """Ratios [chosen, channel] of the chosen targets, each to its probe `pairs[chosen]`.

    Runs are (samples [run, channel, row], events [run, place, 2], number of events [run]), scales
    are [run, channel], `starts` are the first rows of the windows [chosen].
    """
    series, events, counts = targets
    others, other_events, other_counts = probes
    channels, rows = series.shape[1:]
    marks = np.empty((2, rows), np.uint8)
    out = np.zeros((chosen.shape[0], channels))
    for place in range(chosen.shape[0]):
        run, pair = chosen[place], pairs[place]
        own = events[run, : counts[run]]
        other = other_events[pair, : other_counts[pair]]
        for channel in range(channels):
            count, apart, means = _window(
                channel, series[run], own, others[pair], other, starts[place], terms, marks
            )
            if count > 0:
                size = scale[run, channel]
                spread = _corruption(terms.sizes[channel], size, kappa, means)
                out[place, channel] = math.sqrt(apart / count) / (math.sqrt(spread) + GUARD * size)
    return out
