"""One stream's readings: times, values and marks, and what follows from them alone.

Arrays are parallel and in order of time: `times` int64 ms since 1970, `values` float64, `marks`
one byte each (1: a policy decided the instant, 2: drop-out). Sentinels are no mark: the class says
which values are. All spans are half-open index ranges.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, pairwise
from operator import sub

from benchwright.suites.telemetry.audit.clock import HOUR
from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.points import Point

ADJUSTED, DROPOUT = 1, 2
Regimes = Sequence[tuple[int | None, int]]


@dataclass(slots=True)
class Stream:
    """Readings of one point; `regimes` are (start or None, step in ms), in order, or none."""

    point: Point
    rules: ValueClass
    times: array[int]
    values: array[float]
    marks: bytearray
    regimes: Regimes = ()
    left_out: tuple[str, ...] = ()
    places: int | None = None
    step_ms: float = float(HOUR)
    unclean: list[int] = field(default_factory=list)
    excluded: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    faulty_out: list[int] = field(default_factory=list)
    gaps: array[int] = field(default_factory=lambda: array("q"))
    _scaled: array[float] | None = None

    def __post_init__(self) -> None:
        self.places = decimals(self.values)
        self.gaps = array("q", map(sub, self.times[1:], self.times))
        if self.gaps:
            self.step_ms = median(sorted(self.gaps))
        odd = [i for i, mark in enumerate(self.marks) if mark] if any(self.marks) else []
        sentinels = self._having(self.rules.sentinels)
        self.out = self._beyond()
        if "range" in self.left_out:
            known = {*sentinels, *(i for i in odd if self.marks[i] & DROPOUT)}
            self.faulty_out = [i for i in self.out if i not in known]
        self.unclean = sorted({*odd, *sentinels, *self.faulty_out})
        out = sentinels if "sentinel" in self.left_out else []
        drops = [i for i in odd if self.marks[i] & DROPOUT] if "dropout" in self.left_out else []
        self.excluded = sorted({*out, *drops, *self.faulty_out})

    def _having(self, wanted: tuple[float, ...]) -> list[int]:
        return [i for i, v in enumerate(self.values) if v in wanted] if wanted else []

    def _beyond(self) -> list[int]:
        low, high = self.rules.low, self.rules.high
        if low is None or high is None:
            return []
        return [i for i, v in enumerate(self.values) if not low <= v <= high]

    def __len__(self) -> int:
        return len(self.times)

    @property
    def id(self) -> str:
        """The stream's id."""
        return self.point.stream

    @property
    def scaled(self) -> array[float]:
        """Decimals as whole numbers of their last place; exact, since they have 15 digits."""
        if self._scaled is None:
            if not self.places:
                self._scaled = self.values
            else:
                larger = map(float(10**self.places).__mul__, self.values)
                self._scaled = array("d", map(round, larger))
        return self._scaled

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Index range of the readings in [start, end)."""
        return bisect_left(self.times, start), bisect_left(self.times, end)

    def without(self, low: int, high: int, bad: list[int]) -> Sequence[int]:
        """Indices in [low, high) that are not among `bad` (sorted)."""
        inside = bad[bisect_left(bad, low) : bisect_left(bad, high)]
        if not inside:
            return range(low, high)
        skip = set(inside)
        return [i for i in range(low, high) if i not in skip]

    def kept(self, low: int, high: int) -> Sequence[int]:
        """Indices of readings that figures are taken of."""
        return self.without(low, high, self.excluded)

    def clean_interior(self, low: int, high: int) -> Sequence[int]:
        """Indices of clean readings that are neither the first nor the last of the stream."""
        return self.without(max(low, 1), min(high, len(self) - 1), self.unclean)

    def is_clean(self, index: int) -> bool:
        """No mark, no sentinel, and not out of range where that is left out."""
        at = bisect_left(self.unclean, index)
        return at == len(self.unclean) or self.unclean[at] != index

    def is_sentinel(self, index: int) -> bool:
        """Whether the class calls this value a sentinel."""
        return self.values[index] in self.rules.sentinels

    def is_faulty_out(self, index: int) -> bool:
        """Out of range, no drop-out, no sentinel, and the contract leaves such readings out."""
        at = bisect_left(self.faulty_out, index)
        return at < len(self.faulty_out) and self.faulty_out[at] == index

    def step_at(self, ms: int) -> float:
        """The declared regime that holds there, else the stream's median interval; in ms."""
        if not self.regimes:
            return self.step_ms
        found = self.regimes[0][1]
        for start, step in self.regimes:
            if start is None or start <= ms:
                found = step
        return found

    def content(self, low: int, high: int) -> str:
        """Sha256 of times, values and marks of a range, each as one block, little-endian."""
        digest = hashlib.sha256()
        for block in (self.times[low:high], self.values[low:high]):
            if sys.byteorder == "big":
                block.byteswap()
            digest.update(block.tobytes())
        digest.update(self.marks[low:high])
        return digest.hexdigest()


def median(ordered: Sequence[int]) -> float:
    """Median of sorted whole numbers, as a double."""
    half = len(ordered) // 2
    if len(ordered) % 2:
        return float(ordered[half])
    return (ordered[half - 1] + ordered[half]) / 2


def decimals(values: Sequence[float]) -> int | None:
    """Places that all values have as decimals: at most six, and 15 digits; else None.

    A value has the fewest places that its nearest decimal can have and still be read as the value.
    """
    most = 0
    distinct = set(values)
    for value in distinct:
        while round(value, most) != value:
            most += 1
            if most > 6:
                return None
    limit = 10 ** (15 - most)
    return most if all(-limit < v < limit for v in distinct) else None


def runs(values: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Index ranges of equal neighbours, two at least."""
    change = [i for i, differs in enumerate(map(_differs, values[1:], values), 1) if differs]
    edges = [0, *change, len(values)]
    longer = [b - a > 1 for a, b in pairwise(edges)]
    yield from compress(pairwise(edges), longer)


def _differs(a: float, b: float) -> bool:
    return a != b
