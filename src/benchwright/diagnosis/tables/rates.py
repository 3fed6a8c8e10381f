"""Rates of patterns, shares of pillars and of declared groups, with intervals over tasks.

A rate is trajectories with a hit by labelled trajectories. A share is hits of a pillar or group by
all hits, or by those of its pillar. Intervals are 95 % percentile intervals, whole tasks drawn
again. Where no trajectory has a pattern, or all have it, drawing again shows nothing: the far bound
is then that of Clopper and Pearson over tasks: the rate among trajectories is at most the share of
tasks with any, where tasks are of one size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchwright.diagnosis.tables.corpus import Axis, Corpus
from benchwright.diagnosis.tables.grid import (
    LOWER,
    RATE,
    Grid,
    Value,
    counts,
    pillar_words,
    texts,
)
from benchwright.diagnosis.tables.groups import declared_groups
from benchwright.stats.bootstrap import Draws, draw_clusters, interval, share_of
from benchwright.stats.intervals import clopper_pearson

_DRAWN = (
    "Intervals: 95 %, whole tasks drawn again with replacement (a trajectory without a task on \
its own)."
)


def pattern_rates(corpus: Corpus, by: Axis) -> Grid:
    """Share of labelled trajectories with each pattern, the most frequent first."""
    rows = tuple(row for name, part in corpus.parts(by) for row in _rates(name, part))
    return Grid(
        f"rates-by-{by}",
        f"Rate of each pattern by {by}",
        (*texts(by, "pattern", "name", "pillar"), *counts("hit", "labelled", "missing"), *RATE),
        rows,
        (_DRAWN, LOWER),
    )


def _rates(group: str, part: Corpus) -> Iterator[tuple[Value, ...]]:
    n = len(part.labelled)
    draws = _drawn(part, np.hstack([part.hits, np.ones((n, 1))]))
    hits = part.hits.sum(axis=0).tolist()
    patterns = list(part.taxonomy.patterns.values())
    for place in sorted(range(len(hits)), key=lambda p: -hits[p]):
        pattern = patterns[place]
        pillar = pillar_words(part.taxonomy, pattern.pillar)
        share, low, high = _share(draws, place, len(hits))
        yield (
            group, pattern.id, pattern.name, pillar, hits[place], n, len(part.missing),
            share, *_edge(low, high, hits[place], n, draws),
        )  # fmt: skip


def shares(corpus: Corpus, by: Axis) -> Grid:
    """Shares of pillars and declared groups, and trajectories with at least one hit of each."""
    rows = tuple(row for name, part in corpus.parts(by) for row in _shares(name, part))
    return Grid(
        f"shares-by-{by}",
        f"Share of each pillar and declared group by {by}",
        (*texts(by, "what", "name", "patterns", "of"), *counts("hits", "of hits"), *RATE,
         *counts("trajectories", "labelled")),
        rows,
        (_DRAWN, LOWER),
    )  # fmt: skip


def _shares(group: str, part: Corpus) -> Iterator[tuple[Value, ...]]:
    wanted = [*_pillar_sets(part), *_group_sets(part)]
    pillars = {p: _members(part, p) for p in part.taxonomy.pillars} | {"": part.taxonomy.patterns}
    wholes = list(pillars)
    columns = [part.columns(names) for _, _, names, _ in wanted]
    columns += [part.columns(pillars[whole]) for whole in wholes]
    draws = _drawn(part, np.stack([part.hits[:, own].sum(axis=1) for own in columns], axis=1))
    for place, (what, name, names, of) in enumerate(wanted):
        whole = len(wanted) + wholes.index(of)
        total = (0, 0) if draws is None else (int(draws.total[place]), int(draws.total[whole]))
        yield (
            group, what, name, " ".join(names) if what == "group" else "",
            pillar_words(part.taxonomy, of) if of else "all", *total, *_share(draws, place, whole),
            int(part.hits[:, columns[place]].any(axis=1).sum()), len(part.labelled),
        )  # fmt: skip


def _pillar_sets(part: Corpus) -> Iterator[tuple[str, str, Sequence[str], str]]:
    for pillar in part.taxonomy.pillars:
        yield "pillar", pillar_words(part.taxonomy, pillar), _members(part, pillar), ""


def _group_sets(part: Corpus) -> Iterator[tuple[str, str, Sequence[str], str]]:
    for group in declared_groups(part.taxonomy):
        yield "group", group.id, group.patterns, group.of


def _members(part: Corpus, pillar: str) -> tuple[str, ...]:
    return tuple(p.id for p in part.taxonomy.patterns.values() if p.pillar == pillar)


def _drawn(part: Corpus, counted: np.ndarray) -> Draws | None:
    return draw_clusters(part.by_cluster(counted)) if part.labelled else None


def _share(
    draws: Draws | None, place: int, whole: int
) -> tuple[float | None, float | None, float | None]:
    if draws is None:
        return None, None, None
    figure = share_of(place, whole)
    low, high = interval(draws, figure) or (None, None)
    return figure(draws.total), low, high


def _edge(
    low: float | None, high: float | None, hits: int, n: int, draws: Draws | None
) -> tuple[float | None, float | None]:
    """The interval, or at an edge the exact one over tasks."""
    if draws is None or low is not None or 0 < hits < n:
        return low, high
    return clopper_pearson(0 if hits == 0 else draws.clusters, draws.clusters)
