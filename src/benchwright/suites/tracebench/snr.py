"""Signal-to-noise ratios of channels (facts, tracebench 4.3).

Takes arrays of clean and noisy samples; gives decibels, of one channel or of many runs with their
mean and spread. Knows no system and no noise model. The effect is the clean channel itself, mean
included. Without noise there is no ratio (`None`); without
effect, but with noise, it is the text "-inf", because JSON has no infinity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32] | NDArray[np.float64]
Decibels = float | Literal["-inf"] | None


@dataclass(frozen=True, slots=True)
class Spread:
    """The ratios of one channel over many runs, in dB."""

    mean: float | None
    """Over the runs that have a ratio; None where none has."""
    sd: float | None
    """Standard deviation of a sample (n - 1); None for fewer than two runs."""
    runs: int
    """Runs that have a ratio."""
    without_effect: int
    """Runs in which the channel is 0 throughout, so that their ratio is minus infinity."""


def rms(samples: Floats) -> float:
    """Root mean square in float64, in the unit of the samples; 0.0 for no samples."""
    wide = np.asarray(samples, np.float64)
    return math.sqrt(float(np.mean(wide * wide))) if wide.size else 0.0


def ratio(effect: Floats, noise: Floats) -> float | None:
    """RMS of the effect over RMS of the noise; `None` where the noise is zero."""
    below = rms(noise)
    return rms(effect) / below if below > 0.0 else None


def decibels(linear: float | None) -> Decibels:
    """20 log10 of a linear ratio; `None` stays `None`, zero becomes "-inf"."""
    if linear is None:
        return None
    return 20.0 * math.log10(linear) if linear > 0.0 else "-inf"


def snr(clean: Floats, noisy: Floats) -> Decibels:
    """SNR of one channel over the rows given."""
    wide = np.asarray(clean, np.float64)
    return decibels(ratio(wide, np.asarray(noisy, np.float64) - wide))


def ratios(clean: Floats, noisy: Floats) -> NDArray[np.float64]:
    """`snr` of every run and channel, [run, channel] from [run, channel, row]; NaN without noise.

    A channel that is 0 throughout has minus infinity.
    """
    found = np.empty(clean.shape[:2])
    for place in np.ndindex(found.shape):
        value = snr(clean[place], noisy[place])
        found[place] = -math.inf if value == "-inf" else math.nan if value is None else value
    return found


def spread_of(values: NDArray[np.float64]) -> Spread:
    """Mean and spread of the ratios [run] of one channel, as the published tables give them."""
    finite = values[np.isfinite(values)]
    return Spread(
        mean=float(finite.mean()) if finite.size else None,
        sd=float(finite.std(ddof=1)) if finite.size > 1 else None,
        runs=int(finite.size),
        without_effect=int(np.isneginf(values).sum()),
    )
