"""Stage by pillar: where in the work, and by which root cause."""

from __future__ import annotations

from collections.abc import Iterator

from benchwright.diagnosis.tables.corpus import Axis, Corpus
from benchwright.diagnosis.tables.grid import LOWER, Grid, Value, counts, pillar_words, texts

HITS = "hits"
TRAJECTORIES = "trajectories"
"""With at least one hit of the cell."""


def stage_by_pillar(corpus: Corpus, by: Axis) -> Grid:
    """Hits, and trajectories with a hit, by stage and pillar: of all, then by an axis."""
    taxonomy = corpus.taxonomy
    rows = tuple(row for name, part in corpus.parts(by) for row in _rows(name, part))
    pillars = [pillar_words(taxonomy, pillar) for pillar in taxonomy.pillars]
    return Grid(
        f"stage-by-pillar-by-{by}",
        f"Stage by pillar, by {by}",
        (*texts(by, "counted", "stage", "name"), *counts(*pillars, "all")),
        rows,
        ("A hit is one pattern of one trajectory.", LOWER),
    )


def _rows(group: str, part: Corpus) -> Iterator[tuple[Value, ...]]:
    stages = [*part.taxonomy.stages.items(), ("all", "")]
    for counted in (HITS, TRAJECTORIES):
        for stage, name in stages:
            cells = [_cell(part, counted, stage, pillar) for pillar in part.taxonomy.pillars]
            yield group, counted, stage, name, *cells, _cell(part, counted, stage, "all")


def _cell(part: Corpus, counted: str, stage: str, pillar: str) -> int:
    names = [
        p.id
        for p in part.taxonomy.patterns.values()
        if stage in ("all", p.stage) and pillar in ("all", p.pillar)
    ]
    own = part.hits[:, part.columns(names)]
    return int(own.sum() if counted == HITS else own.any(axis=1).sum())
