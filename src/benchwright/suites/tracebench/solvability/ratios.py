"""Both ratio tests, compiled, with the expected corruption in closed form (paper, appendix B).

A ratio is the RMS difference between target and probe over the RMS corruption expected on the
target, over the same window: from the change on against the unchanged run, the whole run against
the one with the new value from the start. An impulse channel counts rows at most 30 ms from an
impact in either run; with none of them its ratio is 0. The closed form is the mean over the window
of `noise.variance`, computed from sums, so that no array of a row's length is made:

    kappa^2 [ base^2 + event^2 n/N + hetero^2 sum x^2 / N + post^2 sum fading^2 / N
              + drift^2/2 + bias^2 ] + step^2/12

with every share but hetero multiplied by the scale of the channel, as `noise` says. Before the
change the n noisy rows are those of the unchanged run, or of the run itself, again as `noise` says.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.noise import DRIFT_MEAN_SQUARE
from benchwright.suites.tracebench.solvability.sums import LANES, gaps, squares
from benchwright.suites.tracebench.solvability.terms import Terms
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]
Events = NDArray[np.int32]
Rows = NDArray[np.int64]
Marks = NDArray[np.uint8]
Marked = NDArray[np.bool_]

LIMIT: Final = 2.0
"""Strict: a ratio of exactly 2 does not pass."""
GUARD: Final = 1e-12
"""Added to sigma, in scales of the channel (the paper's epsilon)."""
_QUANTISER: Final = 12.0
_SUMS: Final = 5
_DRIFT: Final = float(DRIFT_MEAN_SQUARE)


class Asked(NamedTuple):
    """What to compare, one entry per candidate; the numbers of runs are places in their arrays."""

    chosen: Rows
    """The target."""
    pairs: Rows
    """Its probe."""
    starts: Rows
    """First row of the window."""
    unchanged: Rows
    """The run whose events make rows before `changes` noisier."""
    changes: Rows
    """First row whose noise knows the events of the target itself."""


@kernel
def passes(found: Floats) -> bool:
    """Whether the ratios of a test [channel] tell target and probe apart: all known, one above 2.

    This is the one place that compares a ratio with its limit.
    """
    above = False
    for ratio in found:
        if math.isnan(ratio):
            return False
        above = above or ratio > LIMIT
    return above


@kernel
def all_passes(found: Floats) -> Marked:
    """`passes` of every candidate [candidate, channel]."""
    out = np.empty(found.shape[0], np.bool_)
    for place in range(found.shape[0]):
        out[place] = passes(found[place])
    return out


@kernel
def _mark(
    events: Events, kinds: NDArray[np.bool_], reach: Rows, start: int, end: int, marks: Marks
) -> int:
    """Mark the rows around such events, from `start` to before `end`; how many were not before."""
    fresh = 0
    for place in range(events.shape[0]):
        if kinds[events[place, 0]]:
            row = events[place, 1]
            for near in range(max(row - reach[0], start), min(row + reach[1] + 1, end)):
                fresh += marks[near] == 0
                marks[near] = 1
    return fresh


@kernel
def _covered(events: Events, kinds: NDArray[np.bool_], reach: Rows, start: int, end: int) -> int:
    """How many rows from `start` to before `end` lie around such events: `_mark` without marks."""
    covered, free = 0, start
    for place in range(events.shape[0]):
        if kinds[events[place, 0]]:
            row = events[place, 1]
            stop = min(row + reach[1] + 1, end)
            covered += max(stop - max(row - reach[0], free), 0)
            free = max(free, stop)
    return covered


@kernel
def _noisy_rows(
    channel: int,
    events: Events,
    earlier: tuple[Events, int],
    start: int,
    terms: Terms,
    marks: NDArray[np.uint8],
) -> int:
    """How many rows from `start` on have transition noise; an impulse channel's are marked.

    `earlier` are the events that count before a row, and that row.
    """
    before, change = earlier
    rows, own = marks.shape[1], max(start, change)
    windows, found = terms.kinds.shape[1], 0
    if windows == 1 and not terms.impulse[channel]:
        kinds, reach = terms.kinds[channel, 0], terms.reach[channel, 0]
        found = _covered(events, kinds, reach, own, rows)
        return found + _covered(before, kinds, reach, start, change)
    marks[0] = 0
    for place in range(windows):
        kinds, reach = terms.kinds[channel, place], terms.reach[channel, place]
        found += _mark(events, kinds, reach, own, rows, marks[0])
        found += _mark(before, kinds, reach, start, change, marks[0])
    return found


@kernel
def _near_impacts(
    x: Samples,
    y: Samples,
    events: Events,
    terms: Terms,
    start: int,
    marks: NDArray[np.uint8],
    sums: Floats,
) -> None:
    """Add to `sums`, over rows near impacts: rows, noisy rows, x^2 and (x - y)^2.

    `marks` are rows with transition noise and rows that were counted; the latter are set.
    """
    noisy, counted = marks[0], marks[1]
    last = x.shape[0] - 1
    for place in range(events.shape[0]):
        if terms.impacts[events[place, 0]]:
            row = events[place, 1]
            for near in range(max(row - terms.near, start), min(row + terms.near, last) + 1):
                if counted[near] == 0:
                    counted[near] = 1
                    value = np.float64(x[near])
                    gap = value - np.float64(y[near])
                    sums[0] += 1.0
                    sums[1] += noisy[near]
                    sums[2] += value * value
                    sums[3] += gap * gap


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
def _corruption(sizes: Floats, scale: float, kappa: float, sums: Floats) -> float:
    """Expected squared corruption; `sums` are rows, noisy rows, x^2, (x - y)^2 and fading."""
    base, hetero, drift, event, post, bias = sizes[:6]
    noisy, size, fading = sums[1] / sums[0], sums[2] / sums[0], sums[4] / sums[0]
    white = base * base + event * event * noisy + post * post * fading
    slow = _DRIFT * drift * drift + bias * bias
    step = max(sizes[6], sizes[7] * scale)
    spread = scale * scale * (white + slow) + hetero * hetero * size
    return float(kappa * kappa * spread + step * step / _QUANTISER)


@kernel
def _window(
    channel: int,
    target: tuple[Samples, Events],
    probe: tuple[Samples, Events],
    earlier: tuple[Events, int],
    start: int,
    terms: Terms,
    marks: NDArray[np.uint8],
    scratch: Floats,
) -> Floats:
    """Sums over the window of a channel: rows, noisy rows, x^2, (x - y)^2 and fading.

    `marks` [2, row] and `scratch` [2, LANES] are overwritten; the sums are a view of the latter.
    """
    x, y, events = target[0][channel], probe[0][channel], target[1]
    rows, sizes = x.shape[0], terms.sizes[channel]
    sums, total = scratch[0, :_SUMS], scratch[1]
    sums[:] = 0.0
    impulse = terms.impulse[channel]
    if sizes[3] > 0.0:
        sums[1] = _noisy_rows(channel, events, earlier, start, terms, marks)
    if impulse:
        marks[1] = 0
        sums[1] = 0.0
        _near_impacts(x, y, events, terms, start, marks, sums)
        _near_impacts(x, y, probe[1], terms, start, marks, sums)
    else:
        sums[0] = rows - start
        # Without a share of the magnitude nothing asks for the sum of x^2.
        sums[2] = squares(x, start, total) if sizes[1] > 0.0 else 0.0
        sums[3] = gaps(x, y, start, total)
    if sizes[4] > 0.0:
        sums[4] = _faded(events, terms.fading[channel], rows, start, sizes[8])
    return sums


@kernel
def sigmas(
    targets: tuple[Samples, Events, Rows], starts: Rows, scale: Floats, kappa: float, terms: Terms
) -> Floats:
    """RMS corruption expected on every channel of every run from row `starts` on [run, channel].

    `scale` is [run, channel]. Windows of an impulse channel lie around the impacts of the run
    itself; 0 where there is none. For rows from the change on: only its own events count.
    """
    series, events, counts = targets
    marks, scratch = np.zeros((2, series.shape[2]), np.uint8), np.empty((2, LANES))
    out = np.zeros(scale.shape)
    for run in range(scale.shape[0]):
        own = (series[run], events[run, : counts[run]])
        for channel in range(scale.shape[1]):
            earlier = own[1], starts[run]
            sums = _window(channel, own, own, earlier, starts[run], terms, marks, scratch)
            if sums[0] > 0.0:
                sizes = terms.sizes[channel]
                out[run, channel] = math.sqrt(_corruption(sizes, scale[run, channel], kappa, sums))
    return out


@kernel
def ratios(
    targets: tuple[Samples, Events, Rows],
    probes: tuple[Samples, Events, Rows],
    unchanged: tuple[Samples, Events, Rows],
    asked: Asked,
    scale: Floats,
    kappa: float,
    terms: Terms,
) -> Floats:
    """Ratios [asked, channel] of targets, each to its probe.

    Runs are (samples [run, channel, row], events [run, place, 2], number of events [run]), scales
    are [asked, channel].
    """
    series, events, counts = targets
    others, other_events, other_counts = probes
    marks, scratch = np.zeros((2, series.shape[2]), np.uint8), np.empty((2, LANES))
    out = np.zeros((asked.chosen.shape[0], series.shape[1]))
    for place in range(asked.chosen.shape[0]):
        run, pair, first = asked.chosen[place], asked.pairs[place], asked.unchanged[place]
        own = (series[run], events[run, : counts[run]])
        other = (others[pair], other_events[pair, : other_counts[pair]])
        earlier = unchanged[1][first, : unchanged[2][first]], asked.changes[place]
        for channel in range(series.shape[1]):
            start = asked.starts[place]
            sums = _window(channel, own, other, earlier, start, terms, marks, scratch)
            if sums[0] > 0.0:
                size = scale[place, channel]
                spread = _corruption(terms.sizes[channel], size, kappa, sums)
                apart = math.sqrt(sums[3] / sums[0])
                out[place, channel] = apart / (math.sqrt(spread) + GUARD * size)
    return out
