from __future__ import annotations

import math

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.monte_carlo import NAME, mean_squares
from benchwright.suites.tracebench.noise import observed, spreads_of, variance
from benchwright.suites.tracebench.probes import (
    CONFIRM,
    SCREEN,
    Verdict,
    monte_carlo_tests,
    ratio_tests,
    two_stage,
)
from benchwright.suites.tracebench.published import published_by_id
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import simulate

SETTLES = published_by_id("BallDrop")["34574575"]
"""Impacts at 0.5175, 1.9675, 2.555 and 2.795 s; at rest from 2.895 s."""


def stepped(configuration: Recipe, parameter: str, value: float, time: float) -> Recipe:
    return Recipe(configuration.system, configuration.values, Step(parameter, value, time))


def test_a_change_that_nothing_shows_has_ratio_zero() -> None:
    (verdict,) = ratio_tests([stepped(SETTLES, "restitution", 0.9, 8.0)])
    assert verdict.no_change == (0.0, 0.0, 0.0)
    assert not verdict.solvable


def test_a_change_before_the_first_contact_equals_the_value_that_always_held() -> None:
    (verdict,) = ratio_tests([stepped(SETTLES, "restitution", 0.9, 0.3)])
    assert verdict.static == (0.0, 0.0, 0.0)
    assert max(verdict.no_change) > 2.0
    assert not verdict.solvable


def test_contact_force_counts_near_impacts_only() -> None:
    (verdict,) = ratio_tests([stepped(SETTLES, "gravity", 14.0, 8.0)])
    assert verdict.no_change[2] == 0.0


def test_a_published_change_passes_both_tests() -> None:
    configuration = published_by_id("BallDrop")["47f84b9f"]
    (verdict,) = ratio_tests([stepped(configuration, "gravity", 9.4147, 4.07)])
    assert verdict.solvable


def test_the_limit_itself_does_not_pass() -> None:
    assert not Verdict("", (2.0, 0.0), (9.0, 0.0)).solvable
    assert not Verdict("", (9.0, 0.0), (0.0, 2.0)).solvable
    assert Verdict("", (0.0, 2.0000001), (2.0000001, 0.0)).solvable


def test_a_ratio_that_is_no_number_passes_no_test() -> None:
    for other in (0.0, 9.0):
        assert not Verdict("", (math.nan, other), (9.0, 9.0)).solvable
        assert not Verdict("", (other, 9.0), (9.0, math.nan)).solvable


def test_monte_carlo_ratios_follow_their_definition() -> None:
    recipe = stepped(published_by_id("BounceBall")["8549e70b"], "inclination_angle", 1.64, 12.0)
    target, unchanged = simulate([recipe]), simulate([recipe.baseline()])
    after = target.time >= 12.0
    apart = target.samples[0, 0, after].astype(float) - unchanged.samples[0, 0, after]
    sigma = math.sqrt(mean_squares(target, 4.0, 16)[0, 0, after].mean())
    (verdict,) = monte_carlo_tests([recipe], draws=16)
    assert verdict.no_change[0] == pytest.approx(math.sqrt(np.mean(apart**2)) / sigma)
    assert verdict.digest == recipe.digest


def test_a_recipe_without_a_step_is_refused() -> None:
    with pytest.raises(SpecError, match="no step"):
        ratio_tests([SETTLES])
    assert ratio_tests([]) == ()


def test_both_stages_must_pass() -> None:
    configuration = published_by_id("MassSlide")["b9f73c1b"]
    values = [configuration.values["gravity_constant"] + 1.9 + 0.3 * n for n in range(12)]
    recipes = [stepped(configuration, "gravity_constant", value, 7.9) for value in values]
    small = 0.0002
    recipes += [stepped(configuration, "plane_inclination", 15 + small * n, 7.9) for n in range(12)]
    assert (SCREEN, CONFIRM) == (128, 1024)
    stages = [monte_carlo_tests(recipes, draws) for draws in (128, 1024)]
    both = tuple(all(v.solvable for v in pair) for pair in zip(*stages, strict=True))
    assert two_stage(recipes) == both
    assert {True, False} == set(both)


def test_recipes_of_two_systems_are_refused() -> None:
    slide = stepped(published_by_id("MassSlide")["b9f73c1b"], "gravity_constant", 20.0, 3.0)
    with pytest.raises(SpecError, match="one system"):
        ratio_tests([stepped(SETTLES, "gravity", 14.0, 8.0), slide])


def test_monte_carlo_is_the_mean_over_observations_of_seeds_from_zero() -> None:
    runs, draws = simulate([published_by_id("MassSlide")["b9f73c1b"]]), 70
    means = mean_squares(runs, 4.0, draws)
    for channel, spread in enumerate(spreads_of(runs)[0]):
        clean = runs.samples[0, channel].astype(np.float64)
        squares = [
            (observed(clean, spread, 4.0, Stream(str(seed), NAME), channel) - clean) ** 2
            for seed in range(draws)
        ]
        assert means[0, channel] == pytest.approx(np.mean(squares, axis=0), rel=1e-9)


@pytest.mark.parametrize("system", ["BallDrop", "BounceBall", "MassSlide"])
def test_closed_form_sigma_agrees_with_1024_draws(system: str) -> None:
    runs = simulate(list(published_by_id(system).values())[:2])
    means = mean_squares(runs, 4.0, 1024)
    for index in range(2):
        for channel, spread in enumerate(spreads_of(runs)[index]):
            sigma = math.sqrt(variance(spread, 4.0).mean())
            # One constant per draw (friction) leaves 1/sqrt(2 N) = 2.2 % of its share; rows less.
            allowed = 0.045 if spread.bias else 0.01
            assert math.sqrt(means[index, channel].mean()) == pytest.approx(sigma, rel=allowed)
