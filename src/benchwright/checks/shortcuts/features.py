"""Hand features of series: levels, ranges, roughness, grain, and how they stand to one another.

Takes series [sample, channel, row]; gives a table [sample, feature]. They say what a person would
look at first: how large, how noisy, in what steps, steadier at the beginning or the end; and
ratios, which a tree cannot form by itself. Knows no learner.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchwright.checks.shortcuts.view import Floats

Table = NDArray[np.float64]
_TINY = 1e-30


def features(series: Floats) -> Table:
    """All features of each sample; finite for finite series of three rows or more."""
    wide = series.astype(np.float64)
    channels = [wide[:, index] for index in range(wide.shape[1])]
    rough = [_rough(channel) for channel in channels]
    columns = [column for channel in channels for column in _of_channel(channel)]
    pairs = list(combinations(range(len(channels)), 2))
    columns += [_share(rough[one], rough[other]) for one, other in pairs]
    columns += [_together(channels[one], channels[other]) for one, other in pairs]
    return np.stack(columns, axis=1)


def _of_channel(rows: Table) -> list[Table]:
    step = np.diff(rows, axis=1)
    bend = np.diff(step, axis=1)
    span = np.ptp(rows, axis=1)
    rough, grain = _rough(rows), _grain(rows)
    third = max(1, bend.shape[1] // 3)
    return [
        *(rows.mean(axis=1), rows.std(axis=1), rows.min(axis=1), rows.max(axis=1), span),
        *(rows[:, 0], rows[:, -1], np.median(rows, axis=1), np.abs(rows).mean(axis=1)),
        *(np.abs(step).mean(axis=1), step.std(axis=1), np.abs(step).max(axis=1)),
        *(bend.std(axis=1), np.abs(bend).max(axis=1), rough, grain),
        *((rows == 0.0).mean(axis=1), (step == 0.0).mean(axis=1)),
        *(_share(rough, span), _share(grain, span), _share(grain, rough)),
        *(_share(bend.std(axis=1), rough), _share(step.std(axis=1), rows.std(axis=1))),
        _share(np.abs(bend[:, :third]).mean(axis=1), np.abs(bend[:, -third:]).mean(axis=1)),
    ]


def _rough(rows: Table) -> Table:
    """Median size of second differences: the noise, where motion is smooth."""
    middle: Table = np.median(np.abs(np.diff(rows, n=2, axis=1)), axis=1)
    return middle


def _grain(rows: Table) -> Table:
    """Smallest distance between two values of a series that differ: the step of a quantiser."""
    gaps = np.diff(np.sort(rows, axis=1), axis=1)
    least = np.where(gaps > 0.0, gaps, np.inf).min(axis=1)
    return np.where(np.isfinite(least), least, 0.0)


def _share(one: Table, other: Table) -> Table:
    share: Table = one / np.maximum(np.abs(other), _TINY)
    return share


def _together(one: Table, other: Table) -> Table:
    """Correlation of the steps of two channels; 0 where one of them has none."""
    a, b = (np.diff(rows, axis=1) for rows in (one, other))
    a, b = (step - step.mean(axis=1, keepdims=True) for step in (a, b))
    size = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.where(size > 0.0, (a * b).sum(axis=1) / np.maximum(size, _TINY), 0.0)
