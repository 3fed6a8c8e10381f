from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.tracebench.snr import decibels, mean_snr, ratio, snr

CLEAN = np.array([3.0, -4.0, 5.0, 1.0])
NOISE = np.array([0.1, 0.2, -0.1, 0.05])


def test_doubling_the_noise_costs_six_decibels() -> None:
    single, double = snr(CLEAN, CLEAN + NOISE), snr(CLEAN, CLEAN + 2 * NOISE)
    assert isinstance(single, float)
    assert isinstance(double, float)
    assert single - double == pytest.approx(6.0206, abs=1e-4)


def test_no_noise_gives_no_ratio() -> None:
    assert snr(CLEAN, CLEAN) is None
    assert mean_snr([None, None]) is None


def test_no_effect_under_noise_is_the_text_minus_infinity() -> None:
    assert snr(np.zeros(4), NOISE) == "-inf"
    assert snr(CLEAN, CLEAN + NOISE, reference=CLEAN) == "-inf"


def test_a_list_averages_linear_ratios() -> None:
    assert mean_snr([10.0, 1.0]) == pytest.approx(14.8073, abs=1e-4)


def test_noise_that_the_reference_shares_does_not_count() -> None:
    reference = np.zeros(4)
    assert snr(CLEAN, CLEAN + NOISE, reference, reference + NOISE / 2) == pytest.approx(
        decibels(ratio(CLEAN, NOISE / 2))
    )


@given(st.floats(1e-3, 1e3))
def test_the_unit_of_a_channel_does_not_matter(unit: float) -> None:
    assert snr(unit * CLEAN, unit * (CLEAN + NOISE)) == pytest.approx(snr(CLEAN, CLEAN + NOISE))
