from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.solve import solve
from benchwright.suites.tracebench.systems import EventKind

from ..drawn import recipes
from .runs import happened, names, run


def test_a_fall_without_drag_takes_the_time_of_the_textbook() -> None:
    # 4 m at 8 m/s^2: one second, 8 m/s; up again with 4 m/s for half a second and down.
    solution = run("BallDrop")
    assert happened(solution)[:2] == [("IMPACT", 1.0), ("IMPACT", 2.0)]
    assert solution.channels[0, 199] == pytest.approx(3.0, rel=1e-14)
    assert solution.channels[1, 199] == pytest.approx(-4.0, rel=1e-14)
    assert solution.channels[0, 599] == pytest.approx(1.0, rel=1e-14)


def test_an_impact_on_a_sample_instant_shows_in_that_row() -> None:
    solution = run("BallDrop")
    row = int(solution.events["row"][0])
    assert solution.time[row] == 1.0
    assert solution.channels[:, row] == pytest.approx([0.0, 4.0, 2.0 * (8.0 + 4.0) * 400])
    assert solution.channels[1, row - 1] < 0.0
    assert (solution.channels[2, [row - 1, row + 1]] == 0.0).all()


def test_an_impact_between_rows_shows_in_the_later_one() -> None:
    solution = run("BallDrop", initial_height=4.04)
    (kind, time), row = happened(solution)[0], int(solution.events["row"][0])
    assert kind == "IMPACT"
    assert time == pytest.approx(math.sqrt(2 * 4.04 / 8.0), rel=1e-15)
    assert solution.time[row - 1] < time < solution.time[row]
    speed = math.sqrt(2 * 8.0 * 4.04)
    assert solution.channels[2, row] == pytest.approx(2.0 * 1.5 * speed * 400, rel=1e-14)


def test_an_impact_at_exactly_half_a_metre_per_second_is_a_rebound() -> None:
    assert names(run("BallDrop", initial_height=0.0, initial_velocity=-0.5))[0] == "IMPACT"
    slower = np.nextafter(-0.5, 0.0)
    assert names(run("BallDrop", initial_height=0.0, initial_velocity=slower)) == ["SETTLE"]
    # And after a flight: rebounds of 4, 2, 1, 0.5 m/s come back as fast as they left.
    assert names(run("BallDrop")) == ["IMPACT"] * 5 + ["SETTLE"]


def test_a_settled_ball_carries_its_weight_for_good() -> None:
    solution = run("BallDrop", ("gravity", 12.0, 7.0))
    rest = int(solution.events["row"][names(solution).index("SETTLE")])
    change = int(solution.events["row"][-1])
    height, velocity, force = solution.channels
    assert (height[rest:] == 0.0).all()
    assert (velocity[rest:] == 0.0).all()
    assert force[rest] == pytest.approx(2.0 * 0.25 * 400 + 16.0, rel=1e-12)
    assert (force[rest + 1 : change] == 16.0).all()
    assert (force[change:] == 24.0).all()


def test_a_ball_on_the_ground_meets_it_at_once() -> None:
    resting = run("BallDrop", initial_height=0.0)
    assert happened(resting) == [("SETTLE", 0.0)]
    assert (resting.channels[2] == 16.0).all()
    falling = run("BallDrop", initial_height=0.0, initial_velocity=-4.0)
    assert happened(falling)[0] == ("IMPACT", 0.0)
    assert falling.channels[2, 0] == pytest.approx(2.0 * 6.0 * 400)
    rising = run("BallDrop", initial_height=0.0, initial_velocity=2.0)
    assert happened(rising)[0] == ("IMPACT", 0.5)


@pytest.mark.parametrize(
    ("parameter", "value", "speed", "impulse"),
    [("restitution", 1.0, 8.0, 2.0 * 16.0), ("mass", 5.0, 4.0, 5.0 * 12.0)],
)
def test_an_impact_at_the_moment_of_the_change_uses_the_new_value(
    parameter: str, value: float, speed: float, impulse: float
) -> None:
    solution = run("BallDrop", (parameter, value, 1.0))
    assert happened(solution)[:2] == [("CHANGE", 1.0), ("IMPACT", 1.0)]
    row = int(solution.events["row"][0])
    assert solution.channels[1, row] == pytest.approx(speed)
    assert solution.channels[2, row] == pytest.approx(impulse * 400)
    later = run("BallDrop", (parameter, value, 1.0 + 1e-9))
    assert names(later)[:2] == ["IMPACT", "CHANGE"]
    assert later.channels[1, row] == pytest.approx(4.0)


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_a_change_acts_at_its_own_time_also_before_the_first_row(share: float) -> None:
    time = share * 0.0025
    solution = run("BallDrop", ("gravity", 12.0, time))
    assert happened(solution)[0] == ("CHANGE", time)
    assert solution.events["row"][0] == 0
    speed = 8.0 * time + 12.0 * (0.0025 - time)
    assert solution.channels[1, 0] == pytest.approx(-speed, rel=1e-14)


def test_a_change_between_rows_acts_at_its_own_time() -> None:
    solution = run("BallDrop", ("gravity", 12.0, 0.5011))
    row = int(solution.events["row"][0])
    assert solution.time[row] == 0.5025
    speed = 8.0 * 0.5011 + 12.0 * (0.5025 - 0.5011)
    assert solution.channels[1, row] == pytest.approx(-speed, rel=1e-14)


def test_two_impacts_in_one_interval_add_up() -> None:
    # No allowed gravity brings the ball back within an interval; the rule holds all the same.
    solution = run(
        "BallDrop", gravity=200.0, initial_height=0.0, initial_velocity=-0.6, restitution=0.3
    )
    assert solution.events["row"].tolist() == [0, 0]
    assert names(solution) == ["IMPACT", "SETTLE"]
    impulses = 2.0 * (0.6 * 1.3 + 0.18)
    assert solution.channels[2, 0] == pytest.approx(impulses * 400 + 400.0, rel=1e-12)


def test_faint_drag_joins_no_drag_without_a_gap() -> None:
    free = run("BallDrop", restitution=0.9)
    for drag in (1e-320, 1e-200, 1e-30, 1e-18, 1e-12):
        faint = run("BallDrop", restitution=0.9, drag_coeff=drag)
        assert names(faint) == names(free)
        assert faint.events["time"] == pytest.approx(free.events["time"], rel=200 * drag + 1e-14)
        assert np.isfinite(faint.channels).all()


@pytest.mark.parametrize("drag", [1e-10, 1e-9, 1e-8])
def test_small_drag_shifts_an_impact_in_proportion(drag: float) -> None:
    # To first order in k: a fall from rest takes k g T^3 / 12 longer.
    late = run("BallDrop", drag_coeff=drag).events["time"][0] - 1.0
    assert late == pytest.approx(drag / 2.0 * 8.0 / 12.0, rel=1e-4, abs=5e-16)


def test_the_strongest_drag_from_the_greatest_height_stays_at_its_terminal_velocity() -> None:
    solution = run(
        "BallDrop", mass=0.5, drag_coeff=30.0, gravity=15.0, initial_height=6.0, restitution=1.0
    )
    terminal = math.sqrt(15.0 / 60.0)
    assert solution.channels[1, 3000] == pytest.approx(-terminal, rel=1e-14)
    # In the end a fall from rest is ln 2 / k behind one at terminal velocity.
    height = 6.0 - (terminal * 5.0 - math.log(2.0) / 60.0)
    assert solution.channels[0, 1999] == pytest.approx(height, rel=1e-13)


def test_a_shot_far_above_terminal_velocity_is_braked_within_a_row() -> None:
    k, g, v = 60.0, 15.0, 10.0
    solution = run(
        "BallDrop",
        mass=0.5,
        drag_coeff=30.0,
        gravity=g,
        initial_height=6.0,
        initial_velocity=-v,
    )
    w = math.sqrt(k * g)
    u = math.tanh(w * 0.0025)
    s = v * w / g
    assert solution.channels[1, 0] == pytest.approx(-(g / w) * (s + u) / (1 + s * u), rel=1e-13)


@settings(max_examples=300)
@given(recipes("BallDrop"))
def test_energy_never_grows_and_the_ball_stays_above_the_ground(drawn: Recipe) -> None:
    solution = solve(drawn)
    height, velocity, force = solution.channels
    energy = 0.5 * velocity**2 + drawn.values["gravity"] * height
    assert (np.diff(energy) <= 1e-12 * energy.max(initial=0.0)).all()
    assert height.min() >= 0.0
    assert force.min() >= 0.0
    assert np.isfinite(solution.channels).all()


@settings(max_examples=200)
@given(recipes("BallDrop", stepped=True))
def test_force_is_zero_in_every_interval_without_contact(drawn: Recipe) -> None:
    solution = solve(drawn)
    kinds, rows = solution.events["kind"], solution.events["row"]
    loaded = set(np.flatnonzero(solution.channels[2]))
    settled = rows[kinds == EventKind.SETTLE]
    contacts = set(rows[kinds == EventKind.IMPACT]) | set(
        range(int(settled[0]), solution.time.size) if settled.size else ()
    )
    assert loaded == contacts


@settings(max_examples=200)
@given(recipes("BallDrop"), st.floats(0.1, 20.0))
def test_only_the_ratio_of_drag_and_mass_moves_the_ball(drawn: Recipe, factor: float) -> None:
    values = {**drawn.values, "mass": drawn.values["mass"] * factor}
    values["drag_coeff"] = drawn.values["drag_coeff"] * factor
    one, two = solve(drawn), solve(Recipe("BallDrop", values))
    if names(one) == names(two) and np.array_equal(one.events["row"], two.events["row"]):
        assert np.allclose(one.channels[0], two.channels[0], rtol=0.0, atol=1e-9)
        assert np.allclose(one.channels[2] * factor, two.channels[2], rtol=1e-7, atol=1e-9)
