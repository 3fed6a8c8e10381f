"""Exact MassSlide: ideal dry friction, so that the velocity is linear between events.

    sliding with sign s          m dv/dt = u - m g sin(theta) - s mu_c N          N = m g cos(theta)
    at rest                      v = 0 and friction balances the load u - m g sin(theta), while the
                                 load is at most mu_b N

The pulse u is A from k P on and 0 from (k + 0.1) P on. A block that comes to v = 0 sticks if static
friction can hold the load that it then has (|load| <= mu_b N, also where sliding friction could
not), and else goes on at once in the direction of the load, a REVERSE. It slips when the load
exceeds mu_b N: at a pulse edge or at a change. Load and friction that are exactly equal hold,
because breakaway is a force that has to be exceeded. At rest v is exactly 0, where `released`
creeps. A block that starts at rest has no STICK; if it cannot be held, SLIP stands at t = 0.
Friction on the row of a stick or slip is that of the state after it. Should mu_b be below mu_c,
mu_c holds the block: else it would stick and slip without end.
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
    mark,
    row_of,
)
from benchwright.suites.tracebench.systems.model import EventKind

DUTY = 0.1
_STICK, _SLIP, _REVERSE = int(EventKind.STICK), int(EventKind.SLIP), int(EventKind.REVERSE)
_PULSE_ON, _PULSE_OFF = int(EventKind.PULSE_ON), int(EventKind.PULSE_OFF)
_TIME, _VELOCITY, _SIGN, _EDGE = range(4)
"""State: seconds, m/s, direction of sliding (0 at rest), number of the next pulse edge."""


@kernel
def edge_time(edge: int, period: float) -> float:
    """When a pulse begins (edge 0, 2, 4, ...) or ends (1, 3, 5, ...)."""
    return (edge // 2 + (DUTY if edge % 2 else 0.0)) * period


@wide_kernel
def _line(velocities: Samples, frictions: Samples, line: tuple[float, float, float]) -> None:
    start, step, friction = line
    for i in range(len(velocities)):
        velocities[i] = start + i * step
        frictions[i] = friction


@kernel
def _move(
    samples: Samples, state: Floats, until: float, pull: float, friction: float, rate: int
) -> None:
    """Rows from the state's time to `until` with acceleration `pull`, and the state there."""
    time, v, sign = state[_TIME], state[_VELOCITY], state[_SIGN]
    row, end = row_of(time, rate), min(row_of(until, rate), samples.shape[1])
    if row < end:
        late = max((row + 1) / rate - time, 0.0)
        line = (v + pull * late, pull / rate, friction)
        _line(samples[0, row:end], samples[1, row:end], line)
        # Rounding must not turn the sign of the last row before a stop.
        if samples[0, end - 1] * sign < 0.0:
            samples[0, end - 1] = 0.0
    state[_TIME], state[_VELOCITY] = until, v + pull * (until - time)


@kernel
def _pass_edges(
    state: Floats, amplitude: float, period: float, log: tuple[Ints, Floats, int], rate: int
) -> int:
    """Step over the pulse edges of this moment; the number of events so far."""
    events, moments, count = log
    edge = int(state[_EDGE])
    while edge_time(edge, period) <= state[_TIME] + ON_TIME:
        if amplitude != 0.0:
            kind = _PULSE_OFF if edge % 2 else _PULSE_ON
            count = mark(events, moments, count, kind, edge_time(edge, period), rate)
        edge += 1
    state[_EDGE] = edge
    return count


@kernel
def _turn(state: Floats, load: float, limit: float) -> int:
    """What happens at v = 0 to a block with this load: the kind of event, or -1 for none."""
    sign = state[_SIGN]
    if state[_VELOCITY] != 0.0:
        return -1
    if abs(load) <= limit:
        state[_SIGN] = 0.0
        return -1 if sign == 0.0 else _STICK
    state[_SIGN] = math.copysign(1.0, load)
    if sign == 0.0:
        return _SLIP
    return _REVERSE if sign != state[_SIGN] else -1


@kernel
def _stretch(
    values: Floats,
    until: float,
    state: Floats,
    grid: Grid,
    samples: Samples,
    log: tuple[Ints, Floats, int],
) -> int:
    """From the state's time to `until` with fixed parameters; the number of events so far."""
    coulomb, breakaway, mass, amplitude, period = (
        values[0],
        values[1],
        values[4],
        values[5],
        values[6],
    )
    weight, angle = mass * values[2], math.radians(values[3])
    normal, down = weight * math.cos(angle), weight * math.sin(angle)
    limit = max(breakaway, coulomb) * normal
    events, moments, count = log
    rate = grid[0]
    for row in range(row_of(state[_TIME], rate), min(row_of(until, rate), samples.shape[1])):
        samples[2, row] = normal
    while state[_TIME] < until - ON_TIME:
        count = _pass_edges(state, amplitude, period, (events, moments, count), rate)
        edge = int(state[_EDGE])
        load = (amplitude if edge % 2 else 0.0) - down
        kind = _turn(state, load, limit)
        if kind >= 0:
            count = mark(events, moments, count, kind, state[_TIME], rate)
        stop = min(edge_time(edge, period), until)
        sign, v = state[_SIGN], state[_VELOCITY]
        if sign == 0.0:
            _move(samples, state, stop, 0.0, -load, rate)
            continue
        drag = sign * coulomb * normal
        pull = (load - drag) / mass
        halt = state[_TIME] - v / pull if v * pull < 0.0 else math.inf
        _move(samples, state, min(stop, halt), pull, -drag, rate)
        if halt <= stop + ON_TIME:
            state[_VELOCITY] = 0.0
    return count


@kernel
def _run(
    values: Floats, change: float, grid: Grid, samples: Samples, events: Ints, moments: Floats
) -> int:
    """One run into samples [3, row]; the number of its events."""
    v = values[0, 7]
    sign = 0.0 if v == 0.0 else math.copysign(1.0, v)
    state = np.array([0.0, v, sign, 1.0])
    end = close_of(grid)
    count = 0
    if change < end - ON_TIME:
        count = _stretch(values[0], change, state, grid, samples, (events, moments, count))
        count = mark(events, moments, count, CHANGE, change, grid[0])
        return _stretch(values[1], end, state, grid, samples, (events, moments, count))
    return _stretch(values[0], end, state, grid, samples, (events, moments, count))


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
