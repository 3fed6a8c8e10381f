"""Is a step told apart from no change, and from a value that held all along (facts, 5.1)?

Takes recipes with a step; gives both ratio tests with every ratio. A ratio is the RMS difference
between target and probe over the RMS corruption expected on the target, in the same window. Knows
nothing of the rules that are specific to a system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError
from benchwright.suites.tracebench.monte_carlo import mean_squares
from benchwright.suites.tracebench.noise import LEVELS, spreads_of
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.simulate import Runs, change_row, rows_of, simulate
from benchwright.suites.tracebench.systems import EventKind

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]

LIMIT: Final = 2.0
DRAWS: Final = 1024
IMPULSE_S: Final = 0.030
IMPACTS: Final = (
    EventKind.IMPACT,
    EventKind.IMPACT_LEFT,
    EventKind.IMPACT_RIGHT,
    EventKind.SETTLE,
    EventKind.SETTLE_LEFT,
    EventKind.SETTLE_RIGHT,
)
_GUARD: Final = 1e-12
_ON_GRID: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Verdict:
    """Both ratio tests of one recipe at one level of noise."""

    digest: str
    """Digest of the recipe."""
    no_change: tuple[float, ...]
    """Per channel: the same configuration without a step, compared from the step on."""
    static: tuple[float, ...]
    """Per channel: the new value from the start, compared over the whole run."""

    @property
    def solvable(self) -> bool:
        """Whether, for each probe, some channel's ratio is strictly above the limit."""
        return max(self.no_change) > LIMIT and max(self.static) > LIMIT


def ratio_tests(
    recipes: Sequence[Recipe],
    kappa: float = LEVELS["high"],
    draws: int = DRAWS,
    dynamics: str = "released",
) -> tuple[Verdict, ...]:
    """The verdict of each recipe, in order; one system, each with a step (else SpecError)."""
    for recipe in recipes:
        if recipe.step is None:
            raise SpecError(
                "recipe has no step to test",
                value=recipe.digest,
                where=recipe.system,
                hint="Give recipes with a step; a no-change recipe has no probe.",
            )
    if not recipes:
        return ()
    target = simulate(recipes, dynamics)
    unchanged = simulate([recipe.baseline() for recipe in recipes], dynamics)
    static = simulate([recipe.static() for recipe in recipes], dynamics)
    corruption = mean_squares(target, kappa, draws)
    return tuple(
        Verdict(
            recipe.digest,
            _ratios(target, unchanged, corruption, index, _from_step(target, index)),
            _ratios(target, static, corruption, index, np.ones(target.time.size, np.bool_)),
        )
        for index, recipe in enumerate(recipes)
    )


def _ratios(
    target: Runs, probe: Runs, corruption: Floats, index: int, window: Rows
) -> tuple[float, ...]:
    """The ratio of each channel over the rows of `window`; 0 where no row is left."""
    near = window & _near_impacts(target, probe, index)
    ratios = []
    for channel, spread in enumerate(spreads_of(target, index)):
        impulse = target.system.channels[channel].kind == "impulse"
        rows = near if impulse else window
        apart = target.samples[index, channel, rows].astype(np.float64)
        apart -= probe.samples[index, channel, rows]
        ratios.append(_ratio(apart, corruption[index, channel, rows], _GUARD * spread.scale))
    return tuple(ratios)


def _ratio(apart: Floats, corruption: Floats, guard: float) -> float:
    if not apart.size:
        return 0.0
    return float(np.sqrt(np.mean(apart**2)) / (np.sqrt(np.mean(corruption)) + guard))


def _from_step(runs: Runs, index: int) -> Rows:
    step = runs.recipes[index].step
    assert step is not None
    return np.arange(runs.time.size) >= change_row(runs.system, step.time)


def _near_impacts(target: Runs, probe: Runs, index: int) -> Rows:
    """Rows at most 30 ms from an impact in either run; coming to rest is one."""
    near = np.zeros(target.time.size, np.bool_)
    for runs in (target, probe):
        for moment in runs.time[rows_of(runs.events[index], *IMPACTS)]:
            near |= np.abs(target.time - moment) <= IMPULSE_S + _ON_GRID
    return near
