"""Pattern by system, kind or domain; load of each; what each trajectory carries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Final, get_args

from benchwright.diagnosis.labels.model import Labels, RunVerdict, Severity
from benchwright.diagnosis.tables.corpus import Axis, Corpus, partials_of, value_of
from benchwright.diagnosis.tables.grid import (
    LOWER,
    Column,
    Grid,
    Value,
    counts,
    pillar_words,
    texts,
)
from benchwright.diagnosis.taxonomy import order

VERDICTS: Final[tuple[RunVerdict, ...]] = get_args(RunVerdict)
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)


def pattern_matrix(corpus: Corpus, by: Axis, partial: bool = False) -> Grid:
    """Trajectories with each pattern, whole (or in part and nowhere whole), by an axis."""
    parts = dict(corpus.parts(by))
    sums = [(p.partials if partial else p.hits).sum(axis=0).tolist() for p in parts.values()]
    rows: list[tuple[Value, ...]] = []
    for place, (name, pattern) in enumerate(corpus.taxonomy.patterns.items()):
        pillar = pillar_words(corpus.taxonomy, pattern.pillar)
        rows.append((name, pattern.name, pillar, *(own[place] for own in sums)))
    rows.append(("", "labelled trajectories", "", *(len(p.labelled) for p in parts.values())))
    rows.append(("", "missing", "", *(len(p.missing) for p in parts.values())))
    what = "found in part" if partial else "hit"
    return Grid(
        f"pattern-by-{by}-{'partial' if partial else 'hit'}",
        f"Trajectories by pattern and {by}: {what}",
        (*texts("pattern", "name", "pillar"), *counts(*parts)),
        tuple(rows),
        ("A trajectory counts once in a cell, however many issues it has there.", LOWER),
    )


def load(corpus: Corpus, by: Axis) -> Grid:
    """What is planned, labelled and missing, and how much each labelled trajectory carries."""
    rows = tuple((name, *_load(part)) for name, part in corpus.parts(by))
    number = [Column(title, "number") for title in ("mean hits", "median hits", "mean partials")]
    return Grid(
        f"load-by-{by}",
        f"Load by {by}",
        (*texts(by), *counts("planned", "labelled", "missing", "hits", "of them *"), *number,
         *counts("least", "most")),
        rows,
        ("Hits are distinct patterns per trajectory; of them *: on pillars of lower confidence.",
         LOWER),
    )  # fmt: skip


def _load(part: Corpus) -> tuple[Value, ...]:
    hits = part.hits.sum(axis=1).tolist()
    n = len(hits)
    lower = part.columns(name for name in part.taxonomy.patterns if _lower(part, name))
    return (
        part.planned,
        n,
        len(part.missing),
        sum(hits),
        int(part.hits[:, lower].sum()),
        sum(hits) / n if n else None,
        float(median(hits)) if n else None,
        int(part.partials.sum()) / n if n else None,
        min(hits, default=None),
        max(hits, default=None),
    )


def verdicts(corpus: Corpus, by: Axis) -> Grid:
    """Run verdicts and severities as the rater states them."""
    said = (*(name.replace("_", " ") for name in VERDICTS), "verdict not said")
    severe = (*(f"severity {name}" for name in SEVERITIES), "severity not said")
    return Grid(
        f"verdicts-by-{by}",
        f"Run verdicts and severities by {by}",
        (*texts(by), *counts("labelled", *said, *severe)),
        tuple((name, len(part.labelled), *_verdicts(part)) for name, part in corpus.parts(by)),
        ("Every labelled trajectory counts in every table, whatever its verdict.",),
    )


def _verdicts(part: Corpus) -> tuple[int, ...]:
    verdict = Counter(one.verdict for one in part.labelled)
    severity = Counter(one.severity for one in part.labelled)
    return (
        *(verdict[name] for name in (*VERDICTS, None)),
        *(severity[name] for name in (*SEVERITIES, None)),
    )


def per_trajectory(corpus: Corpus) -> Grid:
    """Distinct patterns of each trajectory; those without labels stand below."""
    rows: list[tuple[Value, ...]] = [_trajectory(one, corpus) for one in corpus.labelled]
    rows += [
        (s.id, s.task, s.system, s.kind, s.domain, "not labelled", *[None] * 4, "")
        for s in corpus.missing
    ]
    patterns, pillar = "hits", "hits on lower-confidence pillars"
    return Grid(
        "trajectories",
        "Distinct patterns of each trajectory",
        (*texts("trajectory", "task", "system", "kind", "domain", "verdict"),
         *counts(patterns, pillar, "partials", "issues without a pattern"), *texts("patterns")),
        tuple(rows),
        ("* marks patterns of a pillar whose agreement the authors hold to be lower.",),
    )  # fmt: skip


def _trajectory(one: Labels, corpus: Corpus) -> tuple[Value, ...]:
    hits = sorted(one.hits(), key=order)
    lower = [name for name in hits if _lower(corpus, name)]
    subject = one.subject
    axes: Sequence[Axis] = ("system", "kind", "domain")
    return (
        subject.id,
        subject.task,
        *(value_of(subject, axis) for axis in axes),
        (one.verdict or "not said").replace("_", " "),
        len(hits),
        len(lower),
        len(partials_of(one)),
        sum(label.pattern is None for label in one.labels),
        " ".join(f"{name}*" if name in lower else name for name in hits),
    )


def _lower(corpus: Corpus, name: str) -> bool:
    taxonomy = corpus.taxonomy
    return taxonomy.pillars[taxonomy.patterns[name].pillar].lower_confidence


def distinct_counts(corpus: Corpus, by: Axis) -> Grid:
    """How many trajectories carry how many distinct patterns."""
    parts = dict(corpus.parts(by))
    tallies = [Counter(part.hits.sum(axis=1).tolist()) for part in parts.values()]
    most = max((max(tally, default=0) for tally in tallies), default=0)
    rows = tuple((number, *(tally[number] for tally in tallies)) for number in range(most + 1))
    return Grid(
        f"distinct-by-{by}",
        f"Trajectories by number of distinct patterns and {by}",
        counts("patterns", *parts),
        rows,
        ("Patterns of lower confidence (*) count like all others.",),
    )
