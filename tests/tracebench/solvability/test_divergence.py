from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.tracebench.recipes import srd
from benchwright.suites.tracebench.solvability.divergence import (
    first_apart,
    first_divergence,
    measures,
)
from benchwright.suites.tracebench.systems import SYSTEMS

ONE = np.array([0.4, 0.0, 1.0])


def series(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_the_threshold_counts_unless_it_must_be_passed() -> None:
    assert srd(1.0, 1.5) == 0.4
    a, b = series(1, 1, 1), series(1, 1.5, 1.5)
    assert first_apart(a, b, ONE, 0, 3, False) == 1
    assert first_apart(a, b, ONE, 0, 3, True) == -1


def test_the_first_of_enough_consecutive_rows_is_the_divergence() -> None:
    a, b = np.ones(12, np.float32), np.ones(12, np.float32)
    b[[1, 2, 5, 6, 7]] = 2.0
    three = np.array([0.2, 0.001, 3.0])
    assert first_apart(a, b, three, 0, 12, False) == 5
    assert first_apart(a, b, three, 6, 12, False) == -1


def test_impulses_need_one_row_and_continuous_channels_five() -> None:
    assert measures(SYSTEMS["BallDrop"]).tolist() == [[0.2, 0.001, 5], [0.2, 0.001, 5], [0.3, 1, 1]]
    assert measures(SYSTEMS["MassSlide"])[2].tolist() == [0.2, 0.001, 5]


FEW = st.lists(st.sampled_from([0.0, 1.0, 1.2, 1.5]), min_size=30, max_size=30)


@given(st.lists(FEW, min_size=6, max_size=6), st.integers(0, 29))
def test_the_earliest_channel_decides(values: list[list[float]], change: int) -> None:
    target, other = np.array(values[:3], np.float32), np.array(values[3:], np.float32)
    bounds = measures(SYSTEMS["BallDrop"])
    assert first_divergence(target, other, bounds, change) == plainly(target, other, bounds, change)


def plainly(target: np.ndarray, other: np.ndarray, bounds: np.ndarray, change: int) -> int:
    found = []
    for a, b, (threshold, eps, wanted) in zip(target, other, bounds, strict=True):
        a, b = a.astype(float), b.astype(float)
        apart = 2.0 * np.abs(a - b) >= threshold * (np.abs(a) + np.abs(b) + eps)
        length = int(wanted)
        for row in range(change, len(a) - length + 1):
            if apart[row : row + length].all():
                found.append(row)
                break
    return min(found, default=-1)
