"""Exact BounceBall: arcs in closed form between instantaneous rebounds from walls at 0 and 15 m.

    impact on a wall             v <- -e v of that wall; impulse m (1 + e) |v|
    resting contact              v = 0 at the wall; impulse m |v|, then the wall carries m |a|

A contact is resting if it is slower than 1 mm/s and gravity pulls into the wall or not at all. The
limit exists because tilt and e < 1 otherwise mean infinitely many rebounds in finite time; it is
the one of `released`, and its rebound would be invisible (below a micrometre at a tilt of 4
degrees). A contact that gravity pulls away from is never resting: such a mass leaves anyway. The
resting mass leaves with v = 0 at the change that turns the tilt and at no other time; this is no
event of its own, because it happens at a change only. Gravity is 9.81 m/s^2; the third channel
holds the right wall alone.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel, wide_kernel
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
from benchwright.suites.tracebench.systems.exact.rail import (
    LEFT_WALL,
    RIGHT_WALL,
    forms,
    next_hit,
)
from benchwright.suites.tracebench.systems.model import EventKind

GRAVITY = 9.81
REST_SPEED = 1e-3
"""m/s; a slower contact is resting, unless gravity pulls away from the wall."""
_IMPACT, _SETTLE = int(EventKind.IMPACT_LEFT), int(EventKind.SETTLE_LEFT)
_LENGTH = 64
"""Rows of a block, which start from one state."""
_TIME, _POSITION, _VELOCITY, _SIDE = range(4)


@kernel
def _fill_table(table: Floats, k: float, rate: int) -> None:
    """E, S, D [3, i] at i / rate for every i."""
    for i in range(table.shape[1]):
        table[0, i], table[1, i], table[2, i] = forms(i / rate, k)


@wide_kernel
def _block(
    positions: Samples, velocities: Samples, table: Floats, x: float, v: float, a: float
) -> None:
    e, s, d = table[0], table[1], table[2]
    for i in range(len(positions)):
        positions[i] = x + v * s[i] - a * d[i]
        velocities[i] = v * e[i] - a * s[i]


@kernel
def _slide(
    samples: Samples,
    state: Floats,
    until: float,
    pull: tuple[float, float],
    table: Floats,
    rate: int,
) -> None:
    """Rows from the state's time to `until` between the walls, and the state there."""
    k, a = pull
    time, x, v = state[_TIME], state[_POSITION], state[_VELOCITY]
    row, end = row_of(time, rate), min(row_of(until, rate), samples.shape[1])
    e, s, d = forms(until - time, k)
    place, speed = x + v * s - a * d, v * e - a * s
    if row < end:
        e, s, d = forms(max((row + 1) / rate - time, 0.0), k)
        x, v = x + v * s - a * d, v * e - a * s
    while row < end:
        stop = min(row + _LENGTH, end)
        _block(samples[0, row:stop], samples[1, row:stop], table, x, v, a)
        e, s, d = table[0, _LENGTH], table[1, _LENGTH], table[2, _LENGTH]
        x, v = x + v * s - a * d, v * e - a * s
        row = stop
    if end > 0:
        samples[0, end - 1] = min(max(samples[0, end - 1], LEFT_WALL), RIGHT_WALL)
    state[_TIME], state[_VELOCITY] = until, speed
    state[_POSITION] = min(max(place, LEFT_WALL), RIGHT_WALL)


@kernel
def _rest(
    samples: Samples, held: Floats, state: Floats, until: float, force: float, rate: int
) -> None:
    """Rows at a wall; the right one carries `force`."""
    first, end = row_of(state[_TIME], rate), min(row_of(until, rate), samples.shape[1])
    for row in range(first, end):
        samples[0, row] = state[_POSITION]
        samples[1, row] = 0.0
    if state[_SIDE] > 0.0:
        lean(samples, held, first, end, force)
    state[_TIME] = until


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
    damping, angle, mass = values[2], values[3], values[4]
    events, moments, count = log
    rate, k, a = grid[0], damping / mass, GRAVITY * math.sin(math.radians(angle))
    table = np.empty((3, _LENGTH + 1))
    if samples.shape[1] > 0:
        _fill_table(table, k, rate)
    while state[_TIME] < until:
        if state[_SIDE] != 0.0 and state[_SIDE] * a <= 0.0:
            _rest(samples, held, state, until, mass * abs(a), rate)
            return count
        state[_SIDE] = 0.0
        motion = (state[_VELOCITY], k, a)
        wait, side = next_hit(state[_POSITION], motion, until - state[_TIME])
        hit = state[_TIME] + wait
        if hit >= until - ON_TIME:
            _slide(samples, state, until, (k, a), table, rate)
            return count
        _slide(samples, state, hit, (k, a), table, rate)
        speed = abs(state[_VELOCITY])
        rests = speed < REST_SPEED and side * a <= 0.0
        state[_SIDE] = side if rests else 0.0
        state[_POSITION] = RIGHT_WALL if side > 0.0 else LEFT_WALL
        after = 0.0 if rests else (values[1] if side > 0.0 else values[0]) * speed
        state[_VELOCITY] = -side * after
        kind = (_SETTLE if rests else _IMPACT) + (1 if side > 0.0 else 0)
        count = mark(events, moments, count, kind, hit, rate)
        if side > 0.0:
            strike(samples, held, row_of(hit, rate), mass * (speed + after) * rate)
    return count


@kernel
def _run(
    values: Floats, change: float, grid: Grid, samples: Samples, events: Ints, moments: Floats
) -> int:
    """One run into samples [3, row]; the number of its events."""
    state = np.array([0.0, values[0, 5], values[0, 6], 0.0])
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
