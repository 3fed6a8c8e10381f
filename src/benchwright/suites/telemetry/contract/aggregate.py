"""Sums that do not depend on order: means, extremes and changes of windows.

Takes a stream and the edges of adjacent windows; gives arrays with an entry per window. `Sums` does
the same for groups whose readings come in pieces. A stream of
decimals is summed in integers, so its mean is the double nearest to the true one; any other sum is
exact and rounded once (`math.fsum`), and divided. What the contract leaves out is counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.measure import implausible, is_sentinel
from benchwright.suites.telemetry.contract.model import Mark
from benchwright.suites.telemetry.corpus.decimals import scaled
from benchwright.suites.telemetry.corpus.model import Kind, ValueClass
from benchwright.suites.telemetry.corpus.readings import DROPOUT

MEAN_KINDS: frozenset[Kind] = frozenset({"instant", "setpoint", "derived"})
_EXACT = 2**53
_ROOM = 2**62

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Aggregates:
    """An entry per window; NaN where there is nothing or the kind has none."""

    count: Ints
    """Readings used."""
    left_out: Ints
    mean: Floats
    least: Floats
    greatest: Floats
    change: Floats
    """Of a cumulative channel: last reading minus first inside the window; none where it falls."""


def usable(
    value: Floats, marks: NDArray[np.uint8], kind: ValueClass, left_out: tuple[Mark, ...]
) -> NDArray[np.bool_]:
    """Readings that figures are taken of."""
    kept = np.ones(len(value), dtype=bool)
    if "dropout" in left_out:
        kept &= (marks & DROPOUT) == 0
    if "sentinel" in left_out:
        kept &= ~is_sentinel(value, kind)
    if "range" in left_out:
        kept &= ~implausible(value, marks, kind)
    return kept


def aggregate(
    ts: Ints, value: Floats, kept: NDArray[np.bool_], edges: Ints, decimals: int | None, kind: Kind
) -> Aggregates:
    """Figures of windows between adjacent `edges`; readings outside all of them are passed over."""
    every = np.diff(np.searchsorted(ts, edges))
    t, v = ts[kept], value[kept]
    at = np.searchsorted(t, edges)
    low, high = at[:-1], at[1:]
    filled = high > low
    count = high - low
    means = np.full(len(low), np.nan)
    least, greatest, change = means.copy(), means.copy(), means.copy()
    if filled.any():
        firsts, lasts = low[filled], high[filled] - 1
        inside, starts = v[firsts[0] : lasts[-1] + 1], firsts - firsts[0]
        least[filled] = np.minimum.reduceat(inside, starts)
        greatest[filled] = np.maximum.reduceat(inside, starts)
        if kind in MEAN_KINDS:
            means[filled] = mean_of_groups(inside, starts, decimals)
        if kind == "cumulative":
            rising = ~_falls(v, firsts, lasts)
            change[filled] = np.where(rising, _difference(v[lasts], v[firsts], decimals), np.nan)
    return Aggregates(count, every - count, means, least, greatest, change)


def mean_of_groups(value: Floats, starts: Ints, decimals: int | None) -> Floats:
    """Means of the groups that begin at `starts` and end where the next begins."""
    counts = np.diff(np.append(starts, len(value)))
    if decimals is None:
        bounds = zip(starts.tolist(), (starts + counts).tolist(), strict=True)
        return np.array([math.fsum(value[a:b].tolist()) / (b - a) for a, b in bounds])
    whole = scaled(value, decimals)
    power = 10**decimals
    if int(np.abs(whole).max()) * len(whole) < _ROOM:
        sums = np.add.reduceat(whole, starts)
        if int(np.abs(sums).max()) < _EXACT and int(counts.max()) * power < _EXACT:
            return np.asarray(sums / (counts * power), dtype=np.float64)
        exact = sums.tolist()
    else:
        bounds = zip(starts.tolist(), (starts + counts).tolist(), strict=True)
        exact = [sum(whole[a:b].tolist()) for a, b in bounds]
    return np.array([s / (n * power) for s, n in zip(exact, counts.tolist(), strict=True)])


class Sums:
    """Exact sums of numbered groups whose readings come in pieces."""

    def __init__(self, decimals: int | None) -> None:
        self._decimals = decimals
        self._counts: dict[int, int] = {}
        self._whole: dict[int, int] = {}
        self._parts: dict[int, list[float]] = {}

    def add(self, group: int, value: Floats) -> None:
        """Some more readings of a group, at least one."""
        self._counts[group] = self._counts.get(group, 0) + len(value)
        if self._decimals is None:
            self._parts[group] = _parts([*self._parts.get(group, ()), *value.tolist()])
            return
        whole = scaled(value, self._decimals)
        small = int(np.abs(whole).max()) * len(whole) < _ROOM
        found = int(whole.sum()) if small else sum(whole.tolist())
        self._whole[group] = self._whole.get(group, 0) + found

    def means(self) -> list[tuple[int, int, float]]:
        """Group, readings and mean, by group."""
        return [(group, self._counts[group], self._mean(group)) for group in sorted(self._counts)]

    def _mean(self, group: int) -> float:
        count = self._counts[group]
        if self._decimals is None:
            return math.fsum(self._parts[group]) / count
        mean: float = self._whole[group] / (count * 10**self._decimals)
        return mean


def _parts(values: list[float]) -> list[float]:
    """A few doubles whose sum is exactly the sum of all."""
    found: list[float] = []
    while rest := math.fsum([*values, *(-part for part in found)]):
        found.append(rest)
    return found


def _falls(value: Floats, firsts: Ints, lasts: Ints) -> NDArray[np.bool_]:
    """Whether a counter falls between these places: it was exchanged, or reset."""
    before = np.concatenate(([0], np.cumsum(value[1:] < value[:-1])))
    found: NDArray[np.bool_] = before[lasts] > before[firsts]
    return found


def _difference(last: Floats, first: Floats, decimals: int | None) -> Floats:
    if decimals is None:
        return last - first
    whole = scaled(last, decimals) - scaled(first, decimals)
    return np.asarray(whole / 10.0**decimals, dtype=np.float64)
