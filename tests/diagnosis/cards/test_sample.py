"""A sample has equal shares of the strata, and hangs on nothing but episodes and seed."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.cards.sample import Item, allocate, draw, shares
from benchwright.errors import SpecError

names = st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("kl"))
sizes = st.dictionaries(names, st.integers(1, 9), min_size=1)


def items(own: dict[tuple[str, str, str], int]) -> list[Item]:
    return [Item(f"{'-'.join(name)}-{n}", *name) for name, size in own.items() for n in range(size)]


@given(sizes, st.integers(1, 60), st.integers(0, 5))
def test_shares_are_equal_but_for_strata_that_are_taken_whole(
    own: dict[tuple[str, str, str], int], asked: int, seed: int
) -> None:
    counts, exact = allocate(own, asked, seed), shares(own, asked)
    assert sum(counts.values()) == sum(exact.values()) == min(asked, sum(own.values()))
    assert all(0 <= counts[name] <= own[name] for name in own)
    assert all(abs(counts[name] - exact[name]) < 1 for name in own)
    most = max(exact.values())
    assert all(exact[name] == min(most, Fraction(own[name])) for name in own)


@given(sizes, st.integers(1, 60), st.integers(0, 5), st.randoms())
def test_the_order_of_the_episodes_changes_nothing(
    own: dict[tuple[str, str, str], int], asked: int, seed: int, luck: random.Random
) -> None:
    every = items(own)
    mixed = list(every)
    luck.shuffle(mixed)
    sample = draw(mixed, asked, seed)
    assert sample == draw(every, asked, seed)
    drawn = Counter(item.stratum for item in every if item.id in sample.chosen)
    assert {(s.agent, s.suite, s.kind): s.included for s in sample.strata if s.included} == drawn
    assert len(set(sample.chosen)) == len(sample.chosen) == min(asked, len(every))


def test_over_many_seeds_every_episode_is_drawn_as_often_as_its_chance_says() -> None:
    own = {("a", "x", "k"): 2, ("b", "x", "k"): 9, ("c", "x", "k"): 9}
    every, drawn = items(own), Counter[str]()
    for seed in range(2000):
        sample = draw(every, 7, seed)
        drawn.update(sample.chosen)
    chance = {(s.agent, s.suite, s.kind): s.chance for s in sample.strata}
    assert chance == {("a", "x", "k"): 1, **{(n, "x", "k"): 2.5 / 9 for n in "bc"}}
    for item in every:
        assert drawn[item.id] / 2000 == pytest.approx(chance[item.stratum], abs=0.05)


def test_fewer_than_there_are_strata_leaves_some_out_and_says_so() -> None:
    sample = draw(items({(n, "x", "k"): 3 for n in "abcd"}), 2, 0)
    assert sorted(s.included for s in sample.strata) == [0, 0, 1, 1]
    assert {s.chance for s in sample.strata} == {1 / 6}


@pytest.mark.parametrize(
    ("own", "asked"), [([], 1), (items({("a", "x", "k"): 1}), 0), ([Item("i", "", "", "")] * 2, 1)]
)
def test_nothing_to_draw_is_refused(own: list[Item], asked: int) -> None:
    with pytest.raises(SpecError):
        draw(own, asked, 0)
