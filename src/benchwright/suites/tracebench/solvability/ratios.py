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
_QUANTISER: Final = 12.0
_DRIFT: Final = float(DRIFT_MEAN_SQUARE)


@kernel
def extent(x: Samples) -> tuple[float, float, float]:
    """Least, greatest and sum of squares of a channel."""
    low, high = x[0], x[0]
    a = b = c = d = 0.0
    whole = x.shape[0] - x.shape[0] % 4
    for row in range(0, whole, 4):
        p, q, r, s = x[row], x[row + 1], x[row + 2], x[row + 3]
        low = min(low, min(min(p, q), min(r, s)))
        high = max(high, max(max(p, q), max(r, s)))
        a += float(p) * float(p)
        b += float(q) * float(q)
        c += float(r) * float(r)
        d += float(s) * float(s)
    for row in range(whole, x.shape[0]):
        low, high = min(low, x[row]), max(high, x[row])
        a += float(x[row]) * float(x[row])
    return float(low), float(high), (a + b) + (c + d)


@kernel
def squares(x: Samples, y: Samples, start: int) -> tuple[float, float]:
    """Sums of x^2 and of (x - y)^2 from row `start` on."""
    a = b = c = d = 0.0
    e = f = g = h = 0.0
    whole = x.shape[0] - (x.shape[0] - start) % 4
    for row in range(start, whole, 4):
        p, q = float(x[row]), float(x[row + 1])
        r, s = float(x[row + 2]), float(x[row + 3])
        t, u = p - float(y[row]), q - float(y[row + 1])
        v, w = r - float(y[row + 2]), s - float(y[row + 3])
        a += p * p
        b += q * q
        c += r * r
        d += s * s
        e += t * t
        f += u * u
        g += v * v
        h += w * w
    for row in range(whole, x.shape[0]):
        p, t = float(x[row]), float(x[row]) - float(y[row])
        a += p * p
        e += t * t
    return (a + b) + (c + d), (e + f) + (g + h)


@kernel
def _mark(
    events: Events, kinds: NDArray[np.bool_], before: int, after: int, marks: Marks
) -> None:
    """Mark the rows around the events of these kinds."""
    for place in range(events.shape[0]):
        if kinds[events[place, 0]]:
            row = events[place, 1]
            marks[max(row - before, 0) : row + after + 1] = 1


@kernel
def _faded(
    events: Events, kinds: NDArray[np.bool_], rows: int, start: int, tau: float
) -> float:
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
def _marked(
    x: Samples, y: Samples, inside: Marks, noisy: Marks, start: int
) -> tuple[int, int, float, float]:
    """Over marked rows from `start` on: rows, rows with transition noise, x^2 and (x - y)^2."""
    rows = near = 0
    size = apart = 0.0
    for row in range(start, x.shape[0]):
        if inside[row]:
            rows += 1
            near += noisy[row]
            size += float(x[row]) * float(x[row])
            gap = float(x[row]) - float(y[row])
            apart += gap * gap
    return rows, near, size, apart


@kernel
def _corruption(sizes: Floats, scale: float, kappa: float, shares: Floats) -> float:
    """Expected squared corruption; `shares` are means of transition rows, x^2 and fading."""
    base, hetero, drift, event, post, bias = sizes[:6]
    white = base * base + event * event * shares[0] + post * post * shares[2]
    slow = _DRIFT * drift * drift + bias * bias
    step = max(sizes[6], sizes[7] * scale)
    spread = scale * scale * (white + slow) + hetero * hetero * shares[1]
    return kappa * kappa * spread + step * step / _QUANTISER


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
    noisy, inside = marks[0], marks[1]
    rows = target.shape[1]
    noisy[:] = 0
    for place in range(terms.kinds.shape[1]):
        before, after = terms.reach[channel, place, 0], terms.reach[channel, place, 1]
        _mark(events, terms.kinds[channel, place], before, after, noisy)
    if terms.impulse[channel]:
        inside[:] = 0
        _mark(events, terms.impacts, terms.near, terms.near, inside)
        _mark(others, terms.impacts, terms.near, terms.near, inside)
        count, near, size, apart = _marked(target[channel], probe[channel], inside, noisy, start)
    else:
        size, apart = squares(target[channel], probe[channel], start)
        count, near = rows - start, int(noisy[start:].sum())
    fading = 0.0
    if terms.sizes[channel, 4] > 0.0:
        tau = terms.sizes[channel, 8]
        fading = _faded(events, terms.fading[channel], rows, start, tau)
    return count, apart, np.array([float(near), size, fading]) / max(count, 1)


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
