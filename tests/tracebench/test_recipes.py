from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.suites.tracebench.published import published, published_by_id
from benchwright.suites.tracebench.recipes import Recipe, Step, srd, validate
from benchwright.suites.tracebench.systems import SYSTEMS

from .drawn import recipes

BALL = published_by_id("BallDrop")["34574575"]
BLOCK = published_by_id("MassSlide")["31dcf19a"]
RAIL = published_by_id("BounceBall")["354dbe3c"]


@given(recipes("MassSlide", stepped=True), st.randoms(use_true_random=False))
def test_identity_does_not_depend_on_the_order_of_keys(recipe: Recipe, random: object) -> None:
    names = list(recipe.values)
    random.shuffle(names)  # type: ignore[attr-defined]
    again = replace(recipe, values={name: recipe.values[name] for name in names})
    assert again.digest == recipe.digest


@given(st.integers(1, 20), st.integers(3, 15))
def test_four_and_four_point_zero_are_the_same_recipe(mass: int, gravity: int) -> None:
    whole = replace(BALL, values={**BALL.values, "mass": mass}, step=Step("gravity", gravity, 4))
    spelled = replace(
        BALL,
        values={**BALL.values, "mass": float(mass)},
        step=Step("gravity", float(gravity), 4.0),
    )
    assert whole.digest == spelled.digest


@given(recipes("BallDrop", stepped=True))
def test_all_runs_of_a_configuration_share_it(recipe: Recipe) -> None:
    assert recipe.configuration == recipe.baseline().digest
    assert recipe.digest != recipe.configuration
    assert recipe.baseline().label == "no parameter change"


@given(recipes("BounceBall", stepped=True))
def test_the_static_probe_differs_from_the_baseline_in_the_stepped_value_only(
    recipe: Recipe,
) -> None:
    assert recipe.step is not None
    static = recipe.static()
    assert static.step is None
    assert static.values[recipe.step.parameter] == recipe.step.value
    assert {**static.values, recipe.step.parameter: 0} == {
        **recipe.values,
        recipe.step.parameter: 0,
    }


def test_any_other_number_is_another_recipe() -> None:
    others = [
        replace(BALL, values={**BALL.values, "mass": math.nextafter(BALL.values["mass"], 9)}),
        replace(BALL, step=Step("gravity", 12.0, 4.0)),
        replace(BALL, step=Step("gravity", 12.0, 4.0025)),
        replace(BALL, step=Step("mass", 12.0, 4.0)),
    ]
    assert len({recipe.digest for recipe in [BALL, *others]}) == 5


def test_relative_difference_is_symmetric_and_as_published() -> None:
    assert srd(1.0, 1.5) == srd(1.5, 1.0) == 0.4
    assert srd(0.0, 0.0) == 0.0
    assert srd(-1.0, 1.0) == 2.0


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_published_configuration_is_valid_and_distinct(name: str) -> None:
    known = {"BallDrop": 24, "BounceBall": 22, "MassSlide": 41}
    found = published(name)
    for recipe in found:
        validate(recipe)
    assert len({recipe.digest for recipe in found}) == known[name]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (Recipe("BallDorp", {}), "Did you mean 'BallDrop'"),
        (replace(BALL, values={**BALL.values, "masss": 2.0}), "Did you mean 'mass'"),
        (replace(BALL, values={"mass": 2.0}), "lacks a variable: 'restitution'"),
        (replace(BALL, values={**BALL.values, "mass": 21.0}), "Allowed: 0.5 to 20 kg"),
        (replace(BALL, values={**BALL.values, "mass": math.nan}), "outside its interval: nan"),
        (replace(BALL, step=Step("restitution", 1.5, 4.0)), "Allowed: 0.15 to 1 1"),
        (replace(BALL, step=Step("gravitas", 12.0, 4.0)), "Did you mean 'gravity'"),
        (replace(BALL, step=Step("initial_height", 1.0, 4.0)), "no such parameter to step"),
        (replace(BALL, step=Step("gravity", 7.5, 4.0)), "at least 3 m/s"),
        (replace(RAIL, step=Step("mass", 95.0, 4.0)), "must be at least 0.3"),
        (replace(BALL, step=Step("gravity", 12.0, 0.0)), "change time is outside the run: 0.0"),
        (replace(BALL, step=Step("gravity", 12.0, 10.0)), "at least one row shows it"),
        (replace(BALL, step=Step("gravity", 12.0, math.inf)), "change time is outside the run"),
        (
            replace(BLOCK, values={**BLOCK.values, "breakaway_friction_coefficient": 0.5}),
            "breakaway_friction_coefficient is below coulomb_friction_coefficient",
        ),
        (
            replace(BLOCK, step=Step("coulomb_friction_coefficient", 2.0, 4.0)),
            "before and after a change",
        ),
    ],
)
def test_an_unusable_recipe_is_refused_and_the_way_out_named(recipe: Recipe, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        validate(recipe)


def test_a_change_of_exactly_the_least_size_is_allowed() -> None:
    values = {**BALL.values, "restitution": 0.65}
    validate(replace(BALL, values=values, step=Step("restitution", 0.95, 4.0)))
