"""Precision, recall and F1 of findings against those of somebody who is taken at their word.

Takes counts or sets; gives shares, None where there is nothing to take a share of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from benchwright.errors import SpecError


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Counts of one comparison; those of several add up."""

    right: int
    """Found, and true."""
    wrong: int
    """Found, and not true."""
    missed: int
    """True, and not found."""

    def __post_init__(self) -> None:
        if min(self.right, self.wrong, self.missed) < 0:
            raise SpecError(
                "counts of findings cannot be negative",
                value=(self.right, self.wrong, self.missed),
                where="precision and recall",
                hint="Count what is right, wrong and missed, each from 0.",
            )

    @property
    def precision(self) -> float | None:
        """Right of all found; None where nothing was found."""
        return share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        """Right of all that is true; None where nothing is true."""
        return share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of both, as 2 right / (2 right + wrong + missed).

        0 where nothing right was found; None only where nothing was found and nothing is true.
        """
        return share(2 * self.right, 2 * self.right + self.wrong + self.missed)

    def __add__(self, other: Retrieval) -> Retrieval:
        return Retrieval(
            self.right + other.right, self.wrong + other.wrong, self.missed + other.missed
        )


def retrieval(found: Collection[object], true: Collection[object]) -> Retrieval:
    """Counts of one set against another."""
    ours, theirs = set(found), set(true)
    return Retrieval(len(ours & theirs), len(ours - theirs), len(theirs - ours))


def pooled(each: Iterable[Retrieval]) -> Retrieval:
    """All counts together: shares of these are micro-averages."""
    return sum(each, Retrieval(0, 0, 0))


def share(part: float, whole: float) -> float | None:
    """`part / whole`; None where the whole is 0."""
    return part / whole if whole else None
