"""Recipes that a spec draws: complete configurations, and at least high noise to pass."""

from __future__ import annotations

from collections import defaultdict

import pytest

from benchwright.suites.tracebench.noise import LEVELS
from benchwright.suites.tracebench.pool_recipes import Drawn, draw
from benchwright.suites.tracebench.pools.policy import load_policy, shipped_policies
from benchwright.suites.tracebench.probes import refusals
from benchwright.suites.tracebench.solvability.ratios import LIMIT
from benchwright.suites.tracebench.solvability.reasons import Reason

LOUD = 16.0


def drawn(kappa: float) -> Drawn:
    return draw(load_policy("balldrop-paper-like"), 10, "a seed", kappa, "exact")


def test_the_limit_is_two_and_every_shipped_policy_judges_at_high_noise() -> None:
    assert (LIMIT, LEVELS["high"]) == (2.0, 4.0)
    assert {load_policy(name).solvability.kappa for name in shipped_policies()} == {4.0}


@pytest.mark.parametrize(
    ("kappa", "judged"), [(LEVELS["low"], LEVELS["high"]), (LOUD, LOUD)], ids=["quiet", "loud"]
)
def test_what_is_drawn_passes_at_high_noise_or_at_the_sets_own_if_that_is_more(
    kappa: float, judged: float
) -> None:
    found = drawn(kappa)
    assert found.complete >= 10
    assert set(refusals(found.recipes, judged, "exact")) == {Reason.KEPT}
    # Not vacuous: among steps that were judged at high noise some fail at the louder level.
    assert kappa == LOUD or set(refusals(found.recipes, LOUD, "exact")) != {Reason.KEPT}


def test_every_configuration_that_is_used_has_a_step_on_every_parameter() -> None:
    causes: dict[str, set[str]] = defaultdict(set)
    for recipe in drawn(LEVELS["low"]).recipes:
        assert recipe.step is not None
        causes[recipe.configuration].add(recipe.step.parameter)
    every = set(load_policy("balldrop-paper-like").parameters)
    assert {frozenset(found) for found in causes.values()} == {frozenset(every)}
