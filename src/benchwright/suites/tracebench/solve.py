"""`solve`: the exact dynamics of recipes in float64, with their events.

What `simulate(recipes, "exact")` rounds to float32, before it is rounded: the same kernels write
both. Knows nothing of noise and files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.simulate import Events, run
from benchwright.suites.tracebench.systems import System, get_system


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """One run, as exact as float64 makes it."""

    system: System
    recipe: Recipe
    channels: NDArray[np.float64]
    """Shape [channel, row], in the units of the channels."""
    events: Events
    """In order, each with the time at which it happens, in seconds."""

    @property
    def time(self) -> NDArray[np.float64]:
        """Shape [row], seconds."""
        return self.system.times


def solve(recipe: Recipe) -> Solution:
    """Solve one run; SpecError for missing or unknown names. Ranges are not checked."""
    system = get_system(recipe.system)
    channels = np.empty((1, len(system.channels), system.rows))
    (events,) = run(system, [recipe], "exact", channels)
    return Solution(system, recipe, channels[0], events)


def happenings(recipes: Sequence[Recipe]) -> tuple[Events, ...]:
    """The events of every run alone, without any row: several times cheaper than `simulate`.

    The recipes belong to one system; equal to the events of `simulate(recipes, "exact")`.
    """
    if not recipes:
        return ()
    system = get_system(recipes[0].system)
    return run(system, recipes, "exact", np.empty((len(recipes), len(system.channels), 0)))
