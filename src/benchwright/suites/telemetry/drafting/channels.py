"""What a column holds, from its numbers alone: kind, sentinels, and what is worth a remark.

Takes the streams of a class, each as values in order of time; gives a `Guess`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.corpus.model import Kind

Floats = NDArray[np.float64]
_FEW = 8
_CODES = (
    -9999.0,
    -999.0,
    -99.0,
    999.0,
    9999.0,
    99999.0,
    32767.0,
    -32768.0,
    65535.0,
    3276.7,
    6553.5,
)
_NINES = re.compile(r"-?99+(\.9+)?")
_REPEATS = 3
_FALLS = 2
_RISES = 50
"""A counter may fall so often, where its meter was exchanged, and rises so often for each fall."""


@dataclass(frozen=True, slots=True)
class Fall:
    """Where a counter falls, perhaps because its meter was exchanged."""

    stream: int
    place: int
    """Of the lower value, in the values of the stream."""
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Guess:
    """What the numbers of a class look like."""

    kind: Kind
    why: str
    zero: bool
    """A counter that falls to 0 and comes back: its zeros are drop-outs."""
    sentinels: tuple[tuple[float, int, float], ...]
    """A constant extreme, how often it stands, and the value next to it."""
    extent: tuple[float, float]
    """Least and greatest of the others."""
    falls: tuple[Fall, ...] = ()
    """Of a counter, but for sentinels and drop-outs."""


def guess(name: str, streams: Sequence[Floats]) -> Guess:
    """Kind and sentinels of a class of streams; each has values, without NaN, in order of time."""
    every = np.concatenate(list(streams))
    sentinels = _sentinels(every)
    codes = [value for value, _, _ in sentinels]
    kept = [values[~np.isin(values, codes)] for values in streams]
    left = np.concatenate(kept)
    extent = (float(left.min()), float(left.max()))
    kind, why, zero = _kind(name, kept, left)
    falls = _falls(streams, [*codes, *([0.0] if zero else [])]) if kind == "cumulative" else ()
    return Guess(kind, why, zero, sentinels, extent, falls)


def _falls(streams: Sequence[Floats], codes: Sequence[float]) -> tuple[Fall, ...]:
    found = []
    for stream, values in enumerate(streams):
        there = np.flatnonzero(~np.isin(values, codes))
        kept = values[there]
        for k in np.flatnonzero(np.diff(kept) < 0).tolist():
            found.append(Fall(stream, int(there[k + 1]), float(kept[k]), float(kept[k + 1])))
    return tuple(found)


def _kind(name: str, streams: Sequence[Floats], every: Floats) -> tuple[Kind, str, bool]:
    distinct = np.unique(every)
    whole = bool((distinct == np.rint(distinct)).all())
    if re.search("dir", name.lower()) and distinct[0] >= 0 and distinct[-1] <= 360:
        return "angle", "lies in 0 to 360 and has 'dir' in its name", False
    if len(distinct) == 1:
        return "instant", "never changes", False
    if whole and len(distinct) <= _FEW and len(every) > 2 * len(distinct):
        shown = ", ".join(f"{value:g}" for value in distinct)
        return "state", f"takes few whole numbers ({shown})", False
    if _rises(streams, 0):
        return "cumulative", "never falls", False
    zero = any(map(_comes_back, streams))
    judged = [values[values != 0] for values in streams] if zero else streams
    if zero and _rises(judged, 0):
        return "cumulative", "never falls but to 0, and comes back from there", True
    if _rises(judged, _FALLS):
        back = ", but for zeros that it comes back from" if zero else ""
        return "cumulative", f"rises, and falls once or twice{back}", zero
    return "instant", "rises and falls", False


def _rises(streams: Sequence[Floats], falls: int) -> bool:
    """No stream falls more often, and then seldom; the longest rises in ten places or more."""
    pairs = [(int((s > 0).sum()), int((s < 0).sum())) for s in map(np.diff, streams)]
    calm = all(down <= falls and up >= _RISES * down for up, down in pairs)
    return calm and max(up for up, _ in pairs) >= 10


def _comes_back(values: Floats) -> bool:
    """Whether a value behind zeros is at least the one before them."""
    there = np.flatnonzero(values != 0)
    kept = values[there]
    return bool(((np.diff(there) > 1) & (np.diff(kept) >= 0)).any())


def _sentinels(every: Floats) -> tuple[tuple[float, int, float], ...]:
    """Extremes that repeat and stand far from everything else."""
    values, counts = np.unique(every, return_counts=True)
    found: list[tuple[float, int, float]] = []
    while len(values) > 4:
        ends = [(0, 1), (len(values) - 1, len(values) - 2)]
        hit = next((end for end in ends if _stands_off(values, counts, *end)), None)
        if hit is None:
            break
        end, beside = hit
        found.append((float(values[end]), int(counts[end]), float(values[beside])))
        values, counts = np.delete(values, end), np.delete(counts, end)
    return tuple(sorted(found))


def _stands_off(values: Floats, counts: NDArray[np.int64], end: int, beside: int) -> bool:
    if counts[end] < _REPEATS or counts[end] > 0.2 * counts.sum() or values[end] == 0:
        return False
    rest = np.delete(values, end)
    spread = float(np.quantile(rest, 0.95) - np.quantile(rest, 0.05))
    gap = abs(float(values[end] - values[beside]))
    usual = float(np.median(np.diff(rest)))
    value = float(values[end])
    coded = value in _CODES or (_NINES.fullmatch(f"{value:g}") and abs(value) != 99)
    return gap > 2 * spread > 0 or (bool(coded) and gap > 20 * usual)
