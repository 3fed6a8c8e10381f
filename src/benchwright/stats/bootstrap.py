"""Cluster bootstrap: how far a figure would move if other tasks had been drawn.

Trajectories of one task are alike, and so are the findings of one trajectory; as independent draws
they would give intervals that are too narrow. So whole clusters are drawn again with replacement,
with everything that is in them (Davison and Hinkley 1997, section 3.8). Takes counts per cluster
that add up; gives percentile intervals of any figure that is a function of their sums.

A replicate has a generator of its own, keyed by (seed, replicate): more replicates leave the first
ones as they were. Work grows with clusters times replicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError

Counts = NDArray[np.float64]
"""One row: what a cluster holds of each thing that is counted."""
Interval = tuple[float, float] | None
"""Low and high end; None where there is none."""

SEED: Final = 20260706
REPLICATES: Final = 2000
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Draws:
    """Sums of counts, as they are and as they are in each replicate."""

    total: Counts
    """[things]"""
    again: Counts
    """[replicates, things]"""
    clusters: int


def by_cluster(rows: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    """Rows of counts, each with the name of its cluster, added up within clusters."""
    summed: dict[str, Counts] = {}
    for name, row in rows:
        summed[name] = summed[name] + row if name in summed else row
    return summed


def draw_clusters(
    counts: Mapping[str, Counts], replicates: int = REPLICATES, seed: int = SEED
) -> Draws:
    """Draw as many clusters as there are, `replicates` times; the order of `counts` is no matter.

    Raises:
        SpecError: there is no cluster.
    """
    if not counts:
        raise SpecError(
            "nothing to draw from",
            value=0,
            where="clusters",
            hint="Give the counts of at least one task.",
        )
    rows = np.stack([counts[name] for name in sorted(counts)]).astype(np.float64)
    n = len(rows)
    again = np.empty((replicates, rows.shape[1]))
    for replicate in range(replicates):
        luck = np.random.Generator(np.random.Philox(key=np.array([seed, replicate], np.uint64)))
        again[replicate] = np.bincount(luck.integers(0, n, n), minlength=n) @ rows
    return Draws(rows.sum(axis=0), again, n)


def parts_of(draws: Draws, parts: int) -> tuple[Draws, ...]:
    """Draws of things that stand in `parts` runs of equal length, each run on its own.

    Parts that are drawn together share their clusters in every replicate.
    """
    total = draws.total.reshape(parts, -1)
    again = draws.again.reshape(len(draws.again), parts, -1)
    return tuple(Draws(total[n], again[:, n], draws.clusters) for n in range(parts))


def pooled(parts: Sequence[Draws]) -> Draws:
    """The sum of parts that were drawn together."""
    total, again = sum(part.total for part in parts), sum(part.again for part in parts)
    return Draws(np.asarray(total), np.asarray(again), parts[0].clusters)


def interval(
    draws: Draws, figure: Callable[[Counts], float | None], level: float = LEVEL
) -> Interval:
    """Percentile interval of `figure`, a function of the sums [things].

    None where there is no interval to be had: of one cluster; where the figure is the same in every
    replicate, so that nothing is known of how it varies; and where it has no value in more than
    1 - level of the replicates, whose place among the others nobody knows.
    """
    if draws.clusters < 2 or (draws.again == draws.again[0]).all():
        return None
    values = [value for row in draws.again if (value := figure(row)) is not None]
    if len(values) < level * len(draws.again) or min(values) == max(values):
        return None
    tail = 50 * (1 - level)
    low, high = np.percentile(values, [tail, 100 - tail])
    return float(low), float(high)


def share_of(part: int, whole: int) -> Callable[[Counts], float | None]:
    """The figure `sums[part] / sums[whole]`; None where the whole is 0."""
    return lambda sums: float(sums[part] / sums[whole]) if sums[whole] else None
