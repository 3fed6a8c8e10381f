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

LANES: Final = 64
_NOTHING = np.float32(0.0)


@kernel
def _extremes(x: Samples, low: Samples, high: Samples) -> None:
    for lane in range(x.shape[0]):
        low[lane] = x[lane] if x[lane] < low[lane] else low[lane]
        high[lane] = x[lane] if x[lane] > high[lane] else high[lane]


@kernel
def _oddities(x: Samples, odd: Samples) -> None:
    """`odd` stays 0 unless a sample is not finite."""
    for lane in range(x.shape[0]):
        odd[lane] += x[lane] * _NOTHING


@kernel
def _squares(x: Samples, total: Floats) -> None:
    for lane in range(x.shape[0]):
        value = np.float64(x[lane])
        total[lane] += value * value


@kernel
def _gaps(x: Samples, y: Samples, total: Floats) -> None:
    for lane in range(x.shape[0]):
        gap = np.float64(x[lane]) - np.float64(y[lane])
        total[lane] += gap * gap


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
def _joined(low: Samples, high: Samples, odd: Samples) -> None:
    """Extremes of LANES lanes into the first one, in the same way."""
    half = LANES // 2
    while half > 0:
        _extremes(low[half : 2 * half], low[:half], high[:half])
        _extremes(high[half : 2 * half], low[:half], high[:half])
        for lane in range(half):
            odd[lane] += odd[half + lane]
        half //= 2


@kernel
def squares(x: Samples, start: int, total: Floats) -> float:
    """Sum of x^2 from row `start` on; `total` [LANES] is scratch."""
    total[:] = 0.0
    for first in range(start, x.shape[0], LANES):
        _squares(x[first : first + LANES], total)
    return _added(total)


@kernel
def gaps(x: Samples, y: Samples, start: int, total: Floats) -> float:
    """Sum of (x - y)^2 from row `start` on; `total` [LANES] is scratch."""
    total[:] = 0.0
    for first in range(start, x.shape[0], LANES):
        _gaps(x[first : first + LANES], y[first : first + LANES], total)
    return _added(total)


@kernel
def scale_of(x: Samples, lanes: Samples, total: Floats) -> float:
    """Larger of range and RMS, 1 for a channel of zeros, NaN if a sample is not finite.

    `lanes` [3, LANES] and `total` [LANES] are scratch.
    """
    lanes[:2] = x[0]
    lanes[2] = 0.0
    for first in range(0, x.shape[0], LANES):
        block = x[first : first + LANES]
        _extremes(block, lanes[0], lanes[1])
        _oddities(block, lanes[2])
    _joined(lanes[0], lanes[1], lanes[2])
    if lanes[2, 0] != 0.0:
        return math.nan
    low, high = np.float64(lanes[0, 0]), np.float64(lanes[1, 0])
    scale = high - low
    # Between numbers of both signs RMS cannot exceed the range, so its sum is not needed.
    if low > 0.0 or high < 0.0:
        scale = max(scale, math.sqrt(squares(x, 0, total) / x.shape[0]))
    return scale if scale > 0.0 else 1.0


@kernel
def scales(targets: Samples) -> Floats:
    """`scale_of` every channel of every run [run, channel]."""
    runs, channels = targets.shape[:2]
    lanes, total = np.empty((3, LANES), np.float32), np.empty(LANES)
    out = np.empty((runs, channels))
    for run in range(runs):
        for channel in range(channels):
            out[run, channel] = scale_of(targets[run, channel], lanes, total)
    return out
