"""Each rater against one that is taken at its word: precision, recall, F1 and kappa."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchwright.diagnosis.agreement.levels import Rated, SetLevel, found_at, names_of, pools_of
from benchwright.errors import SpecError
from benchwright.stats.agreement import kappa_of
from benchwright.stats.bootstrap import (
    Counts,
    Draws,
    Interval,
    by_cluster,
    draw_clusters,
    interval,
    parts_of,
    pooled,
    share_of,
)
from benchwright.stats.retrieval import Retrieval, share
from benchwright.storage.people import nearest


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and its 95 % interval over tasks; None where there is none."""

    value: float | None
    interval: Interval


@dataclass(frozen=True, slots=True)
class Compared:
    """One rater against another on one name, or on all names pooled."""

    name: str
    """Empty: all pooled; at the level of patterns a pillar: its patterns pooled."""
    counts: Retrieval
    absent: int
    """Neither has it."""
    precision: Figure
    recall: Figure
    f1: Figure
    kappa: Figure


@dataclass(frozen=True, slots=True)
class Against:
    """One rater against `truth` at one level."""

    rater: str
    truth: str
    shared: int
    """Trajectories that both have labelled; the others count nowhere."""
    only_rater: int
    only_truth: int
    compared: tuple[Compared, ...]
    """All pooled, at the level of patterns those of each pillar pooled, then each name."""


def against(rated: Rated, truth: str, level: SetLevel) -> tuple[Against, ...]:
    """Every other rater against `truth`, by name.

    Raises:
        SpecError: no such rater, no other one, or no trajectory that both have labelled.
    """
    others = others_than(rated, truth)
    return tuple(_against(rated, rater, truth, level) for rater in others)


def others_than(rated: Rated, truth: str) -> tuple[str, ...]:
    """Raters that are compared with `truth`; raises as `against`."""
    if truth not in rated.own:
        hint = nearest(truth, rated.raters)
        raise SpecError("no such rater", value=truth, where="--against", hint=hint)
    others = tuple(rater for rater in rated.raters if rater != truth)
    for rater in others or (truth,):
        if rater == truth or not rated.shared(rater, truth):
            raise SpecError(
                "no trajectory that two raters have labelled",
                value=" and ".join(sorted({rater, truth})),
                where="labels",
                hint="Give labels of another rater of the same trajectories.",
            )
    return others


def _against(rated: Rated, rater: str, truth: str, level: SetLevel) -> Against:
    names, ids = names_of(rated.taxonomy, level), rated.shared(rater, truth)
    rows: list[tuple[str, Counts]] = []
    for i in ids:
        ours, theirs = (found_at(rated.own[r][i], rated.taxonomy, level) for r in (rater, truth))
        cells = [[n in ours and n in theirs, n in ours, n in theirs, True] for n in names]
        rows.append((rated.cluster(i), np.array(cells, np.float64).ravel()))
    draws = draw_clusters(by_cluster(rows))
    return Against(
        rater,
        truth,
        len(ids),
        len(rated.own[rater]) - len(ids),
        len(rated.own[truth]) - len(ids),
        tuple(_compared(draws, rated, level)),
    )


def _compared(draws: Draws, rated: Rated, level: SetLevel) -> Iterator[Compared]:
    names = names_of(rated.taxonomy, level)
    every = dict(zip(names, parts_of(draws, len(names)), strict=True))
    for name, kept in pools_of(rated.taxonomy, level).items():
        yield compared(name, pooled([every[one] for one in kept]))
    for name, own in every.items():
        yield compared(name, own)


def compared(name: str, draws: Draws) -> Compared:
    """Figures from sums of: both have it, the rater has it, the truth has it, units."""
    both, ours, theirs, n = (int(x) for x in draws.total)
    return Compared(
        name,
        Retrieval(both, ours - both, theirs - both),
        n - ours - theirs + both,
        *precision_recall_f1(draws),
        figure(draws, lambda s: kappa_of(*s.tolist())),
    )


def precision_recall_f1(draws: Draws) -> tuple[Figure, Figure, Figure]:
    """From sums that begin with: both have it, the rater has it, the truth has it."""
    return (
        figure(draws, share_of(0, 1)),
        figure(draws, share_of(0, 2)),
        figure(draws, lambda sums: share(2 * float(sums[0]), float(sums[1] + sums[2]))),
    )


def figure(draws: Draws, of: Callable[[Counts], float | None]) -> Figure:
    """A figure of the sums, with its interval."""
    return Figure(of(draws.total), interval(draws, of))
