from __future__ import annotations

import numpy as np
import pytest

from benchwright.suites.tracebench.probes import refusals
from benchwright.suites.tracebench.published import published_by_id
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.solvability.ball_drop import apex, rebounds
from benchwright.suites.tracebench.solvability.bounce_ball import rules, wall_hits
from benchwright.suites.tracebench.solvability.mass_slide import moving_rows
from benchwright.suites.tracebench.solvability.reasons import VETOES, Reason, switches
from benchwright.suites.tracebench.systems import EventKind

SETTLES = published_by_id("BallDrop")["34574575"]
"""Impacts at 0.5175, 1.9675, 2.555 and 2.795 s; at rest from 2.895 s."""
WALLS = published_by_id("BounceBall")["8549e70b"]
"""First hit on the right wall at 2.58 s with more than 3,000 N."""
BLOCK = published_by_id("MassSlide")["322aa53b"]
"""Pulses of 33.6 N move it against a breakaway friction of 17.9 N."""


def why(configuration: Recipe, parameter: str, value: float, time: float, *off: str) -> Reason:
    recipe = Recipe(configuration.system, configuration.values, Step(parameter, value, time))
    return refusals([recipe], off=frozenset(off))[0]


def ball(force: list[float], velocity: list[float]) -> list[int]:
    """Rows of qualifying rebounds at 50 Hz, every row being said to have an impact."""
    run = np.array([np.zeros(len(force)), velocity, force], np.float32)
    events = np.array([[EventKind.IMPACT, row] for row in range(len(force))], np.int32)
    return list(rebounds(run, events, len(events), 0.02))


def test_a_rebound_needs_signal_and_speed_on_both_sides() -> None:
    assert ball([0, 5, 0], [-1, 0.6, 0.5]) == [1]
    assert ball([0, 0.9, 0], [-1, 0.6, 0.5]) == []
    assert ball([0, 5, 0], [-0.4, 0.6, 0.5]) == []
    assert ball([0, 5, 0], [-1, 0.05, 0.5]) == []


def test_rebounds_closer_than_30_ms_are_one() -> None:
    velocity = [-1.0, 0.6, -1.0, 0.6, -1.0, -1.0, 0.6]
    assert ball([0, 5, 0, 5, 0, 0, 5], velocity) == [1, 3, 6]
    close = [-1.0, 0.6, 0.5]
    run = np.array([[0, 0, 0], close, [0, 5, 0]], np.float32)
    twice = np.array([[EventKind.IMPACT, 1], [EventKind.IMPACT, 1]], np.int32)
    assert list(rebounds(run, twice, 2, 0.02)) == [1]


@pytest.mark.parametrize("dynamics", ["released", "exact"])
def test_rebounds_by_events_are_those_by_samples(dynamics: str) -> None:
    runs = simulate(list(published_by_id("BallDrop").values()), dynamics)
    for run, events in zip(runs.samples, runs.events, strict=True):
        plain = np.stack([events["kind"], events["row"]], axis=1).astype(np.int32)
        force, before, after = run[2, 1:], run[1, :-1], run[1, 1:]
        rows = np.flatnonzero((force > 1.0) & (before < -0.5) & (after > 0.1)) + 1
        kept: list[int] = []
        for row in rows:
            if not kept or (row - kept[-1]) / 400 >= 0.03 - 1e-9:
                kept.append(int(row))
        assert list(rebounds(run, plain, len(plain), 1 / 400)) == kept


def test_the_apex_is_the_first_turn_after_the_row() -> None:
    height = [1.0, 2.0, 2.5, 2.0, 1.0, 3.0, 3.5, 3.0]
    velocity = [1.0, 1.0, 0.5, -0.5, 1.0, 1.0, 0.0, -1.0]
    run = np.array([height, velocity, [0.0] * 8], np.float32)
    assert apex(run, 0) == 2.5
    assert apex(run, 3) == 3.5
    assert apex(np.zeros((3, 8), np.float32), 0) == -1.0


@pytest.mark.parametrize(("hits", "expected"), [(19, Reason.KEPT), (20, Reason.TOO_MANY_WALL_HITS)])
def test_twenty_wall_hits_are_too_many(hits: int, expected: Reason) -> None:
    rows, none = np.arange(1, hits + 1), np.empty(0, np.int64)
    run, events = np.zeros((3, 100), np.float32), np.empty((0, 2), np.int32)
    on = switches("BounceBall")
    assert rules(run, events, 0, rows, none, 0, 50, on) == expected
    assert rules(run, events, 0, none, rows, 0, 50, on) == expected


def test_wall_hits_are_fast_reversals_and_forces_where_velocity_is_unknown() -> None:
    velocity = [1.0, -0.9, -0.9, 0.05, 0.05, -0.05]
    run = np.array([np.zeros(6), velocity, [0, 7, 0, 0, 0, 3]], np.float32)
    kinds = (EventKind.IMPACT_RIGHT, EventKind.IMPACT_LEFT, EventKind.IMPACT_RIGHT)
    events = np.array(list(zip(kinds, (1, 3, 5), strict=True)), np.int32)
    assert list(wall_hits(run, events, 3)) == [1, 3]
    run[1, 0] = np.nan
    assert list(wall_hits(run, events, 3)) == [1, 5]


def test_five_moving_rows_are_finite_and_fast() -> None:
    velocity = np.array([1, np.nan, 1, 0, 1, -1, 0.5, 0.0], np.float32)
    assert moving_rows(velocity, 0.0) == 5
    assert moving_rows(velocity, 0.6) == 4


@pytest.mark.parametrize(
    ("parameter", "value"), [("restitution", 0.9), ("mass", 9.0), ("drag_coeff", 4.0)]
)
def test_a_ball_at_rest_shows_nothing_more(parameter: str, value: float) -> None:
    assert why(SETTLES, parameter, value, 8.0) is Reason.NO_APEX
    assert why(SETTLES, parameter, value, 8.0, "low_apex") is Reason.NO_REBOUND_ON_BOTH_SIDES


def test_a_ball_must_touch_the_ground_before_it_diverges_too() -> None:
    assert why(SETTLES, "drag_coeff", 20.0, 0.3) is Reason.NO_REBOUND_ON_BOTH_SIDES
    off = "no_rebound_on_both_sides"
    assert why(SETTLES, "drag_coeff", 20.0, 0.3, off) is not Reason.NO_REBOUND_ON_BOTH_SIDES
    assert why(SETTLES, "gravity", 14.0, 0.3) is Reason.KEPT


def test_a_ball_that_rebounds_too_often_is_refused() -> None:
    low = {"restitution": 0.99, "initial_height": 0.2, "initial_velocity": 0.0}
    lively = Recipe("BallDrop", {**SETTLES.values, **low})
    assert why(lively, "gravity", 14.0, 5.0) is Reason.TOO_MANY_REBOUNDS
    assert why(lively, "gravity", 14.0, 5.0, "too_many_rebounds") is Reason.KEPT


def test_mass_and_damping_need_strong_right_contacts_on_both_sides() -> None:
    assert why(WALLS, "mass", 9.0, 0.5) is Reason.NO_WALL_HIT_ON_BOTH_SIDES
    light = Recipe("BounceBall", {**WALLS.values, "mass": 0.3, "viscous_damping": 0.001})
    weak = Reason.NO_STRONG_HIT_ON_BOTH_SIDES
    assert why(light, "viscous_damping", 0.1, 15.0) is weak
    assert why(light, "viscous_damping", 0.1, 15.0, weak.text) is Reason.KEPT
    assert why(WALLS, "inclination_angle", 1.64, 2.0) is Reason.KEPT


def test_a_block_that_never_slides_again_hides_its_friction() -> None:
    breakaway = "breakaway_friction_coefficient"
    assert why(BLOCK, breakaway, 15.0, 7.0) is Reason.NEVER_SLIDES_AGAIN
    assert why(BLOCK, breakaway, 9.0, 5.0) is Reason.NO_BREAKAWAY_DIFFERENCE
    assert why(BLOCK, "gravity_constant", 12.0, 7.0) is Reason.KEPT


def test_a_change_that_nothing_shows_is_refused_by_its_ratio_alone() -> None:
    vetoes = {veto.text for veto in VETOES["BallDrop"]}
    assert why(SETTLES, "restitution", 0.9, 8.0, *vetoes) is Reason.RATIO_NO_CHANGE
    assert why(SETTLES, "restitution", 0.9, 0.3, *vetoes) is Reason.RATIO_STATIC
