"""Every number of a terminal fall, from both sides. The series are made for one number each."""

from __future__ import annotations

import numpy as np
import pytest

from benchwright.suites.tracebench.solvability.falls import falls_terminally

DT = 1 / 400


def sway(rows: int, acceleration: float, dt: float = DT, speed: float = 2.0) -> np.ndarray:
    """A fall at nearly one speed whose central difference has this size in every row."""
    return -speed + 2 * dt * acceleration * (np.arange(rows) // 2 % 2)


def series(*parts: np.ndarray, height: float = 5.0) -> tuple[np.ndarray, np.ndarray]:
    """Heights and velocities of a rise, the parts of a fall and another rise."""
    velocity = np.concatenate([np.ones(5), *parts, np.ones(5)]).astype(np.float32)
    return np.full(velocity.size, height, np.float32), velocity


def calm(rows: int, speed: float = 2.0) -> np.ndarray:
    """A part of which so many rows are calm: those at its ends are where it turns."""
    return np.full(rows + 2, -speed)


@pytest.mark.parametrize(("dt", "rows"), [(1 / 400, 20), (1 / 200, 10), (1 / 50, 8), (1 / 20, 8)])
def test_a_calm_fall_lasts_50_ms_and_eight_rows(dt: float, rows: int) -> None:
    assert falls_terminally(*series(calm(rows)), -1, dt)
    assert not falls_terminally(*series(calm(rows - 1)), -1, dt)


def test_a_fall_has_at_least_25_cm_per_second() -> None:
    assert falls_terminally(*series(calm(30, 0.25)), -1, DT)
    assert not falls_terminally(*series(calm(30, 0.2499)), -1, DT)


@pytest.mark.parametrize(("end", "found"), [(0.1001, True), (0.0999, False)])
def test_a_fall_ends_above_10_cm_or_begins_after_a_rebound(end: float, found: bool) -> None:
    height, velocity = series(calm(30))
    height[36] = end  # the row in which it is calm no longer
    assert falls_terminally(height, velocity, -1, DT) is found
    assert falls_terminally(height, velocity, 5, DT)
    assert falls_terminally(height, velocity, 6, DT) is found  # it begins in row 6


@pytest.mark.parametrize(
    ("span", "height", "found"),
    [(10.0, 0.1001, True), (10.0, 0.0999, False), (0.09, 0.001001, True), (0.09, 0.000999, False)],
)
def test_the_ground_is_a_hundredth_of_the_heights_and_at_least_a_millimetre(
    span: float, height: float, found: bool
) -> None:
    heights, velocity = series(calm(30), height=height)
    heights[0], heights[-1] = 0.0, span
    assert falls_terminally(heights, velocity, 1, DT) is found


@pytest.mark.parametrize(("acceleration", "found"), [(0.0499, True), (0.0501, False)])
def test_calm_is_a_twentieth_of_what_the_ball_mostly_feels(
    acceleration: float, found: bool
) -> None:
    falling = sway(400, 10.0), sway(30, 10.0 * acceleration)
    assert falls_terminally(*series(*falling), -1, DT) is found


@pytest.mark.parametrize(("high", "found"), [(103, True), (97, False)])
def test_what_it_mostly_feels_is_the_90th_percentile(high: int, found: bool) -> None:
    rows = 1000
    falling = sway(high, 10.0), sway(rows - high - 30, 1.0), sway(30, 0.4)
    assert falls_terminally(*series(*falling), -1, DT) is found


@pytest.mark.parametrize(("acceleration", "found"), [(0.00095, True), (0.00105, False)])
def test_calm_is_at_least_a_millimetre_per_second_squared(acceleration: float, found: bool) -> None:
    fall = sway(60, acceleration, 0.02, speed=0.3)
    assert falls_terminally(*series(fall), -1, 0.02) is found
