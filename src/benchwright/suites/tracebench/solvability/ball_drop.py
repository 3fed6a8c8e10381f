"""The rules of BallDrop (paper, Table 4; internals of facts, tracebench 5.5).

A qualifying rebound is a row with contact signal above 1, coming in faster than 0.5 m/s and leaving
faster than 0.1 m/s, at least 0.03 s after the last one that counted. Only a row with an impact can
be one, so the rows of the events are looked at and no others.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.solvability.falls import falls_terminally, warping_distance
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import EventKind
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Events = NDArray[np.int32]
Rows = NDArray[np.int64]
Switches = NDArray[np.bool_]

MOST_REBOUNDS: Final = 24
LEAST_SIGNAL: Final = 1.0
LEAST_IN: Final = 0.5
LEAST_OUT: Final = 0.1
MERGE_S: Final = 0.03
LEAST_APEX: Final = 0.1
LEAST_WARPING: Final = 0.1
WARPING_S: Final = 0.2
_SLACK: Final = 1e-12
_ON_GRID: Final = 1e-9
_IMPACT: Final = int(EventKind.IMPACT)
_DRAG: Final = 2
_GRAVITY: Final = 3

_KEPT = int(Reason.KEPT)
_MANY = int(Reason.TOO_MANY_REBOUNDS)
_NO_DIVERGENCE = int(Reason.NO_DIVERGENCE)
_NO_APEX = int(Reason.NO_APEX)
_LOW = int(Reason.LOW_APEX)
_SIDES = int(Reason.NO_REBOUND_ON_BOTH_SIDES)
_HIDDEN = int(Reason.HIDDEN_DRAG)


@kernel
def rebounds(run: Samples, events: Events, count: int, dt: float) -> Rows:
    """Rows of the qualifying rebounds of one run [channel, row]."""
    rows = np.empty(count, np.int64)
    kept = 0
    for place in range(count):
        row = events[place, 1]
        if events[place, 0] != _IMPACT or row < 1 or run[2, row] <= LEAST_SIGNAL:
            continue
        if run[1, row - 1] >= -LEAST_IN or run[1, row] <= LEAST_OUT:
            continue
        if kept == 0 or (row - rows[kept - 1]) * dt >= MERGE_S - _ON_GRID:
            rows[kept] = row
            kept += 1
    return rows[:kept]


@kernel
def apex(run: Samples, start: int) -> float:
    """Height of the first turning point after row `start`; -1 if the ball never turns."""
    height, velocity = run[0], run[1]
    for row in range(start + 1, height.shape[0]):
        if velocity[row - 1] > 0.0 and velocity[row] <= 0.0:
            return float(max(height[row - 1], height[row]))
    for row in range(start + 1, height.shape[0] - 1):
        if height[row - 1] < height[row] and height[row] >= height[row + 1]:
            return float(height[row])
    return -1.0


@kernel
def _both_sides(rows: Rows, row: int) -> bool:
    return rows.size > 0 and rows[0] < row and rows[-1] > row


@kernel
def _seen_drag(
    target: Samples, other: Samples, hits: Rows, others: Rows, row: int, dt: float
) -> bool:
    """The rule for drag: a rebound afterwards, and an apart fall or a terminal one."""
    later = (hits.size > 0 and hits[-1] > row) or (others.size > 0 and others[-1] > row)
    if not later:
        return False
    stop = row + round(WARPING_S / dt) + 1
    if warping_distance(target[1, row:stop], other[1, row:stop]) > LEAST_WARPING + _SLACK:
        return True
    first = hits[0] if hits.size > 0 else -1
    if falls_terminally(target[0], target[1], first, dt):
        return True
    return falls_terminally(other[0], other[1], others[0] if others.size > 0 else -1, dt)


@kernel
def rules(
    target: Samples,
    other: Samples,
    hits: Rows,
    others: Rows,
    parameter: int,
    row: int,
    dt: float,
    on: Switches,
) -> int:
    """Code of the first rule that rejects; `row` is the first divergence, -1 for none."""
    if on[_MANY] and max(hits.size, others.size) > MOST_REBOUNDS:
        return _MANY
    sided = on[_SIDES] and parameter != _GRAVITY
    hidden = on[_HIDDEN] and parameter == _DRAG
    if row < 0:
        return _NO_DIVERGENCE if on[_LOW] or sided or hidden else _KEPT
    if on[_LOW]:
        highest = max(apex(target, row), apex(other, row))
        if highest <= LEAST_APEX:
            return _LOW if highest >= 0.0 else _NO_APEX
    if sided and not (_both_sides(hits, row) or _both_sides(others, row)):
        return _SIDES
    if hidden and not _seen_drag(target, other, hits, others, row, dt):
        return _HIDDEN
    return _KEPT
