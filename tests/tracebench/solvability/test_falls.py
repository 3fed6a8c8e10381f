from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchwright.suites.tracebench.solvability.falls import falls_terminally, warping_distance

DT = 1 / 400


def warp(a: np.ndarray, b: np.ndarray) -> float:
    """Straight from the definition: least cost, then least length, divided."""

    @cache
    def best(i: int, j: int) -> tuple[float, int]:
        if i < 0 or j < 0:
            return (0.0, 0) if i == j == -1 else (np.inf, 0)
        cost, length = min(best(i - 1, j - 1), best(i - 1, j), best(i, j - 1))
        return cost + abs(float(a[i]) - float(b[j])), length + 1

    cost, length = best(len(a) - 1, len(b) - 1)
    return cost / length


@pytest.mark.parametrize("seed", range(5))
def test_the_warping_distance_is_its_definition(seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, 4, (2, 15)).astype(np.float32)
    assert warping_distance(a, b) == pytest.approx(warp(a, b), rel=1e-12)


def test_equal_series_and_delayed_ones_are_near() -> None:
    wave = np.sin(np.arange(81) / 10).astype(np.float32)
    assert warping_distance(wave, wave) == 0.0
    assert warping_distance(wave, np.roll(wave, 3)) < 0.1 < warping_distance(wave, wave + 1)


def fall(speed: np.ndarray, top: float) -> tuple[np.ndarray, np.ndarray]:
    height = top - np.cumsum(speed) * DT
    return height.astype(np.float32), (-speed).astype(np.float32)


def test_a_fall_at_its_final_speed_that_goes_on_high_up_is_terminal() -> None:
    gain = np.concatenate([np.linspace(0, 4, 200), np.full(200, 4.0), np.linspace(4, 6, 100)])
    height, velocity = fall(gain, 8.0)
    assert falls_terminally(height, velocity, -1, DT)


def test_a_free_fall_is_not_terminal() -> None:
    height, velocity = fall(9.81 * DT * np.arange(400), 6.0)
    assert not falls_terminally(height, velocity, -1, DT)


def test_a_terminal_fall_to_the_ground_counts_after_a_rebound_only() -> None:
    gain = np.concatenate([np.linspace(0, 4, 200), np.full(300, 4.0)])
    height, velocity = fall(gain, 5.0)
    height = np.maximum(height, 0.0)
    assert not falls_terminally(height, velocity, -1, DT)
    assert falls_terminally(height, velocity, 10, DT)
