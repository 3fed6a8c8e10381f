"""Exact BallDrop: flights in closed form, rebounds and rest on the ground at height 0.

    impact at 0.5 m/s or more    v <- e |v|, instantly; impulse m (1 + e) |v|
    slower                       v = 0 for good; impulse m |v|, then the ground carries m g

An impact at exactly 0.5 m/s is a rebound: "at or above" is what the agent is told. A ball that
starts on the ground without going up meets it at t = 0. A resting ball stays for good, because its
weight always holds it down; a change shows in m g only. Its height is exactly 0, unlike `released`,
where it is what it was one step before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel
from benchwright.suites.tracebench.systems.exact.ball_flight import (
    FALL,
    RISE,
    advance,
    apex,
    fall_time,
    ground_speed,
)
from benchwright.suites.tracebench.systems.exact.ball_rows import (
    LONGEST,
    block_length,
    fill_piece,
    fill_table,
)
from benchwright.suites.tracebench.systems.exact.grid import (
    CHANGE,
    ON_TIME,
    Floats,
    Grid,
    Ints,
    Samples,
    close_of,
    lean,
    mark,
    row_of,
    strike,
)
from benchwright.suites.tracebench.systems.model import EventKind

CUTOFF = 0.5
"""Impact speed in m/s from which the ball rebounds."""
_IMPACT, _SETTLE = int(EventKind.IMPACT), int(EventKind.SETTLE)
_TIME, _HEIGHT, _VELOCITY, _RESTS = range(4)


@kernel
def _fly(
    samples: Samples,
    state: Floats,
    until: float,
    drag: tuple[float, float],
    tables: Floats,
    length: int,
    rate: int,
) -> None:
    """Rows from the state's time to `until` in the air, and the state there."""
    k, g = drag
    time, y, v = state[_TIME], state[_HEIGHT], state[_VELOCITY]
    row, end = row_of(time, rate), row_of(until, rate)
    sense, p = FALL, -v
    if v > 0.0:
        rise, top = apex(y, v, k, g)
        turn = min(row_of(time + rise, rate), end)
        piece = (y, v, RISE)
        late = (row + 1) / rate - time
        fill_piece(samples, (row, turn), late, piece, drag, tables[0], length)
        if time + rise >= until:
            sense, p = RISE, v
        else:
            time, row, y, p = time + rise, turn, top, 0.0
    if sense == FALL:
        late = (row + 1) / rate - time
        fill_piece(samples, (row, end), late, (y, p, FALL), drag, tables[1], length)
    if row < min(end, samples.shape[1]):
        # Rounding must not put the last row before an impact below the ground.
        last = min(end, samples.shape[1]) - 1
        samples[0, last] = max(samples[0, last], 0.0)
    y, p = advance(until - time, y, p, k, g, sense)
    state[_TIME], state[_HEIGHT], state[_VELOCITY] = until, max(y, 0.0), -sense * p


@kernel
def _landing(state: Floats, k: float, g: float) -> tuple[float, float]:
    """Time and speed of the next impact."""
    time, y, v = state[_TIME], state[_HEIGHT], state[_VELOCITY]
    p = max(-v, 0.0)
    if v > 0.0:
        rise, y = apex(y, v, k, g)
        time += rise
    return time + fall_time(y, p, k, g), ground_speed(y, p, k, g)


@kernel
def _stretch(
    values: Floats,
    until: float,
    state: Floats,
    held: Floats,
    grid: Grid,
    samples: Samples,
    log: tuple[Ints, Floats, int],
) -> int:
    """From the state's time to `until` with fixed parameters; the number of events so far."""
    restitution, mass, drag, g = values[0], values[1], values[2], values[3]
    events, moments, count = log
    rate, k = grid[0], drag / mass
    tables = np.empty((2, 3, LONGEST + 1))
    length = block_length(k, g, rate)
    if samples.shape[1] > 0 and state[_RESTS] == 0.0:
        fill_table(tables[0, :, : length + 1], RISE * g * k, rate)
        fill_table(tables[1, :, : length + 1], FALL * g * k, rate)
    while state[_RESTS] == 0.0:
        land, speed = _landing(state, k, g)
        if land >= until - ON_TIME:
            _fly(samples, state, until, (k, g), tables, length, rate)
            return count
        _fly(samples, state, land, (k, g), tables, length, rate)
        rebounds = speed >= CUTOFF
        state[_HEIGHT], state[_VELOCITY] = 0.0, restitution * speed if rebounds else 0.0
        state[_RESTS] = 0.0 if rebounds else 1.0
        count = mark(events, moments, count, _IMPACT if rebounds else _SETTLE, land, rate)
        strike(samples, held, row_of(land, rate), mass * (speed + state[_VELOCITY]) * rate)
    first, end = row_of(state[_TIME], rate), row_of(until, rate)
    for row in range(first, min(end, samples.shape[1])):
        samples[0, row] = 0.0
        samples[1, row] = 0.0
    lean(samples, held, first, end, mass * g)
    state[_TIME] = until
    return count


@kernel
def _run(
    values: Floats, change: float, grid: Grid, samples: Samples, events: Ints, moments: Floats
) -> int:
    """One run into samples [3, row]; the number of its events."""
    state = np.array([0.0, values[0, 4], values[0, 5], 0.0])
    held = np.array([-1.0, 0.0])
    samples[2, :] = 0.0
    end = close_of(grid)
    count = 0
    if change < end - ON_TIME:
        count = _stretch(values[0], change, state, held, grid, samples, (events, moments, count))
        count = mark(events, moments, count, CHANGE, change, grid[0])
        return _stretch(values[1], end, state, held, grid, samples, (events, moments, count))
    return _stretch(values[0], end, state, held, grid, samples, (events, moments, count))


@kernel
def exact(
    values: Floats,
    change: Floats,
    grid: Grid,
    samples: NDArray[np.float32] | NDArray[np.float64],
    events: NDArray[np.int32],
    moments: Floats,
) -> NDArray[np.int64]:
    """All runs, one after the other; shapes as in `model.Timed`."""
    counts = np.empty(len(values), np.int64)
    for run in range(len(values)):
        counts[run] = _run(values[run], change[run], grid, samples[run], events[run], moments[run])
    return counts
