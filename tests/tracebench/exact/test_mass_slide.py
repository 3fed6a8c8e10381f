from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.solve import Solution, solve
from benchwright.suites.tracebench.systems import EventKind

from ..drawn import recipes
from .runs import happened, names, run

# A level plane with m = 2 kg and g = 10 m/s^2: friction 10 N while sliding, up to 20 N at rest.


def test_friction_stops_a_block_on_a_level_plane_for_good() -> None:
    solution = run("MassSlide", initial_velocity=5.0)
    assert happened(solution) == [("STICK", 1.0)]
    velocity, friction, normal = solution.channels
    assert velocity[:50] == pytest.approx(5.0 - 5.0 * solution.time[:50], abs=1e-14)
    assert (friction[:49] == -10.0).all()
    assert (velocity[49:] == 0.0).all()
    assert (friction[49:] == 0.0).all()
    assert (normal == 20.0).all()


def test_a_block_without_motion_and_load_has_channels_that_are_zero() -> None:
    solution = run("MassSlide")
    assert len(solution.events) == 0
    assert (solution.channels[:2] == 0.0).all()


def test_static_friction_balances_the_load_up_to_breakaway() -> None:
    solution = run("MassSlide", Amplitude=20.0)
    on = np.floor(solution.time / 1.0 + 1e-9) + 0.1 - 1e-9 > solution.time
    assert "SLIP" not in names(solution)
    assert (solution.channels[0] == 0.0).all()
    assert (solution.channels[1, on] == -20.0).all()
    assert (solution.channels[1, ~on] == 0.0).all()


def test_a_load_beyond_breakaway_moves_the_block_from_the_edge_of_the_pulse() -> None:
    # 30 N against 10 N: 10 m/s^2 for 0.1 s, then 5 m/s^2 down to a stop after 0.2 s.
    solution = run("MassSlide", Amplitude=30.0)
    assert names(solution)[:6] == ["SLIP", "PULSE_OFF", "STICK", "PULSE_ON", "SLIP", "PULSE_OFF"]
    times = [time for _, time in happened(solution)[:6]]
    assert times == pytest.approx([0.0, 0.1, 0.3, 1.0, 1.0, 1.1], abs=1e-14)
    assert solution.channels[0, [3, 4, 5, 9, 14]] == pytest.approx([0.8, 1.0, 0.9, 0.5, 0.0])
    assert solution.channels[1, [3, 4, 13, 14]] == pytest.approx([-10.0, -10.0, -10.0, 0.0])


def test_an_edge_on_a_sample_instant_shows_in_that_row() -> None:
    # 1.1 * 1.4 s is one bit above 1.54 s: rounding must not move the edge by a row.
    solution = run("MassSlide", Amplitude=5.0, Period=1.4)
    off = [
        row
        for row, kind in zip(solution.events["row"], names(solution), strict=True)
        if kind == "PULSE_OFF"
    ]
    assert solution.time[off[:2]].tolist() == [0.14, 1.54]
    assert solution.channels[1, [off[1] - 1, off[1]]].tolist() == [-5.0, 0.0]


def test_pulses_of_no_height_are_no_events() -> None:
    assert names(run("MassSlide", Amplitude=0.0, initial_velocity=1.0)) == ["STICK"]


def test_a_stopped_block_that_friction_cannot_hold_goes_on_backwards() -> None:
    # 45 degrees, mu_b = 0.9: it stops on its way up and slides back.
    solution = run(
        "MassSlide",
        plane_inclination=45.0,
        breakaway_friction_coefficient=0.9,
        initial_velocity=3.0,
    )
    weight = 20.0 * math.sin(math.radians(45.0))
    stop = 3.0 / (1.5 * weight / 2.0)
    assert happened(solution) == [("REVERSE", pytest.approx(stop, rel=1e-14))]
    late = solution.time[-1] - stop
    assert solution.channels[0, -1] == pytest.approx(-0.5 * weight / 2.0 * late, rel=1e-13)
    assert solution.channels[1, [0, -1]] == pytest.approx([-0.5 * weight, 0.5 * weight])


def test_a_stopped_block_sticks_where_sliding_friction_alone_could_not_hold_it() -> None:
    # The load lies between mu_c N and mu_b N.
    solution = run(
        "MassSlide",
        plane_inclination=45.0,
        breakaway_friction_coefficient=1.1,
        initial_velocity=3.0,
    )
    assert names(solution) == ["STICK"]
    weight = 20.0 * math.sin(math.radians(45.0))
    assert solution.channels[1, -1] == pytest.approx(weight, rel=1e-15)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("breakaway_friction_coefficient", 0.9), ("plane_inclination", 60.0)],
)
def test_a_resting_block_slips_at_the_change_that_it_cannot_bear(
    parameter: str, value: float
) -> None:
    angle = {"plane_inclination": 45.0, "breakaway_friction_coefficient": 1.1}
    solution = run("MassSlide", (parameter, value, 4.003), **angle)
    assert happened(solution) == [("CHANGE", 4.003), ("SLIP", 4.003)]
    row = int(solution.events["row"][1])
    assert solution.time[row] == 4.02
    steep = math.radians({**angle, parameter: value}["plane_inclination"])
    pull = 10.0 * (math.sin(steep) - 0.5 * math.cos(steep))
    assert solution.channels[0, row] == pytest.approx(-pull * (4.02 - 4.003), rel=1e-12)


def test_a_higher_breakaway_coefficient_does_not_stop_a_sliding_block() -> None:
    solution = run("MassSlide", ("breakaway_friction_coefficient", 9.0, 0.5), initial_velocity=5.0)
    assert happened(solution) == [("CHANGE", 0.5), ("STICK", 1.0)]


def test_a_stop_at_the_moment_of_a_change_is_judged_by_the_new_values() -> None:
    # On a level plane it stops at 1 s; from then on the plane is so steep that it slides back.
    solution = run("MassSlide", ("plane_inclination", 60.0, 1.0), initial_velocity=5.0)
    assert happened(solution) == [("CHANGE", 1.0), ("REVERSE", 1.0)]
    assert solution.channels[1, 49] == pytest.approx(10.0 * math.cos(math.radians(60.0)))


def test_a_stop_at_the_moment_of_an_edge_is_judged_by_the_new_load() -> None:
    # 0.1 s of (30 - 10) N / 2 kg and 0.9 s of -10 N / 2 kg bring 3.5 m/s to rest at 1 s, exactly
    # when 30 N set in again: it goes on without a rest.
    forward = run("MassSlide", initial_velocity=3.5, Amplitude=30.0)
    assert names(forward)[:3] == ["PULSE_OFF", "PULSE_ON", "PULSE_OFF"]
    assert forward.channels[0, 49] == 0.0
    assert forward.channels[1, 49] == -10.0
    assert forward.channels[0, 50] == pytest.approx(0.2)


def test_a_block_that_starts_at_rest_slips_at_the_beginning_or_not_at_all() -> None:
    assert names(run("MassSlide", plane_inclination=40.0)) == []
    assert happened(run("MassSlide", plane_inclination=50.0)) == [("SLIP", 0.0)]


def test_breakaway_below_coulomb_friction_does_not_chatter() -> None:
    solution = run(
        "MassSlide",
        breakaway_friction_coefficient=0.2,
        plane_inclination=20.0,
        initial_velocity=1.0,
    )
    assert names(solution) == ["STICK"]


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_a_change_acts_at_its_own_time_also_before_the_first_row(share: float) -> None:
    solution = run(
        "MassSlide", ("coulomb_friction_coefficient", 0.9, share * 0.02), initial_velocity=5.0
    )
    assert solution.events["row"][0] == 0
    slowed = (5.0 * share + 9.0 * (1.0 - share)) * 0.02
    assert solution.channels[0, 0] == pytest.approx(5.0 - slowed, rel=1e-14)
    assert solution.channels[1, 0] == -18.0


def load_of(solution: Solution) -> tuple[np.ndarray, np.ndarray]:
    """Applied force and weight along the plane at every row."""
    values, after = solution.recipe.values, solution.recipe.after()
    phase = solution.time / values["Period"]
    pulse = np.where(phase - np.floor(phase + 1e-11) < 0.1 - 1e-11, values["Amplitude"], 0.0)
    step = solution.recipe.step
    late = solution.time >= (step.time if step else np.inf)
    pulls = [
        v["mass"] * v["gravity_constant"] * math.sin(math.radians(v["plane_inclination"]))
        for v in (values, after)
    ]
    return pulse, np.where(late, pulls[1], pulls[0])


@settings(max_examples=200)
@given(recipes("MassSlide", stepped=True))
def test_a_row_is_at_rest_in_balance_or_slides_against_coulomb_friction(drawn: Recipe) -> None:
    solution = solve(drawn)
    velocity, friction, normal = solution.channels
    pulse, weight = load_of(solution)
    rest = velocity == 0.0
    late = solution.time >= (drawn.step.time if drawn.step else np.inf)
    coulomb, breakaway = (
        np.where(late, drawn.after()[name], drawn.values[name])
        for name in ("coulomb_friction_coefficient", "breakaway_friction_coefficient")
    )
    assert (velocity * friction <= 0.0).all()
    assert np.abs(friction[~rest]) == pytest.approx((coulomb * normal)[~rest], rel=1e-13)
    balanced = np.abs(friction + pulse - weight) <= 1e-12 * (np.abs(pulse) + weight)
    held = np.abs(friction) <= np.maximum(breakaway, coulomb) * normal * (1 + 1e-13)
    turning = np.isclose(np.abs(friction), coulomb * normal, rtol=1e-13)
    assert (balanced & held | turning)[rest].all()


@settings(max_examples=200)
@given(recipes("MassSlide"))
def test_energy_grows_only_by_the_work_of_pulse_and_weight(drawn: Recipe) -> None:
    solution = solve(drawn)
    velocity = np.concatenate([[drawn.values["initial_velocity"]], solution.channels[0]])
    _, weight = load_of(solution)
    most = (np.abs(drawn.values["Amplitude"]) + weight) * np.abs(velocity[1:] + velocity[:-1])
    turned = velocity[1:] * velocity[:-1] < 0.0
    gained = 0.5 * drawn.values["mass"] * np.diff(velocity**2)
    slack = 1e-12 * drawn.values["mass"] * (velocity**2).max() + 1e-300
    assert (gained <= most * solution.system.dt / 2 + slack)[~turned].all()


@settings(max_examples=200)
@given(recipes("MassSlide", stepped=True))
def test_sticks_and_slips_alternate(drawn: Recipe) -> None:
    kinds = solve(drawn).events["kind"]
    turns = kinds[np.isin(kinds, (EventKind.STICK, EventKind.SLIP))]
    assert (np.diff(turns) != 0).all()
