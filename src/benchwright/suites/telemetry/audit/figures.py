"""Figures of a window: exact means, changes, least and greatest, over kept readings."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from operator import gt

from benchwright.suites.telemetry.audit.contract import MEANS
from benchwright.suites.telemetry.audit.stream import Stream


@dataclass(frozen=True, slots=True)
class Figures:
    """`count` kept and `left_out` readings; None where the kind has no such figure."""

    count: int
    left_out: int
    mean: float | None
    change: float | None
    least: float | None
    greatest: float | None

    @property
    def figure(self) -> float | None:
        """What the stream's kind is asked for: its mean, or the change of a counter."""
        return self.change if self.mean is None else self.mean


def mean_of(stream: Stream, places: Sequence[int]) -> float:
    """The double nearest to the true mean of decimals; else the exact sum rounded, then divided."""
    if stream.places is None:
        return total(_at(stream.values, places)) / len(places)
    factor: int = 10**stream.places
    return whole(_at(stream.scaled, places)) / (len(places) * factor)


def _at(values: array[float], places: Sequence[int]) -> Sequence[float]:
    """The values in places, of which most are ranges."""
    if isinstance(places, range):
        return values[places.start : places.stop]
    return array("d", [values[i] for i in places])


def whole(numbers: Sequence[float]) -> int:
    """The exact sum of whole numbers below 1e15: what fsum gives is exact up to 2**53."""
    found = math.fsum(numbers)
    return int(found) if abs(found) < 2**53 else sum(map(int, numbers))


def total(values: Sequence[float]) -> float:
    """The double nearest to the exact sum."""
    return math.fsum(values)


def change_of(stream: Stream, first: int, last: int) -> float:
    """The last reading minus the first: the double nearest to the difference of their decimals."""
    if stream.places is None:
        return stream.values[last] - stream.values[first]
    places: int = 10**stream.places
    return (int(stream.scaled[last]) - int(stream.scaled[first])) / places


def falls(values: Sequence[float]) -> bool:
    """Whether a counter was exchanged or reset: it has no change then."""
    return any(map(gt, values, values[1:]))


def figures(stream: Stream, start: int, end: int) -> Figures:
    """Figures of one window."""
    low, high = stream.span(start, end)
    places = stream.kept(low, high)
    values = _at(stream.values, places)
    kind = stream.point.kind
    counter = kind == "cumulative" and places and not falls(values)
    return Figures(
        count=len(places),
        left_out=high - low - len(places),
        mean=mean_of(stream, places) if places and kind in MEANS else None,
        change=change_of(stream, places[0], places[-1]) if counter else None,
        least=min(values, default=None),
        greatest=max(values, default=None),
    )
