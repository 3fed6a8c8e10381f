"""One block of a pool, from its number to the bytes of its part of the table.

This is the work of one job, on whatever machine it runs: it takes a policy and a number and gives
bytes, knows no folder and leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.batches import LEAST_CAUSES
from benchwright.suites.tracebench.pools.configurations import BLOCK, configurations
from benchwright.suites.tracebench.pools.policy import Policy
from benchwright.suites.tracebench.pools.steps import Steps, steps
from benchwright.suites.tracebench.pools.table import Block, block_bytes
from benchwright.suites.tracebench.probes import two_stage
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.solvability.judge import Candidates, Criteria, Judge, Judged
from benchwright.suites.tracebench.solvability.reasons import Reason, switches
from benchwright.suites.tracebench.systems import System
from benchwright.suites.tracebench.systems.spacing import (
    least_steps,
    near_before,
    near_earlier,
)

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

MANUAL: Final = -1
"""The number of the block that holds the manual cases."""


def made_block(policy: Policy, number: int) -> bytes:
    """The part of the table that block `number` of a policy is."""
    values, reasons, drawn = _manual(policy) if number == MANUAL else _drawn(policy, number)
    first = number * BLOCK
    count = np.arange(len(values))
    families = -1 - count if number == MANUAL else first + count
    found = judged(policy, values, drawn)
    asked = _two_stage(policy, values, drawn, found)
    return block_bytes(policy.simulated, closed((families, values, reasons), drawn, found, asked))


def _drawn(policy: Policy, number: int) -> tuple[Floats, Rows, Steps]:
    values = configurations(policy, number)
    reasons = admitted(policy, number, values)
    drawn = steps(policy, number, values)
    return values, reasons, drawn.where(reasons[drawn.family] == Reason.KEPT)


def admitted(policy: Policy, number: int, values: Floats) -> Rows:
    """Why configurations of a block are left out before anything is drawn around them; 0: not.

    Distances are kept from manual cases and from every configuration drawn before, left out or not:
    so a block depends on draws only, and the time that this takes grows with their square.
    """
    system = policy.simulated
    reasons = np.where(ordered(system, values), Reason.KEPT, Reason.OUT_OF_ORDER)
    scale = policy.baseline.min_distance_scale
    if scale > 0.0:
        least = least_steps(system, scale)
        free = np.flatnonzero(reasons == Reason.KEPT)
        near = near_before(values[free], least)
        for earlier in _earlier(policy, number):
            near |= near_earlier(values[free], earlier, least)
        reasons[free[near]] = Reason.TOO_NEAR
    return reasons


def _earlier(policy: Policy, number: int) -> Iterator[Floats]:
    """Configurations of the manual cases and of all blocks before, those out of order left out."""
    if policy.manual:
        yield manual(policy)[0]
    for block in range(number):
        values = configurations(policy, block)
        yield values[ordered(policy.simulated, values)]


def _manual(policy: Policy) -> tuple[Floats, Rows, Steps]:
    values, drawn = manual(policy)
    return values, np.zeros(len(values), np.int64), drawn


def manual(policy: Policy) -> tuple[Floats, Steps]:
    """The manual cases of a policy as configurations and steps."""
    system = policy.simulated
    names = [variable.name for variable in system.variables]
    values = np.array([[case.values[name] for name in names] for case in policy.manual])
    rows = []
    for family, case in enumerate(policy.manual):
        for child, step in enumerate(case.steps):
            column = names.index(step.parameter)
            side = 0 if step.value > case.values[step.parameter] else 1
            tick = np.ceil(step.time * system.rate_hz - 1e-9)
            rows.append((family, column, side, child, step.value, tick / system.rate_hz))
    family, column, side, child, value, time = np.array(rows).T
    return values, Steps.of(family, column, side, child, value, time)


def ordered(system: System, values: Floats) -> NDArray[np.bool_]:
    """Which configurations keep the order that the system asks for."""
    names = [variable.name for variable in system.variables]
    kept = np.ones(len(values), np.bool_)
    for low, high in system.ordered:
        kept &= values[:, names.index(low)] <= values[:, names.index(high)]
    return kept


def judged(policy: Policy, values: Floats, drawn: Steps) -> Judged:
    """Codes and ratios of all steps; a gap has its own code."""
    system, asked = policy.simulated, policy.solvability
    real = np.isfinite(drawn.value)
    candidates = Candidates(
        baselines=values,
        family=drawn.family[real],
        parameter=drawn.parameter[real],
        value=drawn.value[real],
        change=np.rint(drawn.time[real] * system.rate_hz).astype(np.int64) - 1,
        time=drawn.time[real],
    )
    criteria = Criteria(asked.kappa, switches(system.name, frozenset(asked.off)), asked.every_ratio)
    found = Judge(system, policy.dynamics, criteria).judge(candidates)
    return _spread(found, real)


def _spread(found: Judged, real: NDArray[np.bool_]) -> Judged:
    """The verdicts at the places of the real steps, gaps between them."""
    count, channels = len(real), found.no_change.shape[1]
    codes = np.full(count, Reason.NO_VALID_VALUE, np.int64)
    divergence = np.full(count, -1, np.int64)
    near, far = np.full((count, channels), np.nan), np.full((count, channels), np.nan)
    codes[real], divergence[real] = found.codes, found.divergence
    near[real], far[real] = found.no_change, found.static
    return Judged(codes, divergence, near, far)


def _two_stage(policy: Policy, values: Floats, drawn: Steps, found: Judged) -> NDArray[np.int8]:
    """Verdicts of the Monte Carlo on steps that no rule rejects, which then decide; else -1."""
    asked = np.full(len(drawn), -1, np.int8)
    if policy.solvability.sigma != "two_stage":
        return asked
    ratio = (Reason.KEPT, Reason.RATIO_NO_CHANGE, Reason.RATIO_STATIC)
    places = np.flatnonzero(np.isin(found.codes, ratio))
    passed = two_stage(
        [_recipe(policy.simulated, values, drawn, int(place)) for place in places],
        policy.solvability.kappa,
        policy.dynamics,
    )
    asked[places] = passed
    return asked


def _recipe(system: System, values: Floats, drawn: Steps, place: int) -> Recipe:
    names = [variable.name for variable in system.variables]
    numbers = dict(zip(names, values[drawn.family[place]].tolist(), strict=True))
    name = names[drawn.parameter[place]]
    return Recipe(
        system.name, numbers, Step(name, float(drawn.value[place]), float(drawn.time[place]))
    )


def closed(
    drawn: tuple[Rows, Floats, Rows], made: Steps, found: Judged, asked: NDArray[np.int8]
) -> Block:
    """The block with the verdict on its families: two parameters must pass, or nothing is kept.

    `drawn` are numbers, configurations and reasons of the families; those with a reason have no
    steps.
    """
    families, values, reasons = drawn
    codes = found.codes.copy()
    codes[(asked == 0) & (codes == Reason.KEPT)] = Reason.MONTE_CARLO
    codes[asked == 1] = Reason.KEPT
    passes = codes == Reason.KEPT
    told = np.zeros(values.shape, np.bool_)
    told[made.family[passes], made.parameter[passes]] = True
    causes = told.sum(axis=1)
    codes[passes & (causes[made.family] < LEAST_CAUSES)] = Reason.SINGLE_CAUSE
    single = (reasons == Reason.KEPT) & (causes < LEAST_CAUSES)
    reasons = np.where(single, Reason.SINGLE_CAUSE, reasons)
    return Block(families, values, reasons, made, replace(found, codes=codes), asked)
