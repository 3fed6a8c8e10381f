"""Agreement of raters beyond chance: Cohen's kappa, for any number of raters, and Krippendorff's.

Takes what raters said of units; gives coefficients, None where there is none. Values are names:
equal or not, without order. A unit that a rater left out is missing, never a value of its own.

Both coefficients ask how much of the disagreement that chance would bring is not there. Where all
values are one and the same, chance brings none and the question is 0 / 0: unknown, not 1 (facts
arft 8.5 gives 1 there, so that a pattern that nobody ever used would look perfectly agreed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import TypeVar

from benchwright.errors import SpecError

U = TypeVar("U", bound=Hashable)
Ratings = Mapping[str, Mapping[Hashable, Hashable]]
"""What each rater (by name) said of each unit."""


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Two raters on the units that both have rated."""

    raters: tuple[str, str]
    units: int
    observed: float | None
    """Share of units with equal values; None without a unit."""
    expected: float | None
    """The same share if each rater drew from its own values by chance."""
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """All raters of a set of units."""

    raters: tuple[str, ...]
    pairs: tuple[PairKappa, ...]
    """Every two raters, in order of names."""
    mean: float | None
    """Plain mean of the pairs that have a kappa; None where none has."""
    alpha: float | None


def agreement(ratings: Ratings) -> Agreement:
    """Pairwise kappa, its mean, and alpha of the same ratings."""
    pairs = pairwise_kappa(ratings)
    return Agreement(tuple(sorted(ratings)), pairs, mean_kappa(pairs), krippendorff_alpha(ratings))


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float | None:
    """Kappa of two raters (Cohen 1960, Educ. Psychol. Meas. 20); one value per unit, in order.

    (po - pe) / (1 - pe), with po the share of equal values and pe the sum over values of the
    product of the two raters' shares. 1 for raters that agree everywhere on values that vary, 0 at
    chance; None without a unit, and where both always said the same one thing.

    Raises:
        SpecError: as many values of one rater as of the other there are not.
    """
    return _pair(("a", "b"), a, b).kappa


def pairwise_kappa(ratings: Ratings) -> tuple[PairKappa, ...]:
    """Kappa of every two raters, each over the units that these two have rated.

    Raises:
        SpecError: fewer than two raters.
    """
    _need_two(ratings)
    pairs = []
    for first, second in combinations(sorted(ratings), 2):
        both = [unit for unit in ratings[first] if unit in ratings[second]]
        values = ([ratings[rater][unit] for unit in both] for rater in (first, second))
        pairs.append(_pair((first, second), *values))
    return tuple(pairs)


def mean_kappa(pairs: Iterable[PairKappa]) -> float | None:
    """Plain mean over pairs (Light 1971, Psychol. Bull. 76), those without a kappa left out."""
    known = [pair.kappa for pair in pairs if pair.kappa is not None]
    return fsum(known) / len(known) if known else None


def krippendorff_alpha(ratings: Ratings) -> float | None:
    """Alpha for nominal values, any number of raters, missing values (Krippendorff 2011).

    1 - Do / De over values that another rater's value of the same unit can be paired with: Do is
    the share of unequal pairs inside units, a unit of m values weighing m, De that of all pairs of
    such values. None where no unit has two values, and where all values are one and the same.

    Raises:
        SpecError: fewer than two raters.
    """
    _need_two(ratings)
    units: dict[Hashable, Counter[Hashable]] = {}
    for rater in ratings.values():
        for unit, value in rater.items():
            units.setdefault(unit, Counter())[value] += 1
    paired = [counted for counted in units.values() if counted.total() > 1]
    values = sum(paired, Counter[Hashable]())
    inside = fsum(sorted(disagreement(tuple(counted.values())) for counted in paired))
    return alpha_of(inside, tuple(values.values()))


def disagreement(counted: Sequence[float]) -> float:
    """What a unit adds to the disagreement inside units, from how often each value was given.

    Unequal ordered pairs by the number of values less one; 0 for fewer than two values.
    """
    size = sum(counted)
    return (size * size - sum(n * n for n in counted)) / (size - 1) if size > 1 else 0.0


def alpha_of(inside: float, values: Sequence[float]) -> float | None:
    """Alpha from the summed `disagreement` and how often each value was given in paired units."""
    total = sum(values)
    across = total * total - sum(n * n for n in values)
    return 1 - (total - 1) * inside / across if across else None


def kappa_of(both: float, first: float, second: float, n: float) -> float | None:
    """Kappa of presence and absence: present for both, for each of the two raters, and units.

    None as in `cohen_kappa`. Counts may be sums of resampled clusters.
    """
    equal = n - first - second + 2 * both
    chance = first * second + (n - first) * (n - second)
    return (equal * n - chance) / (n * n - chance) if n and chance < n * n else None


def presence(
    found: Mapping[str, Mapping[U, Collection[str]]], names: Iterable[str]
) -> dict[str, dict[Hashable, Hashable]]:
    """Ratings of units (unit, name) with True or False from sets of names per rater and unit.

    Sets become presence and absence, so that one coefficient covers all names pooled; a unit that a
    rater left out stays missing under every name.
    """
    kept = tuple(names)
    return {
        rater: {(unit, name): name in own for unit, own in units.items() for name in kept}
        for rater, units in found.items()
    }


def _pair(raters: tuple[str, str], a: Sequence[Hashable], b: Sequence[Hashable]) -> PairKappa:
    if len(a) != len(b):
        raise SpecError(
            "two raters need a value each for every unit",
            value=(len(a), len(b)),
            where=" and ".join(raters),
            hint="Leave out the units that only one of them has rated.",
        )
    n = len(a)
    if not n:
        return PairKappa(raters, 0, None, None, None)
    first, second = Counter(a), Counter(b)
    equal = sum(x == y for x, y in zip(a, b, strict=True))
    chance = sum(first[value] * second[value] for value in first)
    kappa = (equal * n - chance) / (n * n - chance) if chance < n * n else None
    return PairKappa(raters, n, equal / n, chance / (n * n), kappa)


def _need_two(ratings: Ratings) -> None:
    if len(ratings) < 2:
        raise SpecError(
            "agreement needs two raters",
            value=sorted(ratings),
            where="raters",
            hint="Give the labels of another rater of the same trajectories.",
        )
