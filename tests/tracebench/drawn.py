"""Hypothesis strategies: recipes with every number inside its allowed interval."""

from __future__ import annotations

from hypothesis import strategies as st

from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.systems import System, Variable, get_system


def numbers(variable: Variable) -> st.SearchStrategy[float]:
    low, high = variable.interval
    return st.floats(low, high, allow_subnormal=False)


@st.composite
def recipes(draw: st.DrawFn, name: str, *, stepped: bool = False) -> Recipe:
    system = get_system(name)
    values = {variable.name: draw(numbers(variable)) for variable in system.variables}
    for low, high in system.ordered:
        values[low], values[high] = sorted((values[low], values[high]))
        values[low] = min(values[low], system.variable(low).interval[1])
        values[high] = max(values[high], system.variable(high).interval[0])
    return Recipe(name, values, draw(steps(system)) if stepped else None)


@st.composite
def steps(draw: st.DrawFn, system: System) -> Step:
    variable = draw(st.sampled_from([v for v in system.parameters if v.steppable]))
    row = draw(st.integers(0, system.rows - 1))
    return Step(variable.name, draw(numbers(variable)), float(system.times[row]))
