"""One system's samples, simulated and observed at one noise level: the work of one process.

Takes named recipes; gives the Parquet bytes of every test and support sample and of the held-out
file. Draws are keyed by pool seed, sample name and noise level: neither order nor company changes a
sample, and no clean series can be computed from two levels of the same sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.suites.tracebench.cells import Level
from benchwright.suites.tracebench.noise import NoiseKey, observe
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import heldout_bytes, sample_bytes
from benchwright.suites.tracebench.simulate import Runs, simulate

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


def observed(job: Job) -> Observed:
    """Simulate and observe the samples of one system."""
    single = _noisy(job, job.single)
    files = {
        name: sample_bytes(single.samples[index], single.time)
        for index, (name, _) in enumerate(job.single)
    }
    if not job.heldout:
        return Observed(files, None)
    held = _noisy(job, job.heldout)
    names = [name for name, _ in job.heldout]
    return Observed(files, heldout_bytes(names, held.samples, held.time))


def at_level(clean: Runs, level: Level, names: Sequence[str], seed: str) -> Runs:
    """Clean runs as the samples called `names` show them; the report draws them from this too."""
    keyed = NoiseKey(seed, tuple(f"{name} at {level.name}" for name in names))
    return observe(clean, level.kappa, keyed)


def _noisy(job: Job, named: Named) -> Runs:
    clean = simulate([recipe for _, recipe in named], job.dynamics)
    return at_level(clean, job.level, [name for name, _ in named], job.seed)
