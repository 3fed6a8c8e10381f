"""The rules of BounceBall (paper, Table 9).

Impacts are counted as reversals of the velocity that come in faster than 0.1 m/s. Between the walls
the tilt turns the mass far more slowly, so only rows with an impact can be one. Where a velocity is
not finite, rows with a force on the right wall are counted instead.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import EventKind
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Events = NDArray[np.int32]
Rows = NDArray[np.int64]
Switches = NDArray[np.bool_]

MOST_HITS: Final = 19
LEAST_IN: Final = 0.1
LEAST_FORCE: Final = 500.0
ANY_FORCE: Final = 1e-9
_LEFT, _RIGHT = int(EventKind.IMPACT_LEFT), int(EventKind.IMPACT_RIGHT)
_RIGHT_REST: Final = int(EventKind.SETTLE_RIGHT)
_DAMPING: Final = 2
_MASS: Final = 4

_KEPT = int(Reason.KEPT)
_MANY = int(Reason.TOO_MANY_WALL_HITS)
_SIDES = int(Reason.NO_WALL_HIT_ON_BOTH_SIDES)
_WEAK = int(Reason.NO_STRONG_HIT_ON_BOTH_SIDES)


@kernel
def wall_hits(run: Samples, events: Events, count: int) -> Rows:
    """Rows of the impacts that count, in order; by force where the velocity is not finite."""
    rows = np.empty(count, np.int64)
    kept = 0
    for place in range(count):
        kind, row = events[place, 0], events[place, 1]
        if (kind != _LEFT and kind != _RIGHT) or row < 1:
            continue
        before, after = run[1, row - 1], run[1, row]
        if not (math.isfinite(before) and math.isfinite(after)):
            return np.flatnonzero(np.abs(run[2]) > ANY_FORCE)
        if before * after < 0.0 and abs(before) > LEAST_IN and (kept == 0 or rows[kept - 1] != row):
            rows[kept] = row
            kept += 1
    return rows[:kept]


@kernel
def _strong_on_both_sides(run: Samples, events: Events, count: int, change: int) -> bool:
    """Whether the right wall bears more than 500 N in a row before the change and in one after."""
    before = after = False
    for place in range(count):
        kind, row = events[place, 0], events[place, 1]
        if kind in (_RIGHT, _RIGHT_REST) and run[2, row] > LEAST_FORCE:
            before = before or row < change
            after = after or row >= change
    return before and after


@kernel
def rules(
    target: Samples,
    events: Events,
    count: int,
    hits: Rows,
    others: Rows,
    parameter: int,
    change: int,
    on: Switches,
) -> int:
    """Code of the first rule that rejects; `change` is the first row with the new value."""
    if on[_MANY] and max(hits.size, others.size) > MOST_HITS:
        return _MANY
    if parameter != _MASS and parameter != _DAMPING:
        return _KEPT
    if on[_SIDES] and not (hits.size > 0 and hits[0] < change and hits[-1] >= change):
        return _SIDES
    if on[_WEAK] and not _strong_on_both_sides(target, events, count, change):
        return _WEAK
    return _KEPT
