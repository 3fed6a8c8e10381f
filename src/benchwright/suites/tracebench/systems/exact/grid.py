"""Rows, moments and the contact channel: what the kernels of the three systems share.

A grid is the pair (rate in rows per second, number of rows); row i stands at (i + 1) / rate.
Samples are float32 or float64 [channel, row]; with no row at all only events are computed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel
from benchwright.suites.tracebench.systems.model import EventKind

Floats = NDArray[np.float64]
Samples = NDArray[np.float32] | NDArray[np.float64]
Ints = NDArray[np.int32]
Grid = tuple[int, int]

ON_TIME = 1e-12
"""Seconds; moments that are closer are the same moment."""
CHANGE = int(EventKind.CHANGE)


@kernel
def row_of(time: float, rate: int) -> int:
    """The first row whose time is not before `time`."""
    return max(math.ceil((time - ON_TIME) * rate) - 1, 0)


@kernel
def close_of(grid: Grid) -> float:
    """When a run ends: just after its last row, so that an event at that row still counts."""
    return grid[1] / grid[0] + 2.0 * ON_TIME


@kernel
def mark(events: Ints, moments: Floats, count: int, kind: int, time: float, rate: int) -> int:
    """Write event number `count` if there is room; the count grows all the same."""
    if count < events.shape[0]:
        events[count, 0] = kind
        events[count, 1] = row_of(time, rate)
        moments[count] = time
    return count + 1


@kernel
def strike(samples: Samples, held: Floats, row: int, force: float) -> None:
    """Add an impulse over the interval to its row; `held` is the last such row and its sum."""
    if held[0] != row:
        held[0] = row
        held[1] = 0.0
    held[1] += force
    if row < samples.shape[1]:
        samples[2, row] = held[1]


@kernel
def lean(samples: Samples, held: Floats, first: int, end: int, force: float) -> None:
    """Rows first to end - 1 carry `force`, on top of the impulse of a contact in the first one."""
    end = min(end, samples.shape[1])
    for row in range(first, end):
        samples[2, row] = force
    if first < end and held[0] == first:
        samples[2, first] = force + held[1]
