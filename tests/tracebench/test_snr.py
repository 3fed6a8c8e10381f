from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.tracebench.snr import (
    Spread,
    decibels,
    ratios,
    snr,
    spread_of,
)

CLEAN = np.array([3.0, -4.0, 5.0, 1.0])
NOISE = np.array([0.1, 0.2, -0.1, 0.05])


def test_doubling_the_noise_costs_six_decibels() -> None:
    single, double = snr(CLEAN, CLEAN + NOISE), snr(CLEAN, CLEAN + 2 * NOISE)
    assert isinstance(single, float)
    assert isinstance(double, float)
    assert single - double == pytest.approx(6.0206, abs=1e-4)


def test_no_noise_gives_no_ratio() -> None:
    assert snr(CLEAN, CLEAN) is None


def test_no_effect_under_noise_is_the_text_minus_infinity() -> None:
    assert snr(np.zeros(4), NOISE) == "-inf"
    assert decibels(0.0) == "-inf"


@given(st.floats(1e-3, 1e3))
def test_the_unit_of_a_channel_does_not_matter(unit: float) -> None:
    assert snr(unit * CLEAN, unit * (CLEAN + NOISE)) == pytest.approx(snr(CLEAN, CLEAN + NOISE))


def test_ratios_of_runs_mark_channels_without_effect_and_those_without_noise() -> None:
    clean = np.stack([CLEAN, np.zeros(4), CLEAN])[None]
    noisy = np.stack([CLEAN + NOISE, NOISE, CLEAN])[None]
    found = ratios(clean, noisy)
    assert found.shape == (1, 3)
    assert found[0, 0] == snr(CLEAN, CLEAN + NOISE)
    assert found[0, 1] == -np.inf
    assert np.isnan(found[0, 2])


def test_the_spread_of_ratios_is_that_of_the_published_tables() -> None:
    assert spread_of(np.array([40.0, 42.0, 44.0])) == Spread(42.0, 2.0, 3, 0)


def test_runs_without_effect_and_without_noise_do_not_enter_the_mean() -> None:
    assert spread_of(np.array([40.0, -np.inf, np.nan, 42.0])) == Spread(41.0, 2**0.5, 2, 1)
    assert spread_of(np.array([-np.inf, 41.0])) == Spread(41.0, None, 1, 1)
    assert spread_of(np.array([np.nan])) == Spread(None, None, 0, 0)
