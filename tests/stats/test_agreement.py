"""Kappa and alpha: worked examples, other implementations, and what may not move them."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Hashable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from benchwright.errors import SpecError
from benchwright.stats.agreement import (
    agreement,
    cohen_kappa,
    kappa_of,
    krippendorff_alpha,
    mean_kappa,
    pairwise_kappa,
    presence,
)

values = st.sampled_from("abc")
paired = st.lists(st.tuples(values, values), min_size=1, max_size=40)
Given = dict[str, dict[Hashable, Hashable]]
several = st.dictionaries(
    st.sampled_from("pqrs"),
    st.dictionaries(st.integers(0, 9), values, max_size=10),
    min_size=2,
)


def pairs(*counts: tuple[str, str, int]) -> tuple[list[str], list[str]]:
    made = [(a, b) for a, b, n in counts for _ in range(n)]
    return [a for a, _ in made], [b for _, b in made]


def test_fifty_grants_of_two_readers() -> None:
    """20 and 15 alike, 5 and 10 not: po 0.7, pe 0.5."""
    a, b = pairs(("y", "y", 20), ("y", "n", 5), ("n", "y", 10), ("n", "n", 15))
    assert cohen_kappa(a, b) == pytest.approx(0.4)


def test_a_hundred_diagnoses_of_fleiss_1981() -> None:
    a, b = pairs(("P", "P", 75), ("P", "N", 1), ("P", "O", 4), ("N", "P", 5), ("N", "N", 4),
                 ("N", "O", 1), ("O", "O", 10))  # fmt: skip
    assert cohen_kappa(a, b) == pytest.approx(0.676, abs=5e-4)


def krippendorffs() -> Given:
    rows = {"A": "123321412...", "B": "1233224125.3", "C": ".3332342251",
            "D": "12332441251"}  # fmt: skip
    return {
        rater: {unit: sign for unit, sign in enumerate(row) if sign != "."}
        for rater, row in rows.items()
    }


def test_four_observers_of_krippendorff_2011() -> None:
    assert krippendorff_alpha(krippendorffs()) == pytest.approx(0.743, abs=5e-4)


def test_where_nothing_varies_agreement_is_unknown_and_not_perfect() -> None:
    assert cohen_kappa("aaa", "aaa") is None
    assert cohen_kappa("", "") is None
    assert krippendorff_alpha({"p": {1: "a", 2: "a"}, "q": {1: "a", 2: "a"}}) is None
    assert krippendorff_alpha({"p": {1: "a"}, "q": {2: "b"}}) is None


def test_one_rater_that_never_varies_agrees_as_chance_does() -> None:
    assert cohen_kappa("aaaa", "aabb") == 0.0
    assert cohen_kappa("aa", "bb") == 0.0


def test_kappa_is_taken_over_the_units_that_both_have_rated() -> None:
    rated: Given = {"p": {1: "a", 2: "b", 3: "a"}, "q": {1: "a", 2: "b", 9: "b"}, "r": {7: "a"}}
    found = agreement(rated)
    assert [(x.raters, x.units, x.kappa) for x in found.pairs] == [
        (("p", "q"), 2, 1.0), (("p", "r"), 0, None), (("q", "r"), 0, None)]  # fmt: skip
    assert found.mean == 1.0
    assert mean_kappa(found.pairs[1:]) is None


def test_sets_become_presence_and_absence_and_a_missing_unit_stays_missing() -> None:
    made = presence({"p": {1: {"A.1"}, 2: set()}, "q": {1: {"A.1", "B.1"}}}, ["A.1", "B.1"])
    assert made["p"] == {(1, "A.1"): True, (1, "B.1"): False, (2, "A.1"): False, (2, "B.1"): False}
    assert made["q"] == {(1, "A.1"): True, (1, "B.1"): True}


def test_one_rater_alone_and_rows_of_two_lengths_are_refused() -> None:
    with pytest.raises(SpecError, match="two raters"):
        pairwise_kappa({"p": {1: "a"}})
    with pytest.raises(SpecError, match="two raters"):
        krippendorff_alpha({"p": {1: "a"}})
    with pytest.raises(SpecError, match="every unit"):
        cohen_kappa("ab", "a")


@given(paired)
def test_kappa_is_that_of_scikit_learn(both: list[tuple[str, str]]) -> None:
    a, b = [x for x, _ in both], [y for _, y in both]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = float(cohen_kappa_score(a, b))
    ours = cohen_kappa(a, b)
    if ours is None:
        assert len({*a, *b}) == 1
    else:
        assert ours == pytest.approx(other, abs=1e-12)


def alpha_by_coincidences(rated: Given) -> float | None:
    """The definition as it is published: a matrix of coincidences over ordered pairs of raters."""
    units = sorted({unit for own in rated.values() for unit in own}, key=repr)
    matrix: dict[tuple[Hashable, Hashable], float] = {}
    for unit in units:
        said = [own[unit] for own in rated.values() if unit in own]
        for c, k in permutations(said, 2):
            matrix[c, k] = matrix.get((c, k), 0.0) + 1 / (len(said) - 1)
    totals: dict[Hashable, float] = {}
    for (c, _), weight in matrix.items():
        totals[c] = totals.get(c, 0.0) + weight
    n = sum(totals.values())
    unequal = sum(weight for (c, k), weight in matrix.items() if c != k)
    chance = sum(totals[c] * totals[k] for c in totals for k in totals if c != k)
    return 1 - (n - 1) * unequal / chance if chance else None


@given(several)
def test_alpha_is_that_of_its_definition(rated: Given) -> None:
    ours, other = krippendorff_alpha(rated), alpha_by_coincidences(rated)
    assert (ours is None) == (other is None)
    if ours is not None and other is not None:
        assert ours == pytest.approx(other, abs=1e-9)


@given(several, st.randoms())
def test_neither_order_nor_names_of_raters_units_and_values_matter(
    rated: Given, luck: random.Random
) -> None:
    units = list(range(10))
    luck.shuffle(units)
    raters = list(rated)
    luck.shuffle(raters)
    moved = {
        f"r{raters.index(rater)}": {units[int(str(u))]: f"new {v}" for u, v in own.items()}
        for rater, own in sorted(rated.items(), key=lambda _: luck.random())
    }
    first, second = agreement(rated), agreement(moved)
    assert first.alpha == second.alpha
    assert first.mean == pytest.approx(second.mean, abs=1e-12)
    known = [sorted(p.kappa for p in x.pairs if p.kappa is not None) for x in (first, second)]
    assert known[0] == known[1]


@given(st.dictionaries(st.integers(0, 9), values, min_size=2), st.integers(2, 4))
def test_raters_that_say_the_same_agree_wholly_where_something_varies(
    said: dict[int, str], raters: int
) -> None:
    rated: Given = {f"r{n}": dict(said) for n in range(raters)}
    found = agreement(rated)
    expected = 1.0 if len(set(said.values())) > 1 else None
    assert (found.mean, found.alpha) == (expected, expected)
    assert len(found.pairs) == math.comb(raters, 2)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_counts_of_presence_give_the_same_kappa(both: list[tuple[bool, bool]]) -> None:
    a, b = [x for x, _ in both], [y for _, y in both]
    assert kappa_of(sum(x and y for x, y in both), sum(a), sum(b), len(both)) == cohen_kappa(a, b)
