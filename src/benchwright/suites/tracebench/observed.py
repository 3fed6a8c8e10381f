"""One system's samples, simulated once and observed at every noise level: the work of one process.

Takes named recipes; gives the Parquet bytes of every test sample and of the held-out file. Draws
are keyed by pool seed, sample name and noise level: neither order nor company changes a sample, and
no clean series can be computed from two levels of the same sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.suites.tracebench.noise import NoiseKey, observe
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import heldout_bytes, sample_bytes
from benchwright.suites.tracebench.simulate import Runs, simulate
from benchwright.suites.tracebench.spec import Level

Named = tuple[tuple[str, Recipe], ...]


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that the process needs; all recipes are of one system."""

    tests: Named
    heldout: Named
    levels: tuple[Level, ...]
    seed: str
    dynamics: str


@dataclass(frozen=True, slots=True)
class Observed:
    """Bytes by noise level; `heldout` is None where there are no held-out samples."""

    tests: Mapping[str, Mapping[str, bytes]]
    heldout: Mapping[str, bytes | None]


def observed(job: Job) -> Observed:
    """Simulate and observe the samples of one system."""
    named = job.tests + job.heldout
    clean = simulate([recipe for _, recipe in named], job.dynamics)
    tests = {}
    heldout = {}
    for level in job.levels:
        noisy = at_level(clean, level, [name for name, _ in named], job.seed)
        tests[level.name] = {
            name: sample_bytes(noisy.samples[index], noisy.time)
            for index, (name, _) in enumerate(job.tests)
        }
        heldout[level.name] = _heldout(job, noisy)
    return Observed(tests, heldout)


def at_level(clean: Runs, level: Level, names: Sequence[str], seed: str) -> Runs:
    """Clean runs as the samples called `names` show them; the report draws them from this too."""
    keyed = NoiseKey(seed, tuple(f"{name} at {level.name}" for name in names))
    return observe(clean, level.kappa, keyed)


def _heldout(job: Job, noisy: Runs) -> bytes | None:
    if not job.heldout:
        return None
    names = [name for name, _ in job.heldout]
    return heldout_bytes(names, noisy.samples[len(job.tests) :], noisy.time)
