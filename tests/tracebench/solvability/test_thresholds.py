"""Every number of the rules, from both sides (paper, Tables 4, 9 and 14; facts, tracebench 5.5)."""

from __future__ import annotations

import numpy as np
import pytest

from benchwright.suites.tracebench.solvability import ball_drop, bounce_ball, mass_slide
from benchwright.suites.tracebench.solvability.divergence import first_apart
from benchwright.suites.tracebench.solvability.reasons import Reason, switches
from benchwright.suites.tracebench.systems import EventKind

DT = 1 / 400
RESTITUTION, DRAG, GRAVITY = 0, 2, 3
DAMPING, MASS = 2, 4
COULOMB, BREAKAWAY, BLOCK_GRAVITY = 0, 1, 2


def flat(rows: int = 200, channels: int = 3) -> np.ndarray:
    return np.zeros((channels, rows), np.float32)


def at(*rows: int) -> np.ndarray:
    return np.array(rows, np.int64)


def rebound(before: float = -1.0, after: float = 1.0, force: float = 5.0) -> bool:
    """Whether one impact is a qualifying rebound."""
    run = np.array([[0, 0, 0], [before, after, after], [0, force, 0]], np.float32)
    found = ball_drop.rebounds(run, np.array([[EventKind.IMPACT, 1]], np.int32), 1, DT)
    return list(found) == [1]


@pytest.mark.parametrize(
    ("short", "enough"),
    [
        ({"force": 0.999}, {"force": 1.001}),
        ({"force": 1.0}, {"force": 1.0001}),
        ({"before": -0.499}, {"before": -0.501}),
        ({"before": -0.5}, {"before": -0.5001}),
        ({"after": 0.0999}, {"after": 0.1001}),
    ],
)
def test_a_rebound_has_more_than_1_in_0_5_and_out_0_1(
    short: dict[str, float], enough: dict[str, float]
) -> None:
    assert not rebound(**short)
    assert rebound(**enough)


@pytest.mark.parametrize(("gap", "kept"), [(11, 1), (12, 2)])
def test_rebounds_less_than_30_ms_apart_are_one(gap: int, kept: int) -> None:
    run = flat()
    for row in (10, 10 + gap):
        run[1, row - 1 : row + 1] = -1.0, 1.0
        run[2, row] = 5.0
    events = np.array([[EventKind.IMPACT, row] for row in (10, 10 + gap)], np.int32)
    assert len(ball_drop.rebounds(run, events, 2, DT)) == kept


def ball(
    target: np.ndarray | None = None,
    other: np.ndarray | None = None,
    hits: np.ndarray | None = None,
    others: np.ndarray | None = None,
    parameter: int = GRAVITY,
    row: int = 100,
) -> Reason:
    target, other = (flat() if run is None else run for run in (target, other))
    hits, others = (at() if rows is None else rows for rows in (hits, others))
    on = switches("BallDrop")
    return Reason(ball_drop.rules(target, other, hits, others, parameter, row, DT, on))


def top(height: float) -> np.ndarray:
    """A run that turns at `height` in row 195."""
    run = flat()
    run[0, 195], run[1, 194] = height, 1.0
    return run


@pytest.mark.parametrize(("count", "found"), [(24, Reason.KEPT), (25, Reason.TOO_MANY_REBOUNDS)])
def test_twenty_five_rebounds_in_either_run_are_too_many(count: int, found: Reason) -> None:
    assert ball(top(1.0), hits=np.arange(count)) is found
    assert ball(top(1.0), others=np.arange(count)) is found


@pytest.mark.parametrize(("height", "found"), [(0.0999, Reason.LOW_APEX), (0.1001, Reason.KEPT)])
def test_the_apex_of_either_run_is_above_10_cm(height: float, found: Reason) -> None:
    assert ball(top(height), top(0.05)) is found
    assert ball(top(0.05), top(height)) is found


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ((99, 101), Reason.KEPT),
        ((100, 101), Reason.NO_REBOUND_ON_BOTH_SIDES),
        ((99, 100), Reason.NO_REBOUND_ON_BOTH_SIDES),
    ],
)
def test_one_run_rebounds_before_and_after_the_divergence(
    rows: tuple[int, int], found: Reason
) -> None:
    assert ball(top(1.0), hits=at(*rows), parameter=RESTITUTION) is found
    assert ball(top(1.0), others=at(*rows), parameter=RESTITUTION) is found
    apart = {"hits": at(rows[0]), "others": at(rows[1])}
    assert ball(top(1.0), parameter=RESTITUTION, **apart) is Reason.NO_REBOUND_ON_BOTH_SIDES


def drag(other: np.ndarray) -> Reason:
    return ball(top(1.0), other, hits=at(50, 190), parameter=DRAG)


@pytest.mark.parametrize(("gap", "found"), [(0.0999, Reason.HIDDEN_DRAG), (0.1001, Reason.KEPT)])
def test_drag_shows_by_a_warping_distance_above_a_tenth(gap: float, found: Reason) -> None:
    other = flat()
    other[1, 90:190] = gap
    assert drag(other) is found


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (99, Reason.HIDDEN_DRAG),
        (100, Reason.KEPT),
        (180, Reason.KEPT),
        (181, Reason.HIDDEN_DRAG),
    ],
)
def test_drag_is_looked_for_in_200_ms_from_the_divergence(row: int, found: Reason) -> None:
    other = flat()
    other[1, row] = 100.0
    assert drag(other) is found


@pytest.mark.parametrize(("last", "found"), [(100, Reason.HIDDEN_DRAG), (101, Reason.KEPT)])
def test_drag_needs_a_rebound_after_the_divergence(last: int, found: Reason) -> None:
    other = flat()
    other[1, 100:181] = 5.0
    both = at(50, 190)  # of the run without the change, so that only the last one varies
    on = switches("BallDrop", frozenset({"no_rebound_on_both_sides"}))
    run = top(1.0)
    for hits, others in ((at(last), at()), (at(), at(last))):
        assert ball_drop.rules(run, other, hits, others, DRAG, 100, DT, on) == found
    assert ball_drop.rules(run, other, both, at(), DRAG, 100, DT, on) == Reason.KEPT


@pytest.mark.parametrize(("speed", "count"), [(0.0999, 0), (0.1001, 1)])
def test_a_wall_hit_comes_in_faster_than_a_tenth_of_a_metre_per_second(
    speed: float, count: int
) -> None:
    run = flat(3)
    run[1] = speed, -speed, -speed
    events = np.array([[EventKind.IMPACT_RIGHT, 1]], np.int32)
    assert len(bounce_ball.wall_hits(run, events, 1)) == count


@pytest.mark.parametrize(("force", "rows"), [(1e-10, []), (1e-8, [2])])
def test_any_force_is_more_than_a_billionth_of_a_newton(force: float, rows: list[int]) -> None:
    run = flat(3)
    run[1, 0], run[2, 2] = np.nan, -force
    events = np.array([[EventKind.IMPACT_RIGHT, 1]], np.int32)
    assert list(bounce_ball.wall_hits(run, events, 1)) == rows


def walls(before: float, after: float, hits: np.ndarray, parameter: int) -> Reason:
    """The right wall bears two forces, on the last row before the change and on its own row."""
    run = flat()
    run[2, 99:101] = before, after
    events = np.array([[EventKind.IMPACT_RIGHT, 99], [EventKind.SETTLE_RIGHT, 100]], np.int32)
    on = switches("BounceBall")
    return Reason(bounce_ball.rules(run, events, 2, hits, at(), parameter, 100, on))


@pytest.mark.parametrize("parameter", [MASS, DAMPING])
@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (500.1, 500.1, Reason.KEPT),
        (500.0, 501.0, Reason.NO_STRONG_HIT_ON_BOTH_SIDES),
        (501.0, 500.0, Reason.NO_STRONG_HIT_ON_BOTH_SIDES),
    ],
)
def test_mass_and_damping_need_more_than_500_n_on_both_sides(
    parameter: int, before: float, after: float, found: Reason
) -> None:
    assert walls(before, after, at(99, 100), parameter) is found


@pytest.mark.parametrize("parameter", [MASS, DAMPING])
@pytest.mark.parametrize(
    ("hits", "found"),
    [
        ((99, 100), Reason.KEPT),
        ((100, 101), Reason.NO_WALL_HIT_ON_BOTH_SIDES),
        ((98, 99), Reason.NO_WALL_HIT_ON_BOTH_SIDES),
    ],
)
def test_mass_and_damping_need_a_reversal_on_both_sides(
    parameter: int, hits: tuple[int, int], found: Reason
) -> None:
    assert walls(900.0, 900.0, at(*hits), parameter) is found
    assert walls(0.0, 0.0, at(*hits), RESTITUTION) is Reason.KEPT


def block(target: np.ndarray, other: np.ndarray, parameter: int) -> Reason:
    return Reason(mass_slide.rules(target, other, parameter, 100, switches("MassSlide")))


@pytest.mark.parametrize("parameter", [COULOMB, BREAKAWAY])
@pytest.mark.parametrize(
    ("rows", "speed", "found"),
    [
        (5, 0.0101, Reason.KEPT),
        (4, 0.0101, Reason.NEVER_SLIDES_AGAIN),
        (5, 0.0099, Reason.NEVER_SLIDES_AGAIN),
    ],
)
def test_friction_needs_five_rows_faster_than_a_centimetre_per_second(
    parameter: int, rows: int, speed: float, found: Reason
) -> None:
    target, other = flat(), flat()
    target[0, 80:100] = 1.0  # what moved before the change counts for nothing
    target[0, 100 : 100 + 2 * rows : 2] = -speed
    assert block(target, other, parameter) is found


def sliding(first: float, second: float, rows: int) -> Reason:
    """Breakaway, with two runs that differ in one channel for a number of rows."""
    target, other = flat(), flat()
    target[0] = other[0] = 1.0
    target[2, 20 : 20 + rows], other[2, 20 : 20 + rows] = first, second
    return block(target, other, BREAKAWAY)


@pytest.mark.parametrize(
    ("first", "second", "rows", "found"),
    [
        (100.0, 122.3, 5, Reason.KEPT),
        (100.0, 122.1, 5, Reason.NO_BREAKAWAY_DIFFERENCE),
        (100.0, 122.3, 4, Reason.NO_BREAKAWAY_DIFFERENCE),
        (1.125e-4, 0.0, 5, Reason.KEPT),
        (1.1e-4, 0.0, 5, Reason.NO_BREAKAWAY_DIFFERENCE),
    ],
)
def test_breakaway_needs_a_relative_difference_above_a_fifth_for_five_rows(
    first: float, second: float, rows: int, found: Reason
) -> None:
    assert sliding(first, second, rows) is found
    assert sliding(second, first, rows) is found


def test_a_relative_difference_of_exactly_a_fifth_is_none_for_breakaway() -> None:
    assert mass_slide.APART.tolist() == [0.2, 0.001, 5.0]
    a, b = np.full(5, 1.0, np.float32), np.full(5, 1.5, np.float32)
    edge = np.array([0.4, 0.0, 5.0])
    assert (first_apart(a, b, edge, 0, 5, True), first_apart(a, b, edge, 0, 5, False)) == (-1, 0)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (5, 5, Reason.KEPT),
        (4, 5, Reason.NO_MOTION_ON_BOTH_SIDES),
        (5, 4, Reason.NO_MOTION_ON_BOTH_SIDES),
    ],
)
def test_gravity_needs_five_rows_of_motion_on_both_sides_of_one_run(
    before: int, after: int, found: Reason
) -> None:
    moves = flat()
    moves[0, 100 - before : 100 + after] = 1e-6
    assert block(moves, flat(), BLOCK_GRAVITY) is found
    assert block(flat(), moves, BLOCK_GRAVITY) is found
