"""Raters among each other: kappa of every two, its mean, and alpha, pooled and by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

import numpy as np
from numpy.typing import NDArray

from benchwright.diagnosis.agreement.levels import Rated, SetLevel, found_at, names_of, pools_of
from benchwright.errors import SpecError
from benchwright.stats.agreement import (
    Agreement,
    agreement,
    alpha_of,
    kappa_of,
    presence,
)
from benchwright.stats.bootstrap import (
    REPLICATES,
    Counts,
    Draws,
    Interval,
    by_cluster,
    draw_clusters,
    interval,
    parts_of,
    pooled,
)

Sets = dict[str, frozenset[str]]
"""What a rater has found, by trajectory."""


@dataclass(frozen=True, slots=True)
class Among:
    """Agreement on one name, or on all names pooled."""

    name: str
    """Empty: all pooled; at the level of patterns a pillar: its patterns pooled. Each name of each
    trajectory is a unit."""
    trajectories: int
    """Labelled by two raters or more."""
    found: dict[str, int]
    """By rater: how often it was found, among these."""
    agreement: Agreement
    mean_interval: Interval
    alpha_interval: Interval


def among(rated: Rated, level: SetLevel, replicates: int = REPLICATES) -> tuple[Among, ...]:
    """All pooled, at the level of patterns those of each pillar pooled, then each name.

    Raises:
        SpecError: fewer than two raters, or no trajectory that two have labelled.
    """
    names = names_of(rated.taxonomy, level)
    ids = _labelled_twice(rated)
    sets = {
        rater: {i: found_at(own[i], rated.taxonomy, level) for i in ids if i in own}
        for rater, own in rated.own.items()
    }
    things = _things(np.stack([_cells(sets[rater], ids, names) for rater in rated.raters], axis=2))
    counts = by_cluster(zip(map(rated.cluster, ids), things.reshape(len(ids), -1), strict=True))
    every = dict(zip(names, parts_of(draw_clusters(counts, replicates), len(names)), strict=True))
    wanted = {**pools_of(rated.taxonomy, level), **{name: (name,) for name in names}}
    return tuple(
        _one(name, sets, kept, pooled([every[one] for one in kept]))
        for name, kept in wanted.items()
    )


def _one(name: str, sets: Mapping[str, Sets], kept: Sequence[str], draws: Draws) -> Among:
    found = agreement(presence(sets, kept))
    pairs = [place for place, pair in enumerate(found.pairs) if pair.kappa is not None]
    return Among(
        name,
        len(set().union(*sets.values())),
        {r: sum(len(own & set(kept)) for own in sets[r].values()) for r in found.raters},
        found,
        interval(draws, lambda sums: mean_of(sums, pairs)),
        interval(draws, lambda sums: alpha_of(float(sums[0]), sums[1:3].tolist())),
    )


def _things(cells: NDArray[np.float64]) -> Counts:
    """What alpha is made of, then four counts per pair: [trajectories, names, things].

    A unit of p raters who have found it and q who have not disagrees by 2 p q / (p + q - 1).
    """
    known = ~np.isnan(cells)
    given = known.sum(axis=2)
    paired = given > 1
    present = np.where(paired, np.nansum(cells, axis=2), 0.0)
    absent = np.where(paired, given, 0) - present
    inside = 2 * present * absent / np.maximum(given - 1, 1)
    things = [inside, present, absent]
    for one, other in combinations(range(cells.shape[2]), 2):
        both = known[:, :, one] & known[:, :, other]
        first, second = (np.where(both, cells[:, :, rater], 0.0) for rater in (one, other))
        things += [first * second, first, second, both]
    return np.stack(things, axis=2)


def mean_of(sums: Counts, pairs: Sequence[int]) -> float | None:
    """Mean kappa of `pairs` from counts; None where one of them has none."""
    four = sums[3:].reshape(-1, 4).tolist()
    kappas = [kappa_of(*four[pair]) for pair in pairs]
    known = [kappa for kappa in kappas if kappa is not None]
    return fsum(known) / len(known) if known and len(known) == len(kappas) else None


def _cells(own: Sets, ids: Sequence[str], names: Sequence[str]) -> NDArray[np.float64]:
    """[trajectories, names]: 1 found, 0 not, NaN not labelled."""
    missing = [np.nan] * len(names)
    return np.array([[float(n in own[i]) for n in names] if i in own else missing for i in ids])


def _labelled_twice(rated: Rated) -> list[str]:
    every = sorted({i for own in rated.own.values() for i in own})
    ids = [i for i in every if sum(i in own for own in rated.own.values()) > 1]
    if ids:
        return ids
    raise SpecError(
        "no trajectory that two raters have labelled",
        value=", ".join(rated.raters),
        where="labels",
        hint="Give labels of another rater of the same trajectories.",
    )
