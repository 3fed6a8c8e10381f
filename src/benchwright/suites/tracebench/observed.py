"""One system's samples, simulated and observed at one noise level: the work of one process.

Takes named recipes; gives the Parquet bytes of every test and support sample and of the held-out
file, and the signal-to-noise ratio of every channel of each. Draws are keyed by pool seed, sample
name and noise level: neither order nor company changes a sample, and no clean series can be
computed from two levels of the same sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.cells import Level
from benchwright.suites.tracebench.noise import NoiseKey, observe
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import heldout_bytes, sample_bytes
from benchwright.suites.tracebench.simulate import Runs, simulate
from benchwright.suites.tracebench.snr import ratios

Named = tuple[tuple[str, Recipe], ...]


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that the process needs; all recipes are of one system."""

    single: Named
    """Samples that become a file each: those of test and support batches."""
    heldout: Named
    level: Level
    seed: str
    dynamics: str


@dataclass(frozen=True, slots=True)
class Observed:
    """Bytes at one noise level; `heldout` is None where there are no held-out samples."""

    single: Mapping[str, bytes]
    heldout: bytes | None
    snr: NDArray[np.float64]
    """Ratios in dB [sample, channel] of all of them, as `snr.ratios` gives them."""


def observed(job: Job) -> Observed:
    """Simulate and observe the samples of one system."""
    single, of_single = _noisy(job, job.single)
    files = {
        name: sample_bytes(single.samples[index], single.time)
        for index, (name, _) in enumerate(job.single)
    }
    if not job.heldout:
        return Observed(files, None, of_single)
    held, of_held = _noisy(job, job.heldout)
    names = [name for name, _ in job.heldout]
    series = heldout_bytes(names, held.samples, held.time)
    return Observed(files, series, np.concatenate([of_single, of_held]))


def at_level(clean: Runs, level: Level, names: Sequence[str], seed: str) -> Runs:
    """Clean runs as the samples called `names` show them; the report draws them from this too."""
    keyed = NoiseKey(seed, tuple(f"{name} at {level.name}" for name in names))
    return observe(clean, level.kappa, keyed)


def _noisy(job: Job, named: Named) -> tuple[Runs, NDArray[np.float64]]:
    """What is observed, and its ratios to the noise in it."""
    clean = simulate([recipe for _, recipe in named], job.dynamics)
    noisy = at_level(clean, job.level, [name for name, _ in named], job.seed)
    return noisy, ratios(clean.samples, noisy.samples)
