"""Precision, recall and F1: by hand, against scikit-learn, and unknown where there is no share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from benchwright.errors import SpecError
from benchwright.stats.retrieval import Retrieval, pooled, retrieval

names = st.sets(st.sampled_from("abcdefgh"))


def test_by_hand() -> None:
    found = retrieval({"A.1", "B.1", "C.1"}, {"A.1", "B.1", "D.1", "E.1"})
    assert found == Retrieval(right=2, wrong=1, missed=2)
    assert (found.precision, found.recall, found.f1) == (2 / 3, 1 / 2, 4 / 7)


def test_where_there_is_no_share_it_is_unknown_and_not_zero() -> None:
    nothing_found = retrieval(set(), {"A.1"})
    assert (nothing_found.precision, nothing_found.recall, nothing_found.f1) == (None, 0.0, 0.0)
    nothing_true = retrieval({"A.1"}, set())
    assert (nothing_true.precision, nothing_true.recall, nothing_true.f1) == (0.0, None, 0.0)
    nothing = retrieval(set(), set())
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(SpecError, match="negative"):
        Retrieval(-1, 0, 0)


@given(st.lists(st.tuples(names, names), min_size=1, max_size=6))
def test_pooled_counts_are_the_micro_average_of_scikit_learn(
    each: list[tuple[set[str], set[str]]],
) -> None:
    ours = pooled(retrieval(found, true) for found, true in each)
    cells = [(n in true, n in found) for found, true in each for n in "abcdefgh"]
    truth, said = [t for t, _ in cells], [s for _, s in cells]
    for value, score in (
        (ours.precision, precision_score), (ours.recall, recall_score), (ours.f1, f1_score)
    ):  # fmt: skip
        other = float(score(truth, said, zero_division=0.0))
        assert (value or 0.0) == pytest.approx(other)


@given(names, names)
def test_turning_the_two_round_swaps_precision_and_recall(a: set[str], b: set[str]) -> None:
    one, other = retrieval(a, b), retrieval(b, a)
    assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)
