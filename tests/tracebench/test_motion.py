"""What the three systems do, whatever their parameters."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from benchwright.suites.tracebench.published import published, published_by_id
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import Runs, rows_of, simulate
from benchwright.suites.tracebench.systems import EventKind
from benchwright.suites.tracebench.systems.mass_slide import friction

from .drawn import recipes

Array = NDArray[np.float64]
EPS = float(np.finfo(np.float32).eps)


def run(recipe: Recipe) -> tuple[Array, Array, Array, Runs]:
    runs = simulate([recipe])
    first, second, third = runs.samples[0].astype(np.float64)
    return first, second, third, runs


@settings(max_examples=200)
@given(recipes("BallDrop", stepped=True))
def test_a_rebound_keeps_the_ball_above_the_floor(recipe: Recipe) -> None:
    height, _, force, _ = run(recipe)
    assert height.min() >= 0.0
    assert force.min() >= 0.0


@settings(max_examples=200)
@given(recipes("BallDrop"))
def test_flight_and_rebounds_never_gain_speed(recipe: Recipe) -> None:
    height, velocity, _, runs = run(recipe)
    gravity, e = recipe.values["gravity"], recipe.values["restitution"]
    impacts = rows_of(runs.events[0], EventKind.IMPACT)
    touched = np.isin(
        np.arange(1, len(height)), [*impacts, *rows_of(runs.events[0], EventKind.SETTLE)]
    )
    energy = 0.5 * velocity**2 + gravity * height
    assert (np.diff(energy)[~touched] <= 4 * EPS * energy.max()).all()
    inner = impacts[impacts > 0]
    fastest = e * (np.abs(velocity[inner - 1]) + gravity * runs.system.dt)
    assert (velocity[inner] <= fastest * (1 + 4 * EPS)).all()


def test_a_ball_slower_than_half_a_metre_per_second_rests_for_good() -> None:
    recipe = published_by_id("BallDrop")["34574575"]
    height, velocity, force, runs = run(recipe)
    (row,) = rows_of(runs.events[0], EventKind.SETTLE)
    assert (velocity[row:] == 0.0).all()
    assert (height[row:] == height[row - 1]).all()
    weight = recipe.values["mass"] * recipe.values["gravity"]
    assert force[row + 1 :] == pytest.approx(weight, rel=EPS)
    stop = recipe.values["mass"] * abs(velocity[row - 1]) / runs.system.dt
    assert force[row] == pytest.approx(stop + weight, rel=1e-6)


def test_at_rest_a_change_of_gravity_shows_in_the_weight_only() -> None:
    recipe = published_by_id("BallDrop")["34574575"]
    changed = replace(recipe, step=Step("gravity", 12.0, 6.0))
    height, velocity, force, runs = run(changed)
    before = run(recipe)
    (row,) = rows_of(runs.events[0], EventKind.CHANGE)
    assert np.array_equal(height, before[0])
    assert np.array_equal(velocity, before[1])
    assert force[row] / force[row - 1] == pytest.approx(12.0 / recipe.values["gravity"], rel=1e-6)


@pytest.mark.parametrize("parameter", ["mass", "drag_coeff", "restitution", "gravity"])
def test_motion_is_continuous_across_the_change(parameter: str) -> None:
    recipe = published_by_id("BallDrop")["b587da78"]
    high = {"mass": 20.0, "drag_coeff": 5.0, "restitution": 1.0, "gravity": 15.0}[parameter]
    height, velocity, _, runs = run(replace(recipe, step=Step(parameter, high, 2.0)))
    (row,) = rows_of(runs.events[0], EventKind.CHANGE)
    assert abs(velocity[row] - velocity[row - 1]) <= (high + 15.0) * runs.system.dt
    assert height[row] - height[row - 1] == pytest.approx(velocity[row] * runs.system.dt, abs=1e-6)


@settings(max_examples=200)
@given(recipes("BounceBall", stepped=True))
def test_the_mass_stays_between_the_walls(recipe: Recipe) -> None:
    position, _, force, _ = run(recipe)
    assert position.min() >= 0.0
    assert position.max() <= 15.0
    assert force.min() >= 0.0


@settings(max_examples=100)
@given(recipes("BounceBall"))
def test_only_the_right_wall_carries_force(recipe: Recipe) -> None:
    _, _, force, runs = run(recipe)
    right = rows_of(runs.events[0], EventKind.IMPACT_RIGHT)
    rest = rows_of(runs.events[0], EventKind.SETTLE_RIGHT)
    loaded = np.flatnonzero(force)
    assert set(right) <= set(loaded)
    assert set(loaded[loaded < (rest[0] if rest.size else len(force))]) == set(right)


@settings(max_examples=100)
@given(recipes("BounceBall"))
def test_a_rebound_from_a_wall_keeps_at_most_its_share_of_the_speed(recipe: Recipe) -> None:
    _, velocity, _, runs = run(recipe)
    tilt = 9.81 * abs(math.sin(math.radians(recipe.values["inclination_angle"]))) * runs.system.dt
    sides = {EventKind.IMPACT_LEFT: "left", EventKind.IMPACT_RIGHT: "right"}
    for kind, side in sides.items():
        rows = rows_of(runs.events[0], kind)
        rows = rows[rows > 0]
        most = recipe.values[f"restitution_{side}"] * (np.abs(velocity[rows - 1]) + tilt)
        assert (np.abs(velocity[rows]) <= most * (1 + 4 * EPS)).all()


def test_a_mass_pushed_into_a_wall_comes_to_rest_and_leaves_when_the_tilt_turns() -> None:
    recipe = published_by_id("BounceBall")["38286212"]
    values = {**recipe.values, "inclination_angle": -2.0, "restitution_right": 0.3}
    turned = replace(recipe, values=values, step=Step("inclination_angle", 2.0, 50.0))
    position, velocity, force, runs = run(turned)
    (rest,) = rows_of(runs.events[0], EventKind.SETTLE_RIGHT)
    (change,) = rows_of(runs.events[0], EventKind.CHANGE)
    assert (velocity[rest:change] == 0.0).all()
    load = recipe.values["mass"] * 9.81 * math.sin(math.radians(2.0))
    assert force[rest + 1 : change] == pytest.approx(load, rel=1e-6)
    assert velocity[change] < 0.0
    assert force[change] == 0.0
    assert position[-1] < position[rest]


@settings(max_examples=100)
@given(recipes("MassSlide", stepped=True))
def test_every_row_of_the_block_obeys_its_equation_of_motion(recipe: Recipe) -> None:
    velocity, force, normal, runs = run(recipe)
    (change,) = rows_of(runs.events[0], EventKind.CHANGE)
    for values, rows in (
        (recipe.values, slice(1, change)),
        (recipe.after(), slice(change or 1, None)),
    ):
        angle = math.radians(values["plane_inclination"])
        weight = values["mass"] * values["gravity_constant"]
        assert normal[rows] == pytest.approx(weight * math.cos(angle), rel=1e-6)
        phase = runs.time / values["Period"]
        pulse = np.where(phase - np.floor(phase + 1e-9) < 0.1 - 1e-9, values["Amplitude"], 0.0)
        load = pulse - weight * math.sin(angle) + force
        gained = np.diff(velocity, prepend=recipe.values["initial_velocity"])
        size = np.abs(pulse) + weight + np.abs(force)
        slack = 4 * EPS * (np.abs(velocity).max() + size * runs.system.dt / values["mass"])
        wrong = gained - load * runs.system.dt / values["mass"]
        assert (np.abs(wrong)[rows] <= slack[rows]).all()


@settings(max_examples=100)
@given(recipes("MassSlide"))
def test_friction_opposes_the_motion_and_follows_the_law(recipe: Recipe) -> None:
    velocity, force, normal, _ = run(recipe)
    coulomb = recipe.values["coulomb_friction_coefficient"]
    breakaway = recipe.values["breakaway_friction_coefficient"]
    assert (velocity * force <= 0.0).all()
    assert (np.abs(force) <= (breakaway + coulomb) * normal * (1 + 4 * EPS)).all()
    sliding = np.abs(velocity) > 0.1
    assert np.abs(force[sliding]) == pytest.approx(coulomb * normal[sliding], rel=1e-5)


def test_the_friction_law_peaks_near_the_breakaway_velocity_and_levels_off() -> None:
    speeds = np.linspace(0.0, 0.2, 4001)
    shares = np.array([friction(float(v), 0.5, 2.0)[0] for v in speeds])
    slopes = np.array([friction(float(v), 0.5, 2.0)[1] for v in speeds])
    assert speeds[shares.argmax()] == pytest.approx(0.01, rel=0.05)
    assert shares.max() == pytest.approx(2.0, rel=0.01)
    assert shares[-1] == pytest.approx(0.5)
    assert np.gradient(shares, speeds)[1:-1] == pytest.approx(slopes[1:-1], abs=0.5)


def test_stick_and_slip_alternate() -> None:
    for events in simulate(published("MassSlide")).events:
        turns = events["kind"][np.isin(events["kind"], (EventKind.STICK, EventKind.SLIP))]
        assert (np.diff(turns) != 0).all()


def test_pulses_last_a_tenth_of_the_period() -> None:
    recipe = published_by_id("MassSlide")["1e4d0d6c"]
    runs = simulate([recipe])
    on = rows_of(runs.events[0], EventKind.PULSE_ON)
    off = rows_of(runs.events[0], EventKind.PULSE_OFF)
    assert runs.time[on].tolist() == pytest.approx([2.26, 4.5, 6.76, 9.0])
    assert runs.time[off].tolist() == pytest.approx([0.24, 2.48, 4.74, 6.98, 9.24], abs=0.011)
