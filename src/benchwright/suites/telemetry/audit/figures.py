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


def scaled(stream: Stream, values: Sequence[float]) -> list[int]:
    """Decimals as whole numbers of their last place; exact, since they have at most 15 digits."""
    factor = 10 ** (stream.places or 0)
    return [round(v * factor) for v in values]


def mean_of(stream: Stream, values: Sequence[float]) -> float:
    """The double nearest to the true mean of decimals; else the exact sum rounded, then divided."""
    if stream.places is None:
        return total(values) / len(values)
    places: int = 10**stream.places
    return sum(scaled(stream, values)) / (len(values) * places)


def total(values: Sequence[float]) -> float:
    """The double nearest to the exact sum."""
    return math.fsum(values)


def change_of(stream: Stream, first: float, last: float) -> float:
    """The last value minus the first, as the double nearest to the difference of their decimals."""
    if stream.places is None:
        return last - first
    low, high = scaled(stream, (first, last))
    places: int = 10**stream.places
    return (high - low) / places


def falls(values: Sequence[float]) -> bool:
    """Whether a counter was exchanged or reset: it has no change then."""
    return any(map(gt, values, values[1:]))


def figures(stream: Stream, start: int, end: int) -> Figures:
    """Figures of one window."""
    low, high = stream.span(start, end)
    places = stream.kept(low, high)
    values: Sequence[float] = stream.values[low:high]
    if len(places) < high - low:
        values = array("d", [stream.values[i] for i in places])
    kind = stream.point.kind
    return Figures(
        count=len(values),
        left_out=high - low - len(values),
        mean=mean_of(stream, values) if values and kind in MEANS else None,
        change=change_of(stream, values[0], values[-1])
        if values and kind == "cumulative" and not falls(values)
        else None,
        least=min(values, default=None),
        greatest=max(values, default=None),
    )
