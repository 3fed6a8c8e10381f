"""Is a step told apart from no change, and from a value that held all along (facts, 5.1)?

Takes recipes with a step; gives both ratio tests with every ratio, and the first rule that speaks
against each. The expected corruption is the closed form of `noise.variance`; the two-stage Monte
Carlo of the paper is a mode beside it. Pools judge arrays instead: `solvability.judge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError
from benchwright.suites.tracebench.monte_carlo import mean_squares
from benchwright.suites.tracebench.noise import LEVELS, scales_of
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.simulate import Runs, change_row, rows_of, simulate
from benchwright.suites.tracebench.solvability.judge import Candidates, Criteria, Judge, Judged
from benchwright.suites.tracebench.solvability.ratios import GUARD, passes
from benchwright.suites.tracebench.solvability.reasons import Reason, switches
from benchwright.suites.tracebench.solvability.terms import IMPACTS, IMPULSE_S
from benchwright.suites.tracebench.systems import get_system

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]

SCREEN: Final = 128
CONFIRM: Final = 1024
_AT_ONCE: Final = 32
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
        return all(passes(np.array(found, np.float64)) for found in (self.no_change, self.static))


def ratio_tests(
    recipes: Sequence[Recipe], kappa: float = LEVELS["high"], dynamics: str = "released"
) -> tuple[Verdict, ...]:
    """The verdict of each recipe, in order; one system, each with a step (else SpecError)."""
    _check(recipes)
    if not recipes:
        return ()
    found = _judged(recipes, kappa, dynamics, frozenset(), complete=True)
    return tuple(
        Verdict(recipe.digest, tuple(near), tuple(far))
        for recipe, near, far in zip(
            recipes, found.no_change.tolist(), found.static.tolist(), strict=True
        )
    )


def refusals(
    recipes: Sequence[Recipe],
    kappa: float = LEVELS["high"],
    dynamics: str = "released",
    off: frozenset[str] = frozenset(),
    complete: bool = False,
) -> tuple[Reason, ...]:
    """First reason against each recipe, ratio tests included; vetoes named in `off` do not act.

    `complete` looks at every candidate in full, which changes reasons but keeps no other ones.
    """
    _check(recipes)
    if not recipes:
        return ()
    codes = _judged(recipes, kappa, dynamics, off, complete).codes
    return tuple(Reason(int(code)) for code in codes)


def monte_carlo_tests(
    recipes: Sequence[Recipe],
    draws: int,
    kappa: float = LEVELS["high"],
    dynamics: str = "released",
) -> tuple[Verdict, ...]:
    """`ratio_tests` with the corruption of seeds 0 ... draws-1 in place of the closed form."""
    _check(recipes)
    verdicts: list[Verdict] = []
    for first in range(0, len(recipes), _AT_ONCE):
        verdicts += _drawn(recipes[first : first + _AT_ONCE], draws, kappa, dynamics)
    return tuple(verdicts)


def two_stage(
    recipes: Sequence[Recipe], kappa: float = LEVELS["high"], dynamics: str = "released"
) -> tuple[bool, ...]:
    """Whether each recipe passes with 128 draws and, then, with 1,024 (paper, appendix B)."""
    screened = monte_carlo_tests(recipes, SCREEN, kappa, dynamics)
    left = [index for index, verdict in enumerate(screened) if verdict.solvable]
    confirmed = monte_carlo_tests([recipes[index] for index in left], CONFIRM, kappa, dynamics)
    passed = {i for i, verdict in zip(left, confirmed, strict=True) if verdict.solvable}
    return tuple(index in passed for index in range(len(recipes)))


def candidates_of(recipes: Sequence[Recipe]) -> tuple[Candidates, NDArray[np.int64]]:
    """Recipes of one system as arrays sorted by configuration, and the place of each of them."""
    system = get_system(recipes[0].system)
    names = [variable.name for variable in system.variables]
    rows = [tuple(float(recipe.values[name]) for name in names) for recipe in recipes]
    family = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    numbers = np.array([family[row] for row in rows], np.int64)
    order = np.argsort(numbers, kind="stable")
    steps = [recipe.step for recipe in recipes if recipe.step is not None]
    found = Candidates(
        baselines=np.array(list(family)),
        family=numbers[order],
        parameter=np.array([names.index(step.parameter) for step in steps])[order],
        value=np.array([float(step.value) for step in steps])[order],
        change=np.array([change_row(system, step.time) for step in steps])[order],
        time=np.array([float(step.time) for step in steps])[order],
    )
    return found, np.argsort(order)


def _judged(
    recipes: Sequence[Recipe], kappa: float, dynamics: str, off: frozenset[str], complete: bool
) -> Judged:
    system = get_system(recipes[0].system)
    criteria = Criteria(kappa, switches(system.name, off), complete)
    candidates, places = candidates_of(recipes)
    found = Judge(system, dynamics, criteria).judge(candidates)
    return Judged(
        codes=found.codes[places],
        divergence=found.divergence[places],
        no_change=found.no_change[places],
        static=found.static[places],
    )


def _drawn(recipes: Sequence[Recipe], draws: int, kappa: float, dynamics: str) -> list[Verdict]:
    target = simulate(recipes, dynamics)
    unchanged = simulate([recipe.baseline() for recipe in recipes], dynamics)
    static = simulate([recipe.static() for recipe in recipes], dynamics)
    noise = mean_squares(target, kappa, draws), scales_of(target)
    return [
        Verdict(
            recipe.digest,
            _ratios(target, unchanged, noise, index, _from_step(target, index)),
            _ratios(target, static, noise, index, np.ones(target.time.size, np.bool_)),
        )
        for index, recipe in enumerate(recipes)
    ]


def _ratios(
    target: Runs, probe: Runs, noise: tuple[Floats, Floats], index: int, window: Rows
) -> tuple[float, ...]:
    """The ratio of each channel over the rows of `window`; 0 where no row is left.

    `noise` is the expected squared corruption [run, channel, row] and the scales [run, channel].
    """
    near = window & _near_impacts(target, probe, index)
    corruption, scales = noise
    ratios = []
    for channel, scale in enumerate(scales[index]):
        impulse = target.system.channels[channel].kind == "impulse"
        rows = near if impulse else window
        apart = target.samples[index, channel, rows].astype(np.float64)
        apart -= probe.samples[index, channel, rows]
        ratios.append(_ratio(apart, corruption[index, channel, rows], GUARD * scale))
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


def _check(recipes: Sequence[Recipe]) -> None:
    for recipe in recipes:
        if recipe.step is None:
            raise SpecError(
                "recipe has no step to test",
                value=recipe.digest,
                where=recipe.system,
                hint="Give recipes with a step; a no-change recipe has no probe.",
            )
    if len({recipe.system for recipe in recipes}) > 1:
        raise SpecError(
            "one call tests recipes of exactly one system",
            value=sorted({recipe.system for recipe in recipes}),
            where="ratio tests",
            hint="Group the recipes by system first.",
        )
