"""Expected squared corruption by plain Monte Carlo (paper, appendix B; facts, tracebench 5.1).

Takes clean runs and a level; gives the mean over draws of the squared difference between what is
observed and what is clean. The seeds are 0 ... N-1 and the name of the draws is the same for every
run, as in the paper, so one set of draws serves a whole batch. It is float64 throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.draws import BIAS, WHITE, Stream
from benchwright.suites.tracebench.noise import drift, spreads_of
from benchwright.suites.tracebench.noise_kernels import add_squares
from benchwright.suites.tracebench.simulate import Runs

Floats = NDArray[np.float64]

_CHUNK: Final = 64
NAME: Final = "expected corruption"


@dataclass(frozen=True, slots=True)
class _Draws:
    """Draws of one channel: normals and waves [draw, row], constants [draw]."""

    normals: Floats
    waves: Floats
    constants: Floats


def mean_squares(runs: Runs, kappa: float, draws: int) -> Floats:
    """Mean squared corruption float64[run, channel, row] over `draws` draws, in squared units."""
    total: Floats = np.zeros(runs.samples.shape)
    _, channels, rows = runs.samples.shape
    clean = runs.samples.astype(np.float64)
    spreads = list(zip(*spreads_of(runs), strict=True))
    for first in range(0, draws, _CHUNK):
        seeds = range(first, min(first + _CHUNK, draws))
        for channel in range(channels):
            chunk = _draw(seeds, channel, rows)
            for index, spread in enumerate(spreads[channel]):
                sizes = np.array([kappa, spread.drift, spread.bias, spread.step])
                add_squares(
                    total[index, channel],
                    clean[index, channel],
                    spread.white,
                    chunk.normals,
                    chunk.waves,
                    chunk.constants,
                    sizes,
                )
    return total / draws


def _draw(seeds: range, channel: int, rows: int) -> _Draws:
    streams = [Stream(str(seed), NAME) for seed in seeds]
    return _Draws(
        normals=np.stack([stream.normals(channel, WHITE, rows) for stream in streams]),
        waves=np.stack([drift(stream, channel, rows) for stream in streams]),
        constants=np.array([stream.normals(channel, BIAS, 1)[0] for stream in streams]),
    )
