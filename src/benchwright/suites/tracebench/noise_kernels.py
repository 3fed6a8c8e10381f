"""The observation of a row, compiled: the one formula behind noisy frames and Monte Carlo.

Takes arrays and plain numbers; knows no run, no stream and no system.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel

Floats = NDArray[np.float64]


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
