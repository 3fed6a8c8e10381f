"""The exact law of hits, against counting every order of the classes."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.checks.shortcuts.hits import at_least, at_most, hits_law, interval, mean

names = st.integers(0, 3)
samples = st.lists(st.tuples(names, names), min_size=1, max_size=6)


def counted(pairs: list[tuple[int, int]]) -> dict[int, float]:
    """Share of the orders of the classes with each number of hits."""
    guesses = [guess for _, guess in pairs]
    orders = list(permutations([label for label, _ in pairs]))
    found = Counter(sum(map(int.__eq__, order, guesses)) for order in orders)
    return {hits: count / len(orders) for hits, count in found.items()}


def law_of(pairs: list[tuple[int, int]], group: int = 0) -> np.ndarray:
    return hits_law([p[0] for p in pairs], [p[1] for p in pairs], [group] * len(pairs))


@given(samples)
def test_the_law_of_a_configuration_is_that_of_all_orders(pairs: list[tuple[int, int]]) -> None:
    law, expected = law_of(pairs), counted(pairs)
    assert law == pytest.approx([expected.get(hits, 0.0) for hits in range(law.size)], abs=1e-12)
    assert max(expected) < law.size


@given(st.lists(samples, min_size=1, max_size=4))
def test_configurations_are_independent(parts: list[list[tuple[int, int]]]) -> None:
    rows = [(label, guess, group) for group, own in enumerate(parts) for label, guess in own]
    law = hits_law(*zip(*rows, strict=True))
    expected = np.ones(1)
    for own in parts:
        counts = counted(own)
        expected = np.convolve(expected, [counts.get(h, 0.0) for h in range(max(counts) + 1)])
    assert law[: expected.size] == pytest.approx(expected, abs=1e-12)
    assert law[expected.size :] == pytest.approx(0.0, abs=1e-12)
    assert law.sum() == pytest.approx(1.0)


@given(samples)
def test_expected_hits_are_those_of_independent_draws(pairs: list[tuple[int, int]]) -> None:
    labels, guesses = Counter(p[0] for p in pairs), Counter(p[1] for p in pairs)
    expected = sum(labels[name] * guesses[name] for name in labels) / len(pairs)
    assert mean(law_of(pairs)) == pytest.approx(expected)


def test_whoever_knows_the_classes_of_a_configuration_gains_nothing() -> None:
    # Two classes, one of each: a guess that is the same for both is right once, for certain.
    law = law_of([(0, 1), (1, 1)])
    assert law.tolist() == [0.0, 1.0]
    assert at_least(law, 1) == 1.0 and interval(law, 0.01) == (1, 1)


def test_hundreds_of_samples_of_one_configuration_have_a_law_in_reach() -> None:
    labels = [n % 5 for n in range(300)]
    law = hits_law(labels, labels[::-1], [0] * 300)
    assert law.sum() == pytest.approx(1.0)
    assert mean(law) == pytest.approx(60.0)
    # Draws without replacement: the binomial variance, larger by n / (n - 1).
    spread = float(np.arange(law.size) ** 2 @ law) - mean(law) ** 2
    assert spread == pytest.approx(300 * 4 / 25 * 300 / 299)


@given(samples, st.sampled_from([0.001, 0.02, 0.2, 0.4]))
def test_beyond_the_interval_chance_has_no_more_than_its_tail(
    pairs: list[tuple[int, int]], tail: float
) -> None:
    law = law_of(pairs)
    fewest, most = interval(law, tail)
    assert most == law.size - 1 or at_least(law, most + 1) <= tail
    assert most == 0 or at_least(law, most) > tail
    assert fewest == 0 or at_most(law, fewest - 1) <= tail
    assert fewest == law.size - 1 or at_most(law, fewest) > tail


@given(samples)
def test_probabilities_are_those_of_the_deviation_of_two_copies(
    pairs: list[tuple[int, int]],
) -> None:
    shares, law = counted(pairs), law_of(pairs)
    middle = sum(hits * share for hits, share in shares.items())
    for hits in range(law.size):
        both = [
            (one + other - middle - hits, first * second)
            for one, first in shares.items()
            for other, second in shares.items()
        ]
        over = sum(share for apart, share in both if apart >= -1e-9)
        under = sum(share for apart, share in both if apart <= 1e-9)
        assert at_least(law, hits) == pytest.approx(over)
        assert at_most(law, hits) == pytest.approx(under)
