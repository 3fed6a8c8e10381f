"""Candidates of the shipped policies, as recipes and as arrays."""

from __future__ import annotations

import numpy as np

from benchwright.suites.tracebench.pools.blocks import ordered
from benchwright.suites.tracebench.pools.configurations import configurations
from benchwright.suites.tracebench.pools.policy import Policy, load_policy
from benchwright.suites.tracebench.pools.steps import Steps, steps
from benchwright.suites.tracebench.recipes import Recipe, Step


def drawn(name: str, families: int) -> tuple[Policy, np.ndarray, Steps]:
    """A shipped policy, its first configurations, and the steps around them without gaps."""
    policy = load_policy(name).model_copy(update={"families": families})
    values = configurations(policy, 0)
    made = steps(policy, 0, values)
    made = made.where(ordered(policy.simulated, values)[made.family] & np.isfinite(made.value))
    return policy, values, made


def recipes(name: str, families: int) -> list[Recipe]:
    """The same steps as recipes."""
    policy, values, made = drawn(name, families)
    names = [variable.name for variable in policy.simulated.variables]
    rows = zip(made.family, made.parameter, made.value, made.time, strict=True)
    return [
        Recipe(
            policy.system,
            dict(zip(names, values[family].tolist(), strict=True)),
            Step(names[column], float(value), float(time)),
        )
        for family, column, value, time in rows
    ]
