"""The exact law of correct guesses when a sample's class has nothing to do with what was shown.

Takes classes, guesses and configurations; gives the probability of every number of hits. Under the
null hypothesis the classes of the samples of one configuration are exchangeable: every order of
them among these samples is equally likely, whatever the learner guessed. So a learner that
recognises a configuration, and knows which classes it serves, gains nothing, and a learner that
says the same of all its samples has a law without spread.

For one configuration of n samples, let a_c be how often class c was guessed and b_c how often it is
true. Ways to place k hits are r_k, the coefficients of the product over c of the polynomials
sum_j C(a_c, j) C(b_c, j) j! x^j (rook numbers of rectangles on the diagonal; Kaplansky and Riordan,
Duke Math. J. 13, 1946). By inclusion and exclusion, exactly h hits have

    sum_{k >= h} (-1)^(k - h) C(k, h) r_k (n - k)!    of the n! orders.

All of this is done in whole numbers; configurations are independent, so their laws are convolved.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

Law = NDArray[np.float64]
"""Probability of 0, 1, 2, ... hits."""
_ROUNDING: Final = 1e-9


def hits_law(labels: Sequence[int], guesses: Sequence[int], groups: Sequence[int]) -> Law:
    """The law of the number of hits over all samples [hits], whose sum is 1."""
    members: dict[int, tuple[Counter[int], Counter[int]]] = defaultdict(
        lambda: (Counter(), Counter())
    )
    for label, guess, group in zip(labels, guesses, groups, strict=True):
        guessed, true = members[group]
        guessed[guess] += 1
        true[label] += 1
    whole: Law = np.ones(1)
    for guessed, true in members.values():
        pairs = sorted((guessed[name], true[name]) for name in {*guessed, *true})
        whole = np.asarray(np.convolve(whole, law_of_group(tuple(pairs))), np.float64)
    return whole


@cache
def law_of_group(pairs: tuple[tuple[int, int], ...]) -> Law:
    """The law of one configuration, from how often each class is guessed and true in it."""
    size = sum(true for _, true in pairs)
    ways = _rooks(pairs)
    orders = factorial(size)
    law = [
        sum(
            (-1) ** (k - hits) * comb(k, hits) * ways[k] * factorial(size - k)
            for k in range(hits, len(ways))
        )
        for hits in range(len(ways))
    ]
    return np.array([float(Fraction(number, orders)) for number in law])


def mean(law: Law) -> float:
    """Expected number of hits."""
    return float(np.arange(law.size) @ law)


def at_least(law: Law, hits: int) -> float:
    """The probability of `hits` or more, with twice the law's variance.

    Folds are not independent: of two samples in different folds each trains the guess about the
    other, so that what they have in common counts twice. As far as hits depend on classes pair by
    pair, their variance over all folds is at most twice that of independent folds. So the deviation
    from the mean is taken as that of two independent copies, which has just this variance.
    """
    first = math.ceil(hits + mean(law) - _ROUNDING)
    return min(1.0, float(np.convolve(law, law)[first:].sum()))


def at_most(law: Law, hits: int) -> float:
    """The probability of `hits` or fewer, with twice the law's variance as in `at_least`."""
    last = math.floor(hits + mean(law) + _ROUNDING)
    return min(1.0, float(np.convolve(law, law)[: max(0, last + 1)].sum()))


def interval(law: Law, tail: float) -> tuple[int, int]:
    """Fewest and most hits such that fewer, and such that more, have probability `tail` at most."""
    numbers = range(law.size)
    most = next((hits for hits in numbers if at_least(law, hits + 1) <= tail), law.size - 1)
    fewest = next((hits for hits in reversed(numbers) if at_most(law, hits - 1) <= tail), 0)
    return fewest, most


def _rooks(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Ways to place 0, 1, 2, ... hits."""
    ways = [1]
    for guessed, true in pairs:
        own = [comb(guessed, j) * comb(true, j) * factorial(j) for j in range(_most(guessed, true))]
        product = [0] * (len(ways) + len(own) - 1)
        for i, one in enumerate(ways):
            for j, other in enumerate(own):
                product[i + j] += one * other
        ways = product
    return ways


def _most(guessed: int, true: int) -> int:
    return min(guessed, true) + 1
