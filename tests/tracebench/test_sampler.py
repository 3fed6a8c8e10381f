from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.suites.tracebench.published import published, published_by_id
from benchwright.suites.tracebench.recipes import srd, validate
from benchwright.suites.tracebench.sampler import children, choices, steps, valid_values
from benchwright.suites.tracebench.systems import SYSTEMS, get_system


@settings(max_examples=30)
@given(st.sampled_from(sorted(SYSTEMS)), st.integers(0, 21), st.text(max_size=3))
def test_every_drawn_step_is_valid_and_inside_the_documented_policy(
    name: str, index: int, seed: str
) -> None:
    system, configuration = get_system(name), published(name)[index]
    for recipe in steps(configuration, 5, seed):
        validate(recipe)
        assert recipe.step is not None
        assert 0.2 <= recipe.step.time / system.horizon_s <= 0.8
        assert np.isclose(system.times, recipe.step.time, rtol=0, atol=1e-12).any()
        low, high = system.variable(recipe.step.parameter).documented
        assert low <= recipe.step.value <= high
        assert recipe.baseline() == configuration


def test_more_draws_extend_the_same_list() -> None:
    configuration = published("BounceBall")[3]
    assert steps(configuration, 7, "s")[:3] == steps(configuration, 3, "s")
    assert steps(configuration, 3, "s") != steps(configuration, 3, "t")


def test_children_cover_every_parameter_and_side_that_has_a_value() -> None:
    configuration = published("MassSlide")[0]
    made = children(configuration, 3, "s")
    assert len(made) == 3 * len(choices(configuration)) == len({r.digest for r in made})


def test_the_nearest_valid_value_is_at_both_minimum_distances() -> None:
    configuration = published_by_id("BallDrop")["cf90c926"]
    bounds = valid_values(configuration, "gravity", "increase")
    assert bounds == pytest.approx((3.925 + 3.0, 15.0), abs=1e-8)
    heavy = valid_values(configuration, "mass", "decrease")
    assert heavy is not None
    assert srd(heavy[1], 19.43) == pytest.approx(0.1, abs=1e-8)
    assert valid_values(configuration, "gravity", "decrease") is None


def test_a_tilt_through_zero_counts_its_relative_distance_on_the_near_side_only() -> None:
    configuration = published_by_id("BounceBall")["0dda565c"]
    down = valid_values(configuration, "inclination_angle", "decrease")
    assert down is not None
    assert down[0] == -4.0
    assert srd(down[1], 0.42) == pytest.approx(0.3, abs=1e-7)


@pytest.mark.parametrize("index", range(41))
def test_breakaway_never_falls_below_coulomb_friction(index: int) -> None:
    configuration = published("MassSlide")[index]
    values = configuration.values
    for name, side in choices(configuration):
        bounds = valid_values(configuration, name, side)
        assert bounds is not None
        if name.startswith("coulomb"):
            assert bounds[1] <= values["breakaway_friction_coefficient"]
        if name.startswith("breakaway"):
            assert bounds[0] >= values["coulomb_friction_coefficient"]
