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
_REPEATS = 3


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


def guess(name: str, streams: Sequence[Floats]) -> Guess:
    """Kind and sentinels of a class of streams; each has values, without NaN, in order of time."""
    every = np.concatenate(list(streams))
    sentinels = _sentinels(every)
    codes = [value for value, _, _ in sentinels]
    kept = [values[~np.isin(values, codes)] for values in streams]
    left = np.concatenate(kept)
    extent = (float(left.min()), float(left.max()))
    kind, why, zero = _kind(name, kept, left)
    return Guess(kind, why, zero, sentinels, extent)


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
    if _rises(streams):
        return "cumulative", "never falls", False
    if (every == 0).any() and _rises([values[values != 0] for values in streams]):
        return "cumulative", "never falls but to 0, and comes back from there", True
    return "instant", "rises and falls", False


def _rises(streams: Sequence[Floats]) -> bool:
    """No stream falls, and the longest rises in ten places or more."""
    steps = [np.diff(values) for values in streams]
    return all((s >= 0).all() for s in steps) and max(int((s > 0).sum()) for s in steps) >= 10


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
    return gap > 2 * spread > 0 or (float(values[end]) in _CODES and gap > 20 * usual)
