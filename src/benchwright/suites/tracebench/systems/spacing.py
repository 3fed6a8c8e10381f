"""How far two configurations of a system are apart, in least steps of its parameters.

Takes numbers; gives which configurations are near an earlier one. The unit is the difference that
a step in a parameter must have at least (`Variable.min_abs` and `min_srd`): two configurations are
apart by `scale` if they differ in some parameter by that many least steps in both measures.
Variables without a least step, such as initial values, set nothing apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel
from benchwright.suites.tracebench.systems.model import System

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]


def least_steps(system: System, scale: float) -> Floats:
    """`scale` least steps [absolute and symmetric relative difference, variable]; infinite: none.

    No relative difference is above 2, so at most that is asked for.
    """
    found = np.full((2, len(system.variables)), np.inf)
    for place, variable in enumerate(system.variables):
        if variable.min_abs or variable.min_srd:
            found[:, place] = scale * variable.min_abs, min(scale * variable.min_srd, 2.0)
    return found


@kernel
def _near(one: Floats, other: Floats, least: Floats) -> bool:
    """Whether two configurations [variable] differ by less in every parameter."""
    for place in range(one.size):
        apart = abs(one[place] - other[place])
        size = abs(one[place]) + abs(other[place])
        if apart >= least[0, place] and 2.0 * apart >= least[1, place] * size:
            return False
    return True


@kernel
def near_earlier(values: Floats, earlier: Floats, least: Floats) -> Rows:
    """Which of `values` [family, variable] are near any of `earlier`."""
    found = np.zeros(len(values), np.bool_)
    for row in range(len(values)):
        for other in range(len(earlier)):
            if _near(values[row], earlier[other], least):
                found[row] = True
                break
    return found


@kernel
def near_before(values: Floats, least: Floats) -> Rows:
    """Which of `values` [family, variable] are near one that stands before them."""
    found = np.zeros(len(values), np.bool_)
    for row in range(len(values)):
        for other in range(row):
            if _near(values[row], values[other], least):
                found[row] = True
                break
    return found
