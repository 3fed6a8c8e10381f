"""The samples of the jumps bar are balanced, spread, solvable, not shipped, and always the same."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.jump_samples import COUNT, near, rises, samples, solvable_steps
from benchwright.errors import SpecError
from benchwright.suites.tracebench.probes import ratio_tests
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.recipes import Recipe, validate
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.systems import SYSTEMS, get_system

EACH = pytest.mark.parametrize("system", sorted(SYSTEMS))
FEW = 7


def balanced_and_new(system: str, recipes: list[Recipe], baselines: set[str]) -> None:
    per_class = Counter(recipe.label for recipe in recipes)
    assert set(per_class) == set(get_system(system).labels)
    assert max(per_class.values()) - min(per_class.values()) <= 1
    listed = {recipe.digest for recipe in shipped(system)}
    assert len({recipe.digest for recipe in recipes} - listed) == len(recipes)
    for recipe in recipes:
        validate(recipe)
        assert (recipe.configuration in baselines) == (recipe.step is not None)


@EACH
def test_a_few_samples_are_balanced_new_spread_and_drawn_alike_again(system: str) -> None:
    baselines = published(system)[3::5]
    drawn = samples(system, FEW, baselines)
    assert drawn == samples(system, FEW, baselines)
    assert len(drawn) == FEW
    balanced_and_new(system, [r for _, r in drawn], {b.digest for b in baselines})
    uses = Counter(origin for origin, _ in drawn)
    assert set(uses) <= {b.digest for b in baselines}
    assert max(uses.values()) <= 3


def test_kept_steps_pass_both_ratio_tests_at_high_noise_between_a_fifth_and_four() -> None:
    configuration = published("MassSlide")[0]
    kept = solvable_steps(configuration)
    assert len({recipe.label for recipe in kept}) >= 2
    assert all(verdict.solvable for verdict in ratio_tests(kept))
    horizon = get_system("MassSlide").horizon_s
    for recipe in kept:
        assert recipe.step is not None
        assert 0.2 <= recipe.step.time / horizon <= 0.8


@EACH
def test_near_a_baseline_is_within_five_percent_allowed_and_elsewhere(system: str) -> None:
    for baseline in published(system):
        found = list(near(baseline))
        assert found
        assert baseline not in found
        for recipe in found:
            validate(recipe)
            for name, value in recipe.values.items():
                assert abs(value - baseline.values[name]) <= 0.0501 * abs(baseline.values[name])


def test_too_few_baselines_for_a_class_are_named() -> None:
    baseline = published("MassSlide")[0]
    with pytest.raises(SpecError, match="baselines are too few"):
        samples("MassSlide", COUNT, [baseline])


@pytest.mark.slow
@EACH
def test_all_samples_are_balanced_new_and_evenly_spread_over_baselines_and_sides(
    system: str,
) -> None:
    drawn = samples(system)
    recipes = [recipe for _, recipe in drawn]
    assert len(recipes) == COUNT
    balanced_and_new(system, recipes, {b.digest for b in published(system)})
    uses = Counter(origin for origin, _ in drawn)
    assert len(uses) >= 20
    assert max(uses.values()) - min(uses.values()) <= 1
    sides = Counter(rises(recipe) for recipe in recipes)
    assert min(sides[True], sides[False]) >= 12
