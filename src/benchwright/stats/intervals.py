"""Exact binomial intervals and tests. Takes counts, gives probabilities; knows no record.

Clopper and Pearson (Biometrika 26, 1934): the bounds are beta quantiles, exact at both edges, so
0 of 8 is (0, 0.369) and never (0, 0). `scipy.special` gives the same numbers as `scipy.stats` and
is imported in a fifth of the time.
"""

from __future__ import annotations

from scipy import special

from benchwright.errors import SpecError


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Two-sided exact interval of a share, each tail (1 - level) / 2; with n = 0 it is (0, 1)."""
    _check_counts(successes, n)
    _check_share(level, "level", open_ends=True)
    tail = (1 - level) / 2
    low = special.betaincinv(successes, n - successes + 1, tail) if successes else 0.0
    high = special.betaincinv(successes + 1, n - successes, 1 - tail) if successes < n else 1.0
    return float(low), float(high)


def above_chance(successes: int, n: int, chance: float) -> float:
    """One-sided exact p: the probability of at least `successes` of `n` when guessing."""
    _check_counts(successes, n)
    _check_share(chance, "chance", open_ends=False)
    if successes == 0:
        return 1.0
    return float(special.betainc(successes, n - successes + 1, chance))


def _check_counts(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise SpecError(
            "successes must lie between 0 and the number of trials",
            value=(successes, n),
            where="binomial counts",
            hint="Give whole counts with 0 <= successes <= n.",
        )


def _check_share(value: float, name: str, *, open_ends: bool) -> None:
    inside = 0 < value < 1 if open_ends else 0 <= value <= 1
    if not inside:
        raise SpecError(
            f"{name} must be a share",
            value=value,
            where="binomial counts",
            hint="Give a number between 0 and 1, such as 0.95.",
        )
