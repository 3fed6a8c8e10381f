from __future__ import annotations

import pytest

from benchwright.suites.tracebench.published import published_by_id
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.visibility import refusal

SETTLES = published_by_id("BallDrop")["34574575"]
"""Impacts at 0.5175, 1.9675, 2.555 and 2.795 s; at rest from 2.895 s."""
WALLS = published_by_id("BounceBall")["8549e70b"]
"""First hit on the right wall at 2.58 s with more than 3,000 N."""
BLOCK = published_by_id("MassSlide")["322aa53b"]
"""Pulses of 33.6 N move it against a breakaway friction of 17.9 N."""


def why(configuration: Recipe, parameter: str, value: float, time: float) -> str | None:
    recipe = Recipe(configuration.system, configuration.values, Step(parameter, value, time))
    return refusal(simulate([recipe]), simulate([configuration]), 0)


@pytest.mark.parametrize(
    ("parameter", "value"), [("restitution", 0.9), ("mass", 9.0), ("drag_coeff", 4.0)]
)
def test_a_ball_must_touch_the_ground_on_both_sides(parameter: str, value: float) -> None:
    assert why(SETTLES, parameter, value, 0.3) == "no rebound before or after the change"
    assert why(SETTLES, parameter, value, 8.0) == "no apex above 0.1 m after the change"


def test_gravity_needs_no_contact_before() -> None:
    assert why(SETTLES, "gravity", 14.0, 0.3) is None
    assert why(SETTLES, "restitution", 0.9, 1.0) is None


def test_a_ball_that_rebounds_too_often_is_refused() -> None:
    low = {"restitution": 0.99, "initial_height": 0.2, "initial_velocity": 0.0}
    lively = Recipe("BallDrop", {**SETTLES.values, **low})
    assert why(lively, "gravity", 14.0, 5.0) == "too many rebounds"


def test_mass_and_damping_need_strong_right_contacts_on_both_sides() -> None:
    assert why(WALLS, "mass", 9.0, 2.0) is not None
    light = Recipe("BounceBall", {**WALLS.values, "mass": 0.3, "viscous_damping": 0.001})
    assert why(light, "viscous_damping", 0.1, 15.0) == "no strong right contact on both sides"
    assert why(WALLS, "inclination_angle", 1.64, 2.0) is None


def test_a_block_that_never_slides_again_hides_its_friction() -> None:
    breakaway = "breakaway_friction_coefficient"
    assert why(BLOCK, breakaway, 15.0, 7.0) == "does not slide again after the change"
    assert why(BLOCK, breakaway, 9.0, 5.0) == "never clearly apart for five rows"
    assert why(BLOCK, "gravity_constant", 12.0, 7.0) is None


def test_a_run_without_a_step_is_never_refused() -> None:
    runs = simulate([SETTLES])
    assert refusal(runs, runs, 0) is None
