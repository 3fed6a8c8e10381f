"""The observation of a row, compiled: the formulas behind noisy frames and Monte Carlo.

Takes arrays and plain numbers; knows no run, no stream and no system.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@kernel
def scale_of(clean: Floats) -> float:
    """Larger of range and RMS, 1 for a channel of zeros."""
    low = high = clean[0]
    square = 0.0
    for value in clean:
        low = min(low, value)
        high = max(high, value)
        square += value * value
    scale = max(high - low, math.sqrt(square / clean.size))
    return scale if scale > 0.0 else 1.0


@kernel
def white_rows(clean: Floats, spans: Rows, hits: Rows, sizes: Floats) -> Floats:
    """Standard deviation per row of the noise that is independent from row to row.

    `spans` is [span, first and last row] of transition noise, overlaps count once; `hits` are rows
    in order from which `sizes[3]` fades. `sizes`: base, share of the magnitude, transition, after a
    transition, and the rows over which the last one falls to 1/e.
    """
    base, share, event, after, fading = sizes
    near = np.zeros(clean.size, np.bool_)
    for first, last in spans:
        near[max(first, 0) : last + 1] = True
    out = np.empty_like(clean)
    place = 0
    for row in range(clean.size):
        while place < hits.size and hits[place] <= row:
            place += 1
        square = base**2 + (share * clean[row]) ** 2
        if near[row]:
            square += event**2
        if after > 0.0 and place > 0:
            square += (after * math.exp((hits[place - 1] - row) / fading)) ** 2
        out[row] = math.sqrt(square)
    return out


@kernel
def _observed(
    clean: float, white: float, slow: float, normal: float, kappa: float, step: float
) -> float:
    value = clean + kappa * (white * normal + slow)
    return np.rint(value / step) * step if step > 0.0 else value


@kernel
def observe_rows(
    clean: Floats, white: Floats, slow: Floats, normals: Floats, kappa: float, step: float
) -> Floats:
    """Observed samples float64[row]; all arrays [row], `step` 0 for no quantiser."""
    out = np.empty_like(clean)
    for row in range(clean.size):
        out[row] = _observed(clean[row], white[row], slow[row], normals[row], kappa, step)
    return out


@kernel
def add_squares(
    total: Floats,
    clean: Floats,
    white: Floats,
    normals: Floats,
    waves: Floats,
    constants: Floats,
    sizes: Floats,
) -> None:
    """Add the squared corruption of many draws to `total` [row].

    `normals` and `waves` are [draw, row], `constants` is [draw]; `sizes` holds kappa, the amplitude
    of the wave, the standard deviation of the constant, and the step of the quantiser.
    """
    kappa, drift, bias, step = sizes[0], sizes[1], sizes[2], sizes[3]
    for draw in range(normals.shape[0]):
        for row in range(clean.size):
            slow = drift * waves[draw, row] + bias * constants[draw]
            seen = _observed(clean[row], white[row], slow, normals[draw, row], kappa, step)
            total[row] += (seen - clean[row]) ** 2
