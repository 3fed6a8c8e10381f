"""All tables of a corpus, and the folder that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from benchwright.canonical import Json
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.tables.corpus import AXES, Axis, Corpus
from benchwright.diagnosis.tables.gaps import uncovered
from benchwright.diagnosis.tables.grid import SHOWN, Grid, csv_text, markdown
from benchwright.diagnosis.tables.matrix import (
    distinct_counts,
    load,
    pattern_matrix,
    per_trajectory,
    verdicts,
)
from benchwright.diagnosis.tables.pillars import stage_by_pillar
from benchwright.diagnosis.tables.rates import pattern_rates, shares
from benchwright.diagnosis.tables.together import alike_by_task, cooccurrence
from benchwright.storage import write_json, write_text

TABLES_FORMAT: Final = "benchwright.label-tables/1"


def tables_by(corpus: Corpus, by: Axis) -> Iterator[Grid]:
    """Every table that an axis divides."""
    yield load(corpus, by)
    yield verdicts(corpus, by)
    yield pattern_matrix(corpus, by)
    yield pattern_matrix(corpus, by, partial=True)
    yield stage_by_pillar(corpus, by)
    yield shares(corpus, by)
    yield pattern_rates(corpus, by)
    yield distinct_counts(corpus, by)
    yield cooccurrence(corpus, by)
    yield alike_by_task(corpus, by)


def tables_of_all(corpus: Corpus) -> Iterator[Grid]:
    """The tables that list trajectories and issues."""
    yield per_trajectory(corpus)
    yield uncovered(corpus)


def every_table(corpus: Corpus) -> Iterator[Grid]:
    """Every table by every axis."""
    for axis in AXES:
        yield from tables_by(corpus, axis)
    yield from tables_of_all(corpus)


def newest(every: Iterable[Labels], versions: Sequence[str]) -> tuple[Labels, ...]:
    """Of what a rater said of a trajectory under several versions, the newest, oldest given first.

    Labels of versions that are not named come before all others. Two of one version stay two.
    """
    rank = {version: place for place, version in enumerate(versions)}
    kept = list(every)
    best: dict[tuple[str, str], int] = {}
    for one in kept:
        own, place = (one.subject.id, one.rater), rank.get(one.taxonomy, -1)
        best[own] = max(best.get(own, -1), place)
    return tuple(o for o in kept if rank.get(o.taxonomy, -1) == best[o.subject.id, o.rater])


def grid_data(grid: Grid) -> dict[str, Json]:
    """A table as JSON: figures as they are, null where there is none."""
    return {
        "name": grid.name,
        "title": grid.title,
        "columns": [{"title": column.title, "kind": column.kind} for column in grid.columns],
        "rows": [list(row) for row in grid.rows],
        "notes": list(grid.notes),
    }


def write_tables(folder: Path, corpus: Corpus, grids: Sequence[Grid]) -> None:
    """A CSV per table, `tables.md` with all, and `tables.json`, written last."""
    for grid in grids:
        write_text(folder / f"{grid.name}.csv", csv_text(grid))
    write_text(folder / "tables.md", _page(corpus, grids))
    write_json(folder / "tables.json", {"format": TABLES_FORMAT, **tables_data(corpus, grids)})


def tables_data(corpus: Corpus, grids: Sequence[Grid]) -> dict[str, Json]:
    """Tables with what they rest on."""
    return {
        "taxonomy": corpus.taxonomy.version,
        "rater": corpus.rater,
        "planned": corpus.planned,
        "labelled": len(corpus.labelled),
        "missing": [subject.id for subject in corpus.missing],
        "tables": [grid_data(grid) for grid in grids],
    }


def _page(corpus: Corpus, grids: Sequence[Grid]) -> str:
    head = (
        f"# Tables of labels by {corpus.rater}\n\n"
        f"Taxonomy {corpus.taxonomy.version}. {corpus.planned} trajectories planned, "
        f"{len(corpus.labelled)} labelled, {len(corpus.missing)} missing.\n"
    )
    return "\n".join([head, *(markdown(grid.first(SHOWN)) for grid in grids)])
