"""Exact binomial figures: published values, scipy's other route, and algebra."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchwright.errors import SpecError
from benchwright.stats.intervals import above_chance, clopper_pearson

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
shares = st.floats(0.01, 0.99)


def test_no_success_of_eight_reaches_up_to_0_369():
    low, high = clopper_pearson(0, 8)
    assert low == 0
    assert high == pytest.approx(0.369417, abs=5e-7)


def test_without_trials_nothing_is_excluded():
    assert clopper_pearson(0, 0) == (0.0, 1.0)
    assert above_chance(0, 0, 0.2) == 1.0


@given(counts, shares)
def test_the_interval_is_the_one_of_scipy_stats(pair, level):
    k, n = pair
    ours = clopper_pearson(k, n, level)
    theirs = stats.binomtest(k, n).proportion_ci(level, method="exact")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(counts)
def test_right_and_wrong_mirror_each_other(pair):
    k, n = pair
    low, high = clopper_pearson(k, n)
    mirrored = clopper_pearson(n - k, n)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-12)


@given(counts)
def test_the_interval_holds_the_share_and_lies_within_0_and_1(pair):
    k, n = pair
    low, high = clopper_pearson(k, n)
    assert 0 <= low <= k / n <= high <= 1


@given(st.integers(1, 60), st.floats(0.02, 0.98))
def test_coverage_is_at_least_the_level_for_every_true_share(n, p):
    hit = sum(
        stats.binom.pmf(k, n, p)
        for k in range(n + 1)
        if clopper_pearson(k, n)[0] <= p <= clopper_pearson(k, n)[1]
    )
    assert hit >= 0.95 - 1e-9


@given(counts, shares)
def test_p_is_the_upper_tail_of_scipy_stats(pair, chance):
    k, n = pair
    theirs = stats.binomtest(k, n, chance, alternative="greater").pvalue
    assert above_chance(k, n, chance) == pytest.approx(theirs, rel=1e-8, abs=1e-14)


@given(counts, shares)
def test_one_more_success_never_raises_p(pair, chance):
    k, n = pair
    assert above_chance(min(k + 1, n), n, chance) <= above_chance(k, n, chance)


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused_with_their_value(k, n):
    with pytest.raises(SpecError, match=str(k)):
        clopper_pearson(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, float("nan")])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(SpecError):
        clopper_pearson(1, 2, level)
