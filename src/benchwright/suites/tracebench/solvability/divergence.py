"""The first detected divergence of a run from its unchanged one (facts, tracebench 5.3).

Per channel it is the first of n consecutive rows, from the change on, whose symmetric relative
difference 2|a-b|/(|a|+|b|+eps) is at least a threshold; of a run it is the earliest of its
channels. The published values for an impulse channel are 0.3 with eps 1; for continuous channels
eps is 0.001, and we take 0.2 over five rows, which the paper states for MassSlide.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems import System
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

CONTINUOUS: Final = (0.2, 0.001, 5)
IMPULSE: Final = (0.3, 1.0, 1)


def measures(system: System) -> Floats:
    """Threshold, eps and number of rows of every channel [channel, 3]."""
    chosen = [IMPULSE if c.kind == "impulse" else CONTINUOUS for c in system.channels]
    return np.array(chosen, np.float64)


@kernel
def first_apart(
    a: Samples, b: Samples, measure: Floats, start: int, stop: int, strict: bool
) -> int:
    """First row of a stretch that begins in [start, stop) and is apart long enough; -1 for none.

    A stretch must end within the series; `strict` excludes the threshold itself.
    """
    threshold, eps, wanted = measure[0], measure[1], int(measure[2])
    length = 0
    for row in range(start, a.shape[0]):
        x, y = np.float64(a[row]), np.float64(b[row])
        gap = 2.0 * abs(x - y)
        bound = threshold * (abs(x) + abs(y) + eps)
        if gap > bound or (gap == bound and not strict):
            length += 1
            if length == wanted:
                return row - wanted + 1
        else:
            length = 0
            if row + 1 >= stop:
                return -1
    return -1


@kernel
def first_divergence(target: Samples, other: Samples, measures: Floats, change: int) -> int:
    """Row at which any channel diverges first [channel, row]; -1 if none does."""
    found = -1
    stop = target.shape[1]
    for channel in range(target.shape[0]):
        row = first_apart(target[channel], other[channel], measures[channel], change, stop, False)
        if row >= 0:
            found = row
            stop = row
    return found


@kernel
def first_divergences(
    targets: Samples, others: Samples, chosen: Rows, pairs: Rows, measures: Floats, changes: Rows
) -> Rows:
    """`first_divergence` of the chosen runs, each against `others[pairs[run]]` [chosen]."""
    out = np.empty(chosen.shape[0], np.int64)
    for place in range(chosen.shape[0]):
        run = chosen[place]
        other = others[pairs[run]]
        out[place] = first_divergence(targets[run], other, measures, changes[run])
    return out
