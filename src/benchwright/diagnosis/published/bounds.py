"""What printed figures leave open: bounds of counts, shares and ranks.

A figure printed with d decimals stands for all that lies within half a unit of its last digit, both
ends included, since halves are rounded either way. A rate of 800 analyses with one decimal leaves
one whole number at most; a share of 12,712 hits leaves about thirteen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from benchwright.diagnosis.published.stated import Published
from benchwright.diagnosis.taxonomy import Taxonomy
from benchwright.errors import SpecError
from benchwright.storage.people import nearest

LARGEST_DENOMINATOR: Final = 6
FRACTIONS: Final = sorted(
    {Fraction(k, n) for n in range(2, LARGEST_DENOMINATOR + 1) for k in range(1, n)}
)
"""What a fraction in words is chosen from."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A figure lies from `low` to `high`, both included."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Bounds) -> Bounds:
        return Bounds(self.low - other.high, self.high - other.low)

    def __and__(self, other: Bounds) -> Bounds:
        return Bounds(max(self.low, other.low), min(self.high, other.high))

    @property
    def empty(self) -> bool:
        """No figure lies there."""
        return self.low > self.high

    def by(self, whole: Bounds) -> Bounds:
        """A part of a whole, both positive, as a share."""
        return Bounds(self.low / whole.high, self.high / whole.low)


def exactly(value: int | Fraction) -> Bounds:
    """One figure."""
    return Bounds(Fraction(value), Fraction(value))


def printed(text: str) -> Bounds:
    """All that rounds to the digits that are printed."""
    value, half = Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    return Bounds(value - half, value + half)


def whole_numbers(share: Bounds, n: int) -> Bounds:
    """Counts of `n` whose share in percent lies in `share`; empty where there is none."""
    return Bounds(Fraction(ceil(share.low * n / 100)), Fraction(floor(share.high * n / 100)))


def nearest_fraction(value: Fraction) -> Fraction:
    """The fraction in words that `value` is nearest to, the smaller of two."""
    return min(FRACTIONS, key=lambda fraction: abs(fraction - value))


class Known:
    """Counts that follow from what is published."""

    def __init__(self, stated: Published, taxonomy: Taxonomy) -> None:
        self._stated = stated
        self._patterns = taxonomy.patterns
        self.named = frozenset((*stated.rates, *stated.counts))
        """Patterns of which any figure is published."""

    def pattern(self, name: str) -> Bounds:
        """Trajectories with a pattern; from none to all where nothing is published."""
        stated = self._stated
        found = Bounds(Fraction(0), Fraction(stated.analyses))
        if name in stated.counts:
            return exactly(stated.counts[name])
        if name in stated.rates:
            found &= whole_numbers(printed(stated.rates[name]), stated.analyses)
        return found

    def pillar(self, name: str) -> Bounds:
        """Hits of a pillar; all hits where `name` is empty."""
        if not name:
            return exactly(self._stated.hits)
        if name not in self._stated.pillars:
            raise SpecError(
                "pillar without a published share",
                value=name,
                where="published figures",
                hint=nearest(name, self._stated.pillars),
            )
        return whole_numbers(printed(self._stated.pillars[name]), self._stated.hits)

    def together(self, names: Sequence[str], of: str) -> Bounds:
        """Hits of several patterns: their own bounds, and what the rest of the pillar leaves."""
        own = self._sum(names)
        if not of:
            return own
        others = [n for n, p in self._patterns.items() if p.pillar == of and n not in names]
        return own & (self.pillar(of) - self._sum(others))

    def determined(self, names: Sequence[str], of: str) -> bool:
        """Whether every pattern of the group, or every other one of its pillar, is published."""
        others = {n for n, p in self._patterns.items() if p.pillar == of} - set(names)
        return self.named >= set(names) or (bool(of) and self.named >= others)

    def rank(self, name: str) -> tuple[int, int]:
        """Best and worst rank by count that a pattern can have."""
        own = self.pattern(name)
        others = [self.pattern(other) for other in self._patterns if other != name]
        above = sum(other.low > own.high for other in others)
        return 1 + above, 1 + sum(other.high > own.low for other in others)

    def _sum(self, names: Iterable[str]) -> Bounds:
        return sum(map(self.pattern, names), exactly(0))
