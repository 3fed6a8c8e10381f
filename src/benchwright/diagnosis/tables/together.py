"""Which patterns stand together in a trajectory, and which systems fail alike on a task."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from benchwright.diagnosis.tables.corpus import ALL, Axis, Corpus, value_of
from benchwright.diagnosis.tables.grid import LOWER, Column, Grid, Value, counts, texts


def cooccurrence(corpus: Corpus, by: Axis) -> Grid:
    """Every two patterns with the trajectories that have both, and the lift.

    Lift is P(both) / (P(one) P(other)): how many times more often than if the two had nothing to
    do with each other. It is unknown where one of them was never found; 0 is a figure.
    """
    rows = tuple(row for name, part in corpus.parts(by) for row in _pairs(name, part))
    return Grid(
        f"cooccurrence-by-{by}",
        f"Patterns that stand together, by {by}",
        (*texts(by, "one", "other", "pillars"), *counts("both", "one hit", "other hit", "labelled"),
         Column("lift", "number")),
        rows,
        ("Lift from few trajectories says little. Most frequent pairs first.", LOWER),
    )  # fmt: skip


def _pairs(group: str, part: Corpus) -> Iterator[tuple[Value, ...]]:
    found = part.hits.astype(np.int64)
    both, n = (found.T @ found).tolist(), len(part.labelled)
    names = list(part.taxonomy.patterns)
    for i, j in sorted(combinations(range(len(names)), 2), key=lambda p: -both[p[0]][p[1]]):
        one, other = both[i][i], both[j][j]
        pillars = _starred(part, names[i], names[j])
        yield (
            group, names[i], names[j], pillars, both[i][j], one, other, n,
            lift(both[i][j], one, other, n),
        )  # fmt: skip


def lift(both: int, one: int, other: int, n: int) -> float | None:
    """P(both) / (P(one) P(other)) from counts of `n`; None where one of the two never was."""
    return both * n / (one * other) if one and other else None


def _starred(part: Corpus, *names: str) -> str:
    taxonomy = part.taxonomy
    pillars = [taxonomy.pillars[taxonomy.patterns[name].pillar] for name in names]
    return " ".join(f"{p.id}*" if p.lower_confidence else p.id for p in pillars)


def alike_by_task(corpus: Corpus, by: Axis) -> Grid:
    """On each task: patterns of all systems, and patterns of one system alone.

    This compares systems and not raters. A system has a pattern where any of its trajectories of
    the task has it; with one system on a task there is nothing to compare. `by` system is all.
    """
    parts = [(ALL, corpus)] if by == "system" else list(corpus.parts(by))
    rows = tuple(row for name, part in parts for row in _tasks(name, part))
    return Grid(
        f"systems-alike-by-{by}",
        f"Systems that fail alike on a task, by {by} (no agreement of raters)",
        (*texts("all" if by == "system" else by, "task"), *counts("systems", "in all", "in one"),
         *texts("in all: patterns", "in one: patterns and system")),
        rows,
        ("Counts are unknown on a task of one system.", LOWER),
    )  # fmt: skip


def _tasks(group: str, part: Corpus) -> Iterator[tuple[Value, ...]]:
    tasks: dict[str, dict[str, set[str]]] = {}
    for one in part.labelled:
        if one.subject.task:
            systems = tasks.setdefault(f"{one.subject.suite} {one.subject.task}".strip(), {})
            systems.setdefault(value_of(one.subject, "system"), set()).update(one.hits())
    for task in sorted(tasks):
        own = tasks[task]
        if len(own) < 2:
            yield group, task, len(own), None, None, "", ""
            continue
        having = {p: [s for s in sorted(own) if p in own[s]] for p in part.taxonomy.patterns}
        every = [_star(part, p) for p, systems in having.items() if len(systems) == len(own)]
        solo = [f"{_star(part, p)} {s[0]}" for p, s in having.items() if len(s) == 1]
        yield group, task, len(own), len(every), len(solo), " ".join(every), "; ".join(solo)


def _star(part: Corpus, name: str) -> str:
    pillar = part.taxonomy.pillars[part.taxonomy.patterns[name].pillar]
    return f"{name}*" if pillar.lower_confidence else name
