"""What holds for all three systems, and what the two dynamics have in common."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchwright.suites.tracebench.noise import NoiseKey, observe
from benchwright.suites.tracebench.probes import ratio_tests
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.sampler import steps
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.simulate import change_row, simulate
from benchwright.suites.tracebench.solve import happenings, solve
from benchwright.suites.tracebench.systems import SYSTEMS, EventKind

from ..drawn import recipes
from .runs import recipe


def changed(name: str) -> list[Recipe]:
    return [steps(one, 1, "both dynamics")[0] for one in published(name)]


@pytest.mark.parametrize("name", SYSTEMS)
def test_simulate_rounds_what_solve_gives_and_names_the_same_events(name: str) -> None:
    runs = simulate(changed(name), "exact")
    for i, one in enumerate(runs.recipes):
        solution = solve(one)
        assert np.array_equal(runs.samples[i], solution.channels.astype(np.float32))
        assert np.array_equal(runs.events[i], solution.events)
        assert solution.channels.dtype == np.float64


@pytest.mark.parametrize("name", SYSTEMS)
def test_events_alone_are_the_events_of_the_run(name: str) -> None:
    runs = simulate(changed(name), "exact")
    for alone, events in zip(happenings(changed(name)), runs.events, strict=True):
        assert np.array_equal(alone, events)
    assert happenings([]) == ()


def test_a_run_with_many_events_keeps_them_all_and_leaves_the_others_alone() -> None:
    calm = recipe("BounceBall")
    wild = recipe(
        "BounceBall",
        inclination_angle=-1.0,
        initial_position=14.99,
        restitution_right=0.99,
        initial_velocity=0.0,
    )
    runs = simulate([calm, wild, calm], "exact")
    assert len(runs.events[1]) > 64
    assert np.array_equal(runs.events[0], runs.events[2])
    assert np.array_equal(runs.events[1], solve(wild).events)
    assert np.array_equal(runs.samples[1], solve(wild).channels.astype(np.float32))


@settings(max_examples=100)
@given(st.data())
@pytest.mark.parametrize("name", SYSTEMS)
def test_an_event_belongs_to_the_first_row_not_before_it(name: str, data: st.DataObject) -> None:
    drawn = data.draw(recipes(name, stepped=True))
    solution = solve(drawn)
    rows, times = solution.events["row"], solution.events["time"]
    assert (np.diff(times) >= -1e-12).all()
    assert (times <= solution.time[rows] + 1e-12).all()
    later = rows > 0
    assert (times[later] > solution.time[rows[later] - 1]).all()
    assert drawn.step is not None
    (change,) = solution.events[solution.events["kind"] == EventKind.CHANGE]
    assert change["time"] == drawn.step.time
    assert change["row"] == change_row(solution.system, drawn.step.time)


@settings(max_examples=60)
@given(st.data())
@pytest.mark.parametrize("name", SYSTEMS)
def test_rows_before_the_change_are_those_of_the_run_without_it(
    name: str, data: st.DataObject
) -> None:
    drawn = data.draw(recipes(name, stepped=True))
    assert drawn.step is not None
    row = change_row(SYSTEMS[name], drawn.step.time)
    one, two = solve(drawn).channels, solve(drawn.baseline()).channels
    size = np.abs(two).max(axis=1, keepdims=True) + 1e-300
    assert (np.abs(one - two)[:, :row] <= 1e-12 * size).all()


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_step_to_the_same_value_changes_nothing_but_rounding(name: str) -> None:
    for one in changed(name):
        assert one.step is not None
        same = replace(one.step, value=one.values[one.step.parameter])
        stepped, still = solve(replace(one, step=same)), solve(one.baseline())
        kinds = stepped.events["kind"]
        assert np.array_equal(kinds[kinds != EventKind.CHANGE], still.events["kind"])
        times = stepped.events["time"][kinds != EventKind.CHANGE]
        assert np.allclose(times, still.events["time"], rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_last_bit_of_the_parameters_moves_no_event_and_no_sample(name: str) -> None:
    ones = [solve(one) for one in changed(name)]
    for one in ones:
        # Round periods put pulse edges on sample instants, where the last bit does decide.
        moved = {
            key: value * (1.0 if key == "Period" else 1.0 + 1e-12)
            for key, value in one.recipe.values.items()
        }
        assert one.recipe.step is not None
        step = replace(one.recipe.step, value=one.recipe.step.value * (1.0 + 1e-12))
        other = solve(replace(one.recipe, values=moved, step=step))
        assert np.array_equal(one.events["kind"], other.events["kind"])
        assert np.array_equal(one.events["row"], other.events["row"])
        size = np.abs(one.channels).max(axis=1, keepdims=True) + 1e-300
        assert (np.abs(one.channels - other.channels) <= 1e-8 * size).all()


@pytest.mark.parametrize("name", SYSTEMS)
def test_noise_and_ratio_tests_take_the_exact_dynamics_by_its_name(name: str) -> None:
    stepped = changed(name)[:4]
    runs = simulate(stepped, "exact")
    noisy = observe(runs, 1.0, NoiseKey("exact", tuple(one.digest for one in stepped)))
    assert np.isfinite(noisy.samples).all()
    assert (noisy.samples != runs.samples).any(axis=(1, 2)).all()
    assert len(ratio_tests(stepped, 4.0, dynamics="exact")) == 4


def early(one: Recipe) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Rows before anything but a pulse happens, and both dynamics in these rows."""
    runs = [simulate([one], dynamics) for dynamics in ("exact", "released")]
    pulses = (EventKind.PULSE_ON, EventKind.PULSE_OFF)
    events = [r.events[0][~np.isin(r.events[0]["kind"], pulses)] for r in runs]
    rows = min(
        int(e["row"][0]) if e.size else r.system.rows for e, r in zip(events, runs, strict=True)
    )
    first, second = (r.samples[0, :, :rows].astype(np.float64) for r in runs)
    return rows, first, second


def errors_of_euler(one: Recipe, velocity: NDArray[np.float64]) -> tuple[float, float]:
    """Acceleration at most, and the rate at which it changes with the velocity."""
    values, fast = one.values, float(np.abs(velocity).max())
    if one.system == "BallDrop":
        k = values["drag_coeff"] / values["mass"]
        return values["gravity"] + k * fast * fast, 2.0 * k * fast
    k = values["viscous_damping"] / values["mass"]
    pull = 9.81 * abs(math.sin(math.radians(values["inclination_angle"])))
    return pull + k * fast, k


@pytest.mark.parametrize("name", ["BallDrop", "BounceBall"])
def test_both_dynamics_agree_up_to_the_error_of_one_euler_step_per_row(name: str) -> None:
    # A step of backward Euler is off by at most dt^2 / 2 times the derivative of what it advances,
    # and neither law of motion lets an error in the velocity grow.
    dt, compared = SYSTEMS[name].dt, 0
    for one in shipped(name):
        rows, exact, released = early(one.baseline())
        if not rows:
            continue
        compared += 1
        time = SYSTEMS[name].times[:rows]
        most, rate = errors_of_euler(one, np.append(exact[1], one.values["initial_velocity"]))
        speed = 0.5 * dt * time * most * rate
        place = 0.5 * dt * time * most + time * speed
        rounding = 2e-6
        assert (np.abs(exact[1] - released[1]) <= speed + rounding).all()
        assert (np.abs(exact[0] - released[0]) <= place + rounding).all()
        assert (exact[2] == 0.0).all()
        assert (released[2] == 0.0).all()
    assert compared > 20


def test_sliding_blocks_agree_up_to_the_row_of_a_pulse_edge() -> None:
    dt, compared = SYSTEMS["MassSlide"].dt, 0
    for one in shipped("MassSlide"):
        rows, exact, released = early(one.baseline())
        sliding = (np.minimum(np.abs(exact[0]), np.abs(released[0])) > 0.1).cumprod().astype(bool)
        if not sliding.any():
            continue
        compared += 1
        edges = 1.0 + 2.0 * SYSTEMS["MassSlide"].times[:rows] / one.values["Period"]
        jump = edges * dt * abs(one.values["Amplitude"]) / one.values["mass"]
        assert (np.abs(exact[0] - released[0]) <= jump + 1e-5)[sliding].all()
        assert np.allclose(exact[1:, sliding], released[1:, sliding], rtol=1e-6)
    assert compared > 20
