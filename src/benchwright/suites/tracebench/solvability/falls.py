"""Two compiled tests of a ball's fall: how far apart two falls are, and whether one is terminal.

Internals as in the older published code (facts, tracebench 5.5). Takes series of one run; knows no
rule. Both traces are on one grid, so no interpolation is needed for the warping distance.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]

LEAST_SPEED: Final = 0.25
LEAST_HEIGHT: Final = 0.1
GROUND_SHARE: Final = 0.01
CALM_SHARE: Final = 0.05
CALM_PERCENTILE: Final = 90.0
LEAST: Final = 1e-3
CALM_S: Final = 0.05
CALM_ROWS: Final = 8


@kernel
def warping_distance(a: Samples, b: Samples) -> float:
    """Cost per step of the cheapest warping path of two equally long series; short paths win ties.

    The cost of a cell is the absolute difference; the unit is that of the series.
    """
    size = a.shape[0]
    cost = np.full(size + 1, np.inf)
    length = np.zeros(size + 1, np.int64)
    cost[0] = 0.0
    for i in range(size):
        corner, corner_length = cost[0], length[0]
        cost[0] = np.inf
        for j in range(1, size + 1):
            best, steps = corner, corner_length
            corner, corner_length = cost[j], length[j]
            if corner < best or (corner == best and corner_length < steps):
                best, steps = corner, corner_length
            if cost[j - 1] < best or (cost[j - 1] == best and length[j - 1] < steps):
                best, steps = cost[j - 1], length[j - 1]
            cost[j] = best + abs(np.float64(a[i]) - np.float64(b[j - 1]))
            length[j] = steps + 1
    return float(cost[size] / length[size])


@kernel
def _calm_below(height: Samples, velocity: Samples, ground: float, dt: float) -> float:
    """Acceleration up to which a fall counts as terminal; 0 if the ball never falls freely."""
    sizes = np.empty(height.shape[0])
    count = 0
    for row in range(1, height.shape[0] - 1):
        if height[row] > ground and velocity[row] < 0.0:
            sizes[count] = abs(velocity[row + 1] - velocity[row - 1]) / (2.0 * dt)
            count += 1
    if count == 0:
        return 0.0
    return max(LEAST, CALM_SHARE * float(np.percentile(sizes[:count], CALM_PERCENTILE)))


@kernel
def falls_terminally(height: Samples, velocity: Samples, rebound: int, dt: float) -> bool:
    """Whether a near-terminal fall starts after row `rebound`, or ends above 0.1 m before the end.

    `rebound` is the row of the first qualifying rebound, -1 for none.
    """
    rows = height.shape[0]
    ground = max(LEAST, GROUND_SHARE * (np.float64(height.max()) - np.float64(height.min())))
    calm = _calm_below(height, velocity, ground, dt)
    wanted = max(CALM_ROWS, math.ceil(CALM_S / dt - 1e-9))
    start = -1
    for row in range(1, rows):
        falling = row < rows - 1 and height[row] > ground and velocity[row] <= -LEAST_SPEED
        if falling:
            falling = abs(velocity[row + 1] - velocity[row - 1]) / (2.0 * dt) <= calm
        if falling and start < 0:
            start = row
        if not falling and start >= 0:
            long = row - start >= wanted
            if long and (0 <= rebound < start or (row < rows - 1 and height[row] > LEAST_HEIGHT)):
                return True
            start = -1
    return False
