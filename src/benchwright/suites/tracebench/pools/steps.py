"""The steps around the configurations of one block, drawn for all of them at once.

Takes configurations [family, variable] and a policy; gives steps in the order of family, parameter,
direction and child, and the gaps: pairs of parameter and direction without a valid value. A valid
value lies in the interval, keeps both least differences of the system (times the multipliers of the
policy) and the order that the system asks for. Every draw has a place of its own, so one parameter
more changes none of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.pools.configurations import BLOCK, short
from benchwright.suites.tracebench.pools.policy import DIRECTIONS, Policy
from benchwright.suites.tracebench.systems import System, Variable

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

_SLACK = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Steps of a block; every array is [step]."""

    family: Rows
    """Which row of the configurations."""
    parameter: Rows
    """Which column steps."""
    direction: Rows
    """0 for an increase, 1 for a decrease."""
    child: Rows
    value: Floats
    """NaN for a gap, which has child 0 only."""
    time: Floats
    """Seconds, on the grid; NaN for a gap."""

    def __len__(self) -> int:
        return len(self.family)

    @classmethod
    def of(cls, *columns: NDArray[Any]) -> Steps:
        """Steps from their columns in order, as integers where they are some."""
        family, parameter, direction, child = (column.astype(np.int64) for column in columns[:4])
        return cls(family, parameter, direction, child, columns[4], columns[5])

    def where(self, kept: NDArray[np.bool_]) -> Steps:
        """The steps that a mask keeps."""
        return Steps(
            self.family[kept],
            self.parameter[kept],
            self.direction[kept],
            self.child[kept],
            self.value[kept],
            self.time[kept],
        )


def steps(policy: Policy, block: int, values: Floats) -> Steps:
    """All steps around the configurations `values` of one block, gaps included."""
    system = policy.simulated
    names = [variable.name for variable in system.variables]
    parts = [
        _steps(policy, block, values, names.index(name), DIRECTIONS.index(side))
        for name in policy.parameters
        for side in DIRECTIONS
        if side in policy.intervention.directions
    ]
    # From (parameter and direction, family, child) to family first: the order of the table.
    shape = (len(parts), len(values), policy.intervention.children)
    made = Steps.of(
        *(
            np.stack(columns).reshape(shape).transpose(1, 0, 2).ravel()
            for columns in zip(*parts, strict=True)
        )
    )
    return made.where(np.isfinite(made.value) | (made.child == 0))


def _steps(policy: Policy, block: int, values: Floats, column: int, side: int) -> list[Floats]:
    """Columns of `Steps` for one parameter and direction, children of a family in a row."""
    families, children = len(values), policy.intervention.children
    system = policy.simulated
    generator = Stream(str(policy.seed), ["steps", system.variables[column].name]).at(block, side)
    draws = generator.random((BLOCK, children, 2))[:families]
    low, high = bounds(policy, values, column, side)
    value = _values(policy, values[:, column], low, high, side, draws[:, :, 0])
    time = np.where(np.isnan(value), np.nan, _times(policy, system, draws[:, :, 1]))
    family = np.repeat(np.arange(families), children)
    child = np.tile(np.arange(children), families)
    same = np.ones_like(family)
    return [family, same * column, same * side, child, value.ravel(), time.ravel()]


def bounds(policy: Policy, values: Floats, column: int, side: int) -> tuple[Floats, Floats]:
    """Least and greatest valid value of every family; least above greatest where there is none."""
    system = policy.simulated
    variable = system.variables[column]
    low, high = _limits(policy, system, variable, values)
    old = values[:, column]
    chosen = policy.intervention.value
    apart = variable.min_abs * chosen.min_abs_multiplier + _SLACK
    share = min(variable.min_srd * chosen.min_srd_multiplier, 2.0 - _SLACK)
    if side == 0:
        low = np.maximum(np.maximum(low, old + apart), _beyond(old, share) + _SLACK)
    else:
        high = np.minimum(np.minimum(high, old - apart), -(_beyond(-old, share) + _SLACK))
    return low, high


def _limits(
    policy: Policy, system: System, variable: Variable, values: Floats
) -> tuple[Floats, Floats]:
    wide = policy.baseline.interval == "widened"
    ends = variable.interval if wide else variable.documented
    low, high = (np.full(len(values), end) for end in ends)
    names = [v.name for v in system.variables]
    for lower, upper in system.ordered:
        if variable.name == lower:
            high = np.minimum(high, values[:, names.index(upper)])
        if variable.name == upper:
            low = np.maximum(low, values[:, names.index(lower)])
    return low, high


def _values(
    policy: Policy, old: Floats, low: Floats, high: Floats, side: int, draws: Floats
) -> Floats:
    """New values [family, child]; NaN where there is none."""
    chosen = policy.intervention.value
    low, high = low[:, None], high[:, None]
    if chosen.method == "conditional_uniform":
        found = np.clip(short(low + (high - low) * draws), low, high)
    else:
        sign = 1.0 if side == 0 else -1.0
        if chosen.delta is not None:
            single = old + sign * chosen.delta
        else:
            assert chosen.target_srd is not None
            single = sign * _beyond(sign * old, chosen.target_srd)
        found = np.repeat(short(single)[:, None], draws.shape[1], axis=1)
    result: Floats = np.where((low <= found) & (found <= high), found, np.nan)
    return result


def _beyond(value: Floats, srd: float) -> Floats:
    """Lowest number above `value` whose symmetric relative difference from it is `srd`.

    From 0 every number is as far as can be (2), so 0 itself is given.
    """
    share = (2.0 + srd) / (2.0 - srd)
    result: Floats = np.where(value >= 0.0, value * share, value / share)
    return result


def _times(policy: Policy, system: System, draws: Floats) -> Floats:
    times = policy.intervention.time
    if times.method == "uniform":
        fractions = times.low + (times.high - times.low) * draws
    elif times.value is not None:
        fractions = np.full(draws.shape, times.value)
    else:
        fractions = np.array(times.values)[(draws * len(times.values)).astype(np.int64)]
    ticks = np.clip(np.rint(fractions * system.horizon_s * system.rate_hz), 1, system.rows)
    result: Floats = ticks / system.rate_hz
    return result
