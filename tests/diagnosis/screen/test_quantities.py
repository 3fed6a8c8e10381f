"""Numbers as they are written, and when one stands for another."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.screen.quantities import (
    Pool,
    derived,
    intervals,
    products,
    quantities,
    statistics,
)

WRITTEN = {
    "12.5 %": (12.5, 0.05, True),
    "1,234.5": (1234.5, 0.05, False),
    "3.1e-4": (3.1e-4, 0.05e-4, False),
    "2.5 × 10⁻³": (2.5e-3, 0.05e-3, False),
    "7": (7.0, 0.5, False),
    ".25": (0.25, 0.005, False),
}


@pytest.mark.parametrize(("text", "value"), WRITTEN.items())
def test_a_number_is_read_with_what_rounding_took(
    text: str, value: tuple[float, float, bool]
) -> None:
    (found,) = quantities(f"it is {text} here")
    assert math.isclose(found.value, value[0]) and math.isclose(found.half, value[1])
    assert found.percent is value[2]


def test_digits_of_names_and_of_versions_in_words_are_no_numbers_of_their_own() -> None:
    assert [q.text for q in quantities("run_17 gave x2 and v3")] == []


@given(st.floats(1e-6, 1e6), st.integers(1, 6))
def test_what_a_value_rounds_to_stands_for_it(value: float, decimals: int) -> None:
    written = f"{value:.{decimals}f}"
    (found,) = quantities(written)
    assert Pool([value]).near(found.value, found.half)


@given(st.floats(1e-3, 0.999))
def test_a_share_stands_for_its_percentage(value: float) -> None:
    (found,) = quantities(f"{100 * value:.4f} %")
    assert Pool([value]).holds(found)


@given(st.floats(1.0, 1e6), st.floats(0.01, 0.4))
def test_a_value_that_is_off_by_more_than_its_rounding_stands_for_nothing(
    value: float, off: float
) -> None:
    (found,) = quantities(f"{value:.3f}")
    assert not Pool([value * (1 + off)]).near(found.value, found.half)


@given(st.lists(st.floats(0.1, 1e3), min_size=2, max_size=5))
def test_differences_sums_and_ratios_of_pairs_follow(values: list[float]) -> None:
    follow = list(derived(values))
    one, other = values[0], values[1]
    for wanted in (one + other, abs(one - other), one / other, other / one):
        assert one == other or any(math.isclose(wanted, found) for found in follow)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_mean_extremes_and_sum_of_a_column_follow(column: list[float]) -> None:
    found = list(statistics(column))
    for wanted in (math.fsum(column), max(column) - min(column), math.fsum(column) / len(column)):
        assert any(math.isclose(wanted, value, abs_tol=1e-9) for value in found)


def test_a_column_of_absurd_size_is_passed_over() -> None:
    assert list(statistics([1e200, 2e200])) == []


def test_a_product_of_two_values_and_one_with_hours_of_a_day_follow() -> None:
    follow = Pool(products([12.52, 720.0]))
    for text in ("9014.4", "300.48"):
        (found,) = quantities(text)
        assert follow.holds(found)


def test_bounds_of_a_mean_follow_from_its_spread_and_count() -> None:
    found = Pool(intervals([12.5194, 1.8231, 120.0]))
    for text in ("12.193", "12.846", "0.1664"):
        (stated,) = quantities(text)
        assert found.near(stated.value, stated.half)
