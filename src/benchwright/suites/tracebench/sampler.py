"""Seeded steps around given configurations, by the documented policy (facts, tracebench 3.2).

Takes recipes without a step and a seed; gives recipes with one. The time is uniform between 0.2
and 0.8 of the horizon and put on the grid; the value is uniform over the valid values on the drawn
side: inside the documented interval, at least the minimum difference and the minimum symmetric
relative difference away, and in the order that the system asks for (breakaway not below Coulomb
friction). Knows nothing of solvability.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.systems import System, Variable, get_system

Side = Literal["increase", "decrease"]
SIDES: Final[tuple[Side, ...]] = ("increase", "decrease")
EARLIEST: Final = 0.2
LATEST: Final = 0.8
_SLACK: Final = 1e-9


def valid_values(configuration: Recipe, parameter: str, side: Side) -> tuple[float, float] | None:
    """Lowest and highest value that `parameter` may step to on one side; `None` for none."""
    system = get_system(configuration.system)
    variable = system.variable(parameter)
    value = configuration.values[parameter]
    low, high = _limits(configuration, variable)
    if side == "increase":
        low = max(low, value + variable.min_abs + _SLACK, _apart(value, variable.min_srd))
    else:
        high = min(high, value - variable.min_abs - _SLACK, -_apart(-value, variable.min_srd))
    return (low, high) if low <= high else None


def choices(configuration: Recipe) -> tuple[tuple[str, Side], ...]:
    """Every (parameter, side) with a valid value, in the order of the system."""
    system = get_system(configuration.system)
    names = [variable.name for variable in system.parameters if variable.steppable]
    return tuple(
        (name, side)
        for name in names
        for side in SIDES
        if valid_values(configuration, name, side) is not None
    )


def steps(configuration: Recipe, count: int, seed: str) -> tuple[Recipe, ...]:
    """`count` recipes whose parameter and side are drawn too, each pair being equally likely."""
    stream = Stream(seed, ["steps", configuration.digest])
    pairs = choices(configuration)
    made = []
    for index in range(count):
        generator = stream.at(index, 0)
        name, side = pairs[int(generator.integers(len(pairs)))]
        made.append(_draw(configuration, name, side, generator))
    return tuple(made)


def children(configuration: Recipe, per_side: int, seed: str) -> tuple[Recipe, ...]:
    """`per_side` recipes for every parameter and side that has a valid value."""
    made = []
    for name, side in choices(configuration):
        stream = Stream(seed, ["children", configuration.digest, name, side])
        made += [_draw(configuration, name, side, stream.at(n, 0)) for n in range(per_side)]
    return tuple(made)


def _draw(configuration: Recipe, name: str, side: Side, generator: np.random.Generator) -> Recipe:
    bounds = valid_values(configuration, name, side)
    assert bounds is not None
    system = get_system(configuration.system)
    share, moment = generator.random(2)
    value = bounds[0] + (bounds[1] - bounds[0]) * float(share)
    time = system.horizon_s * (EARLIEST + (LATEST - EARLIEST) * float(moment))
    step = Step(name, min(max(_short(value), bounds[0]), bounds[1]), _on_grid(time, system))
    return Recipe(system=system.name, values=configuration.values, step=step)


def _limits(configuration: Recipe, variable: Variable) -> tuple[float, float]:
    low, high = variable.documented
    for lower, upper in get_system(configuration.system).ordered:
        if variable.name == lower:
            high = min(high, configuration.values[upper])
        if variable.name == upper:
            low = max(low, configuration.values[lower])
    return low, high


def _apart(value: float, srd: float) -> float:
    """Lowest value above `value` whose symmetric relative difference from it is `srd` (below 2)."""
    share = (2.0 + srd) / (2.0 - srd)
    return (value * share if value >= 0.0 else value / share) + _SLACK


def _short(value: float) -> float:
    """Six significant digits: a stored recipe stays readable."""
    return float(f"{value:.6g}")


def _on_grid(time: float, system: System) -> float:
    return round(time * system.rate_hz) / system.rate_hz
