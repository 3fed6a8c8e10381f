"""The rules of MassSlide (paper, Table 14), and one of our own.

Raising the breakaway coefficient until the block never moves again looks the same as raising the
Coulomb coefficient, and passes both ratio tests (facts, performance f). So both frictions need five
moving rows after the change; the rule has a name of its own and can be switched off.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.solvability.divergence import first_apart
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Switches = NDArray[np.bool_]

LEAST_ROWS: Final = 5
MOVING: Final = 0.01
"""m/s, the breakaway velocity."""
APART: Final = np.array([0.2, 0.001, 5.0])
"""Strictly above 0.2 with eps 0.001 for five rows."""
_COULOMB, _BREAKAWAY, _GRAVITY = 0, 1, 2

_KEPT = int(Reason.KEPT)
_STUCK = int(Reason.NEVER_SLIDES_AGAIN)
_STILL = int(Reason.NO_MOTION_ON_BOTH_SIDES)
_ALIKE = int(Reason.NO_BREAKAWAY_DIFFERENCE)


@kernel
def moving_rows(velocity: Samples, least: float) -> int:
    """How many rows are finite and faster than `least`, counted up to five."""
    count = 0
    for value in velocity:
        if math.isfinite(value) and abs(value) > least:
            count += 1
            if count == LEAST_ROWS:
                break
    return count


@kernel
def _on_both_sides(velocity: Samples, change: int) -> bool:
    before = moving_rows(velocity[:change], 0.0) == LEAST_ROWS
    return before and moving_rows(velocity[change:], 0.0) == LEAST_ROWS


@kernel
def _apart(target: Samples, other: Samples) -> bool:
    rows = target.shape[1]
    for channel in range(target.shape[0]):
        if first_apart(target[channel], other[channel], APART, 0, rows, True) >= 0:
            return True
    return False


@kernel
def rules(target: Samples, other: Samples, parameter: int, change: int, on: Switches) -> int:
    """Code of the first rule that rejects; `change` is the first row with the new value."""
    if parameter in (_COULOMB, _BREAKAWAY):
        if on[_STUCK] and moving_rows(target[0, change:], MOVING) < LEAST_ROWS:
            return _STUCK
        if on[_ALIKE] and parameter == _BREAKAWAY and not _apart(target, other):
            return _ALIKE
    moving = _on_both_sides(target[0], change) or _on_both_sides(other[0], change)
    if on[_STILL] and parameter == _GRAVITY and not moving:
        return _STILL
    return _KEPT
