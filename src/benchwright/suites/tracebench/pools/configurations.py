"""The configurations of a pool: blocks of points in the space of a system's variables.

Takes a policy and the number of a block; gives numbers [family, variable]. A block depends on the
policy, its own number and nothing else, so a longer pool continues a shorter one: independent
draws and Latin hypercubes are seeded per block (every block is a hypercube of its own), Sobol and
grid points are counted through.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from benchwright.canonical import digest
from benchwright.suites.tracebench.pools.policy import Distribution, Policy
from benchwright.suites.tracebench.systems import Variable

Floats = NDArray[np.float64]

BLOCK: Final = 512
"""Families per block, the unit of work and of resuming."""
DIGITS: Final = 6
"""Significant digits of drawn numbers, so that a stored recipe stays readable."""

_KEY_DIGITS: Final = 32


def configurations(policy: Policy, block: int) -> Floats:
    """Drawn configurations [family, variable] of one block; order rules are not applied yet."""
    first = block * BLOCK
    count = min(policy.families - first, BLOCK)
    variables = policy.simulated.variables
    spreads = [policy.baseline.variables.get(v.name, Distribution()) for v in variables]
    free = [i for i, spread in enumerate(spreads) if spread.distribution != "fixed"]
    units = np.zeros((count, len(variables)))
    if free:
        units[:, free] = _units(policy, block, first, count, len(free))
    columns = [
        _column(policy, variable, spread, units[:, i])
        for i, (variable, spread) in enumerate(zip(variables, spreads, strict=True))
    ]
    return np.stack(columns, axis=1)


def short(values: Floats) -> Floats:
    """Numbers with DIGITS significant decimal digits, each the nearest double of its decimals."""
    size = np.abs(values)
    magnitude = np.floor(np.log10(np.where(size > 0.0, size, 1.0)))
    places = (DIGITS - 1 - magnitude).astype(np.int64)
    power = 10.0 ** np.abs(places)
    rounded = np.where(
        places >= 0,
        np.rint(values * np.where(places >= 0, power, 1.0)) / power,
        np.rint(values / power) * power,
    )
    result: Floats = rounded
    return result


def _units(policy: Policy, block: int, first: int, count: int, size: int) -> Floats:
    """Points of the unit cube [count, size]."""
    method = policy.baseline.method
    generator = _generator(policy, block)
    if method == "independent":
        return generator.random((count, size))
    if method == "latin_hypercube":
        cube: Floats = qmc.LatinHypercube(size, rng=generator).random(count)
        return cube
    if method == "sobol":
        sequence = qmc.Sobol(size, rng=_generator(policy, 0))
        if first:
            sequence.fast_forward(first)
        points: Floats = sequence.random(BLOCK)
        return points[:count]
    levels = policy.baseline.levels
    numbers = np.arange(first, first + count)[:, None] // levels ** np.arange(size)[::-1]
    middle = np.full((count, size), 0.5)
    return middle if levels == 1 else (numbers % levels) / (levels - 1)


def _generator(policy: Policy, block: int) -> np.random.Generator:
    """Of a seed sequence, which the samplers of scipy spawn from."""
    seed = int(digest([policy.seed, "configurations", block])[:_KEY_DIGITS], 16)
    return np.random.Generator(np.random.Philox(seed))


def _column(policy: Policy, variable: Variable, spread: Distribution, units: Floats) -> Floats:
    if spread.value is not None:
        return np.full(len(units), spread.value)
    wide = policy.baseline.interval == "widened"
    low, high = variable.interval if wide else variable.documented
    low = low if spread.low is None else spread.low
    high = high if spread.high is None else spread.high
    knots, shares = [low, high], [0.0, 1.0]
    if spread.median is not None:
        knots, shares = [low, spread.median, high], [0.0, 0.5, 1.0]
    if spread.distribution == "loguniform":
        values = np.exp(np.interp(units, shares, np.log(knots)))
    else:
        values = np.interp(units, shares, knots)
    return np.clip(short(values), low, high)
