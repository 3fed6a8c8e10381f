from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.solve import solve
from benchwright.suites.tracebench.systems import EventKind
from benchwright.suites.tracebench.systems.exact.bounce_ball import REST_SPEED

from ..drawn import recipes
from .runs import happened, names, run

PULL = 9.81 * math.sin(math.radians(2.0))


def test_without_tilt_and_damping_the_mass_goes_from_wall_to_wall() -> None:
    # 10 m at 5 m/s to the right wall, 15 m at 2.5 m/s, 15 m at 1.25 m/s, 15 m at 0.625 m/s.
    solution = run("BounceBall")
    assert happened(solution) == [
        ("IMPACT_RIGHT", 2.0),
        ("IMPACT_LEFT", 8.0),
        ("IMPACT_RIGHT", 20.0),
        ("IMPACT_LEFT", 44.0),
    ]
    assert solution.channels[:, 99] == pytest.approx([15.0, -2.5, 2.0 * 7.5 * 50])
    assert solution.channels[:, 399] == pytest.approx([0.0, 1.25, 0.0])
    assert np.flatnonzero(solution.channels[2]).tolist() == [99, 999]


def test_a_fast_mass_misses_no_wall() -> None:
    # An integrator with long steps steps over a wall and back; here every hit counts.
    speed, keep = 10.0, 0.9999
    solution = run(
        "BounceBall", restitution_left=keep, restitution_right=keep, initial_velocity=speed
    )
    legs = [10.0 / speed] + [15.0 / (speed * keep**n) for n in range(1, 60)]
    times = np.cumsum(legs)
    assert solution.events["time"] == pytest.approx(times[times < 59.98], rel=1e-13)


def test_a_mass_at_rest_on_a_level_rail_stays() -> None:
    solution = run("BounceBall", initial_velocity=0.0)
    assert len(solution.events) == 0
    assert (solution.channels[0] == 5.0).all()
    assert (solution.channels[1:] == 0.0).all()


def test_a_mass_at_rest_on_a_tilted_rail_slides_down() -> None:
    solution = run("BounceBall", initial_velocity=0.0, inclination_angle=2.0)
    assert happened(solution)[0] == (
        "IMPACT_LEFT",
        pytest.approx(math.sqrt(2 * 5.0 / PULL), rel=1e-14),
    )


def test_a_mass_that_damping_stops_before_the_wall_has_no_event() -> None:
    solution = run("BounceBall", viscous_damping=2.0, initial_velocity=9.999)
    assert len(solution.events) == 0
    assert solution.channels[0, -1] == pytest.approx(14.999, rel=1e-14)


def test_faint_damping_joins_no_damping_without_a_gap() -> None:
    free = run("BounceBall", inclination_angle=1.0)
    for damping in (1e-320, 1e-200, 1e-30, 1e-18, 1e-14):
        faint = run("BounceBall", inclination_angle=1.0, viscous_damping=damping)
        assert names(faint) == names(free)
        assert faint.events["time"] == pytest.approx(free.events["time"], rel=1e-11)


def test_ever_lower_rebounds_end_in_rest_and_the_wall_carries_the_mass() -> None:
    solution = run("BounceBall", ("inclination_angle", 2.0, 50.0), inclination_angle=-2.0)
    kinds = names(solution)
    rest = kinds.index("SETTLE_RIGHT")
    assert kinds[:rest] == ["IMPACT_RIGHT"] * rest
    first, change = int(solution.events["row"][rest]), int(solution.events["row"][rest + 1])
    position, velocity, force = solution.channels
    assert (position[first:change] == 15.0).all()
    assert (velocity[first:change] == 0.0).all()
    assert force[first + 1 : change] == pytest.approx(2.0 * PULL, rel=1e-14)
    # The time of all rebounds is a geometric series; what is left of it is 1 ms / pull.
    hit = math.sqrt(5.0**2 + 2 * PULL * 10.0)
    begin = (hit - 5.0) / PULL
    rebounds = [2 * 0.5**n * hit / PULL for n in range(1, rest + 1)]
    assert solution.events["time"][: rest + 1] == pytest.approx(
        begin + np.cumsum([0.0, *rebounds]), rel=1e-13
    )
    assert 0.5**rest * hit < REST_SPEED <= 0.5 ** (rest - 1) * hit


def test_a_resting_mass_leaves_when_the_tilt_turns() -> None:
    solution = run("BounceBall", ("inclination_angle", 2.0, 50.0), inclination_angle=-2.0)
    change = int(solution.events["row"][names(solution).index("CHANGE")])
    assert solution.channels[:, change].tolist() == [15.0, 0.0, 0.0]
    there = slice(change, change + 400)
    away = 0.5 * PULL * (solution.time[there] - 50.0) ** 2
    assert np.allclose(15.0 - solution.channels[0, there], away, rtol=0.0, atol=1e-12)
    assert (solution.channels[2, change:] == 0.0).all()


def test_a_resting_mass_stays_when_the_tilt_only_goes_level_or_steeper() -> None:
    for angle, load in ((0.0, 0.0), (-4.0, 2.0 * 9.81 * math.sin(math.radians(4.0)))):
        solution = run("BounceBall", ("inclination_angle", angle, 50.0), inclination_angle=-2.0)
        change = int(solution.events["row"][-1])
        assert names(solution)[-1] == "CHANGE"
        assert (solution.channels[0, change:] == 15.0).all()
        assert solution.channels[2, change:] == pytest.approx(load, rel=1e-14)


def test_the_left_wall_carries_nothing_that_is_seen() -> None:
    solution = run("BounceBall", inclination_angle=2.0, initial_velocity=0.0)
    assert names(solution)[-1] == "SETTLE_LEFT"
    assert (solution.channels[2] == 0.0).all()


def test_a_contact_at_the_rest_speed_is_still_a_rebound() -> None:
    at = {"restitution_right": 0.9, "initial_position": 15.0}
    assert names(run("BounceBall", initial_velocity=REST_SPEED, **at)) == ["IMPACT_RIGHT"]
    slower = float(np.nextafter(REST_SPEED, 0.0))
    assert names(run("BounceBall", initial_velocity=slower, **at)) == ["SETTLE_RIGHT"]
    # Gravity pulls it away: no rest, however slow.
    assert names(run("BounceBall", initial_velocity=slower, inclination_angle=2.0, **at))[0] == (
        "IMPACT_RIGHT"
    )


def test_rebounds_within_one_interval_add_up() -> None:
    solution = run("BounceBall", inclination_angle=-4.0)
    rows = solution.events["row"]
    (twice, *_) = rows[1:][np.diff(rows) == 0]
    pull = 9.81 * math.sin(math.radians(4.0))
    hit = math.sqrt(25.0 + 2 * pull * 10.0)
    speeds = [0.5**n * hit for n in np.flatnonzero(rows == twice)]
    rests = [names(solution)[n] == "SETTLE_RIGHT" for n in np.flatnonzero(rows == twice)]
    impulses = sum(2.0 * v * (1.0 if r else 1.5) for v, r in zip(speeds, rests, strict=True))
    held = 2.0 * pull if rests[-1] else 0.0
    assert solution.channels[2, twice] == pytest.approx(impulses * 50 + held, rel=1e-9)


@pytest.mark.parametrize(
    ("parameter", "value", "velocity", "force"),
    [("restitution_right", 0.8, -4.0, 2.0 * 9.0), ("mass", 6.0, -2.5, 6.0 * 7.5)],
)
def test_an_impact_at_the_moment_of_the_change_uses_the_new_value(
    parameter: str, value: float, velocity: float, force: float
) -> None:
    solution = run("BounceBall", (parameter, value, 2.0))
    assert happened(solution)[:2] == [("CHANGE", 2.0), ("IMPACT_RIGHT", 2.0)]
    assert solution.channels[:, 99] == pytest.approx([15.0, velocity, force * 50])


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_a_change_acts_at_its_own_time_also_before_the_first_row(share: float) -> None:
    solution = run("BounceBall", ("inclination_angle", 2.0, share * 0.02))
    assert solution.events["row"][0] == 0
    assert solution.channels[1, 0] == pytest.approx(5.0 - PULL * (1.0 - share) * 0.02, rel=1e-14)


def test_a_change_of_mass_keeps_the_velocity() -> None:
    solution = run("BounceBall", ("mass", 50.0, 1.0))
    assert solution.channels[1, :99] == pytest.approx(5.0)


@settings(max_examples=300)
@given(recipes("BounceBall"))
def test_energy_never_grows(drawn: Recipe) -> None:
    solution = solve(drawn)
    position, velocity, _ = solution.channels
    pull = 9.81 * math.sin(math.radians(drawn.values["inclination_angle"]))
    energy = 0.5 * velocity**2 + pull * position
    size = 0.5 * velocity.max(initial=0.0) ** 2 + abs(pull) * 15.0 + velocity.min() ** 2
    assert (np.diff(energy) <= 1e-12 * size).all()


@settings(max_examples=300)
@given(recipes("BounceBall", stepped=True))
def test_the_mass_stays_between_the_walls_and_the_force_pushes(drawn: Recipe) -> None:
    solution = solve(drawn)
    position, _, force = solution.channels
    assert position.min() >= 0.0
    assert position.max() <= 15.0
    assert force.min() >= 0.0
    rows = solution.events["row"][solution.events["kind"] == EventKind.IMPACT_RIGHT]
    assert (force[rows] > 0.0).all()


@settings(max_examples=200)
@given(recipes("BounceBall"))
def test_a_mirrored_run_is_the_mirror_of_the_run(drawn: Recipe) -> None:
    values = dict(drawn.values)
    left, right = values["restitution_left"], values["restitution_right"]
    values |= {"restitution_left": right, "restitution_right": left}
    for name in ("inclination_angle", "initial_velocity"):
        values[name] = -values[name]
    values["initial_position"] = 15.0 - values["initial_position"]
    one, two = solve(drawn), solve(Recipe("BounceBall", values))
    assert len(one.events) == len(two.events)
    assert two.events["time"] == pytest.approx(one.events["time"], abs=1e-7)
