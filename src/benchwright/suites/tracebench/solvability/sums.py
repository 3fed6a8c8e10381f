"""Sums and extremes over the rows of a channel, compiled to wide instructions.

A sum runs in LANES sums side by side, which are added in the end: that is one fixed order, so no
licence to reorder is needed and the result is the same whatever the width of the processor. Samples
are float32, sums float64. Knows no window and no noise.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

LANES: Final = 32
"""Of float64 sums."""
WIDE: Final = 128
"""Of float32 extremes."""
_NOTHING = np.float32(0.0)


@kernel
def _added(total: Floats) -> float:
    """Sum of LANES numbers, halves onto halves: short chains instead of one long one."""
    half = LANES // 2
    while half > 0:
        for lane in range(half):
            total[lane] += total[half + lane]
        half //= 2
    return float(total[0])


@kernel
def squares(x: Samples, start: int, total: Floats) -> float:
    """Sum of x^2 from row `start` on; `total` [LANES] is scratch."""
    # Rows are counted from 0: the compiler cannot know that `start` is no index from the end.
    x = x[start:]
    total[:] = 0.0
    blocks = x.shape[0] // LANES
    for block in range(blocks):
        for lane in range(LANES):
            value = np.float64(x[block * LANES + lane])
            total[lane] += value * value
    rest = 0.0
    for row in range(blocks * LANES, x.shape[0]):
        value = np.float64(x[row])
        rest += value * value
    return _added(total) + rest


@kernel
def gaps(x: Samples, y: Samples, start: int, total: Floats) -> float:
    """Sum of (x - y)^2 from row `start` on; `total` [LANES] is scratch."""
    x, y = x[start:], y[start:]
    total[:] = 0.0
    blocks = x.shape[0] // LANES
    for block in range(blocks):
        for lane in range(LANES):
            row = block * LANES + lane
            gap = np.float64(x[row]) - np.float64(y[row])
            total[lane] += gap * gap
    rest = 0.0
    for row in range(blocks * LANES, x.shape[0]):
        gap = np.float64(x[row]) - np.float64(y[row])
        rest += gap * gap
    return _added(total) + rest


@kernel
def _extremes(x: Samples, low: Samples, high: Samples) -> None:
    """Least and greatest by lane; rows that fill no block go to the first lanes."""
    low[:] = x[0]
    high[:] = x[0]
    blocks = x.shape[0] // WIDE
    for block in range(blocks):
        for lane in range(WIDE):
            value = x[block * WIDE + lane]
            low[lane] = value if value < low[lane] else low[lane]
            high[lane] = value if value > high[lane] else high[lane]
    rest = x[blocks * WIDE :]
    for lane in range(rest.shape[0]):
        low[lane], high[lane] = min(low[lane], rest[lane]), max(high[lane], rest[lane])


@kernel
def _joined(low: Samples, high: Samples) -> None:
    """The extremes of all lanes into the first one."""
    half = WIDE // 2
    while half > 0:
        for lane in range(half):
            low[lane] = min(low[lane], low[half + lane])
            high[lane] = max(high[lane], high[half + lane])
        half //= 2


@kernel
def _finite(x: Samples, odd: Samples) -> bool:
    """Whether every sample is a finite number; `odd` [WIDE] is scratch."""
    odd[:] = 0.0
    blocks = x.shape[0] // WIDE
    for block in range(blocks):
        for lane in range(WIDE):
            odd[lane] += x[block * WIDE + lane] * _NOTHING
    rest = x[blocks * WIDE :]
    for lane in range(rest.shape[0]):
        odd[lane] += rest[lane] * _NOTHING
    half = WIDE // 2
    while half > 0:
        for lane in range(half):
            odd[lane] += odd[half + lane]
        half //= 2
    return bool(odd[0] == 0.0)


@kernel
def scale_of(x: Samples, lanes: Samples, total: Floats) -> float:
    """Larger of range and RMS, 1 for a channel of zeros, NaN if a sample is not finite.

    `lanes` [2, WIDE] and `total` [LANES] are scratch.
    """
    if not _finite(x, lanes[0]):
        return math.nan
    _extremes(x, lanes[0], lanes[1])
    _joined(lanes[0], lanes[1])
    low, high = np.float64(lanes[0, 0]), np.float64(lanes[1, 0])
    scale = high - low
    # Between numbers of both signs RMS cannot exceed the range, so its sum is not needed.
    if low > 0.0 or high < 0.0:
        scale = max(scale, np.sqrt(squares(x, 0, total) / x.shape[0]))
    return float(scale) if scale > 0.0 else 1.0


@kernel
def scales(targets: Samples, chosen: Rows) -> Floats:
    """`scale_of` every channel of the chosen runs [chosen, channel]."""
    channels = targets.shape[1]
    lanes, total = np.empty((2, WIDE), np.float32), np.empty(LANES)
    out = np.empty((chosen.shape[0], channels))
    for place in range(chosen.shape[0]):
        run = targets[chosen[place]]
        for channel in range(channels):
            out[place, channel] = scale_of(run[channel], lanes, total)
    return out
