"""Recipes with a change on which the exact bars are measured; the same for every one of them.

Half are steps around the published configurations, half are uniform in the documented intervals;
every second change lies between two rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.sampler import choices, steps
from benchwright.suites.tracebench.systems import get_system

SEED: Final = "exact bar"


def draws(system: str, count: int) -> list[Recipe]:
    """`count` recipes, each with a change."""
    known = published(system)
    return [
        _between(_uniform(system, n) if n % 2 else _around(known[n // 2 % len(known)], n), n)
        for n in range(count)
    ]


def _around(configuration: Recipe, number: int) -> Recipe:
    return steps(configuration, 1, f"{SEED} {number}")[0]


def _uniform(name: str, number: int) -> Recipe:
    system = get_system(name)
    generator = Stream(SEED, [name, str(number)]).at(0, 0)
    while True:
        values = {v.name: float(generator.uniform(*v.documented)) for v in system.variables}
        for low, high in system.ordered:
            values[low], values[high] = sorted((values[low], values[high]))
            values[low] = min(values[low], system.variable(low).documented[1])
        drawn = Recipe(name, values)
        if choices(drawn):
            return steps(drawn, 1, f"{SEED} {number}")[0]


def _between(recipe: Recipe, number: int) -> Recipe:
    step = recipe.step
    assert step is not None
    if number // 2 % 2:
        return recipe
    share = float(Stream(SEED, ["between", str(number)]).uniforms(0, 0, 1)[0])
    time = step.time - share * get_system(recipe.system).dt
    return replace(recipe, step=Step(step.parameter, step.value, time))
