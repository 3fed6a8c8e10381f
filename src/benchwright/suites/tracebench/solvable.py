"""Refusing own recipes whose change cannot be seen: a set that asks about them would be unsound.

Takes recipes of one system and the strongest noise of the set; gives nothing, or one SpecError that
names the first recipe which fails a ratio test, with its ratio. Shipped recipes passed already.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchwright.errors import SpecError
from benchwright.suites.tracebench.listed import recipe_id
from benchwright.suites.tracebench.probes import Verdict, ratio_tests
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.solvability.ratios import LIMIT


def check_solvable(
    recipes: Sequence[Recipe], kappa: float, dynamics: str, where: str = "spec"
) -> None:
    """SpecError unless every change is told apart from no change and from a static value.

    `where` says where the recipes were read from.
    """
    stepped = [recipe for recipe in recipes if recipe.step is not None]
    failed = [
        (recipe, verdict)
        for recipe, verdict in zip(
            stepped, ratio_tests(stepped, kappa, dynamics=dynamics), strict=True
        )
        if not verdict.solvable
    ]
    if failed:
        raise _refused(failed, len(stepped), kappa, where)


def _refused(
    failed: Sequence[tuple[Recipe, Verdict]], count: int, kappa: float, where: str
) -> SpecError:
    recipe, verdict = failed[0]
    assert recipe.step is not None
    ratio = min(max(verdict.no_change), max(verdict.static))
    return SpecError(
        f"{len(failed)} of {count} own recipes change too little to be seen at noise {kappa:g}",
        value=f"{recipe_id(recipe)}: ratio {ratio:.2f}",
        where=f"{where}: recipes, {recipe.system}, "
        f"{recipe.step.parameter} to {recipe.step.value:g}",
        hint=f"A ratio above {LIMIT:g} is needed: make the change larger, move it, or lower noise.",
    )
