"""`diagnose tables`: tables of labels, or the paper's own figures recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.cli.diagnose_read import one_of, print_grids, read, without_empty
from benchwright.cli.output import emit_json, refuse_foreign, say
from benchwright.diagnosis.agreement.grids import kappas_grid
from benchwright.diagnosis.cards.key import KEY_FILE, read_key
from benchwright.diagnosis.labels.model import Subject, system_of
from benchwright.diagnosis.published.recompute import recompute, recomputed_grid
from benchwright.diagnosis.published.stated import published as stated_figures
from benchwright.diagnosis.tables.corpus import AXES, Corpus, corpus
from benchwright.diagnosis.tables.every import (
    every_table,
    tables_by,
    tables_data,
    tables_of_all,
    write_tables,
)
from benchwright.diagnosis.tables.gaps import saturation
from benchwright.diagnosis.tables.grid import SHOWN, Grid
from benchwright.episodes.folder import RunFolder
from benchwright.errors import SpecError
from benchwright.report.terminal import tame
from benchwright.report.words import counted

_FOUND: Mapping[str, tuple[str, ...]] = {
    "pattern": ("pattern",),
    "stage": ("name", "all"),
    "shares": ("name", "hits"),
    "rates": ("pattern", "hit"),
    "cooccurrence": ("one", "both"),
    "systems-alike": ("task", "in all", "in one"),
}
"""Tables of which a terminal shows what was found: what names a row, and where it is counted; by
a pattern in every column behind its pillar."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command."""

    by: str
    rater: str | None
    planned: tuple[Path, ...]
    taxonomies: tuple[Path, ...]
    out: Path | None


def run(paths: Sequence[Path], asked: Asked, as_json: bool) -> int:
    """Print the tables, or write all of them to a folder."""
    by = one_of(asked.by, AXES, "--by")
    if asked.out is not None:
        refuse_foreign(asked.out, "tables.json")
    labels = read(paths, asked.taxonomies)
    found = corpus(labels.carried, labels.versions[-1], asked.rater, _planned(asked.planned))
    several = labels.stated if len(labels.versions) > 1 else labels.carried
    curve = saturation(labels.versions, [x for x in several if x.rater == found.rater])
    if asked.out is not None:
        grids = [*every_table(found), curve]
        write_tables(asked.out, found, grids)
    else:
        grids = [*tables_by(found, by), *tables_of_all(found), curve]
    if as_json:
        emit_json("diagnose.tables", tables_data(found, grids))
        return 0
    say(tame(_head(found)))
    if asked.out is not None:
        say(f"{counted(len(grids), 'table')}: {asked.out}/tables.md, tables.json and a CSV of each")
    else:
        print_grids(map(_short, grids))
    return 0


def published(paths: Sequence[Path], as_json: bool) -> int:
    """What the paper states, beside what follows from its other figures."""
    if paths:
        raise SpecError(
            "published figures need no labels",
            value=str(paths[0]),
            where="--published",
            hint="Leave out one of the two; `diagnose agree` puts published kappas beside yours.",
        )
    if as_json:
        kappas = stated_figures().kappas
        emit_json("diagnose.published", {
            "statements": recompute(),
            "kappas": [one.model_dump() for one in kappas],
        })  # fmt: skip
    else:
        print_grids([recomputed_grid(), kappas_grid()])
    return 0


def printed_only(out: Path) -> SpecError:
    """The refusal of a folder for the paper's own figures."""
    return SpecError(
        "published figures are printed, not written",
        value=str(out),
        where="--out",
        hint="Leave it out; with --json they are data.",
    )


def _planned(folders: Sequence[Path]) -> Iterator[Subject]:
    """Every card of rounds of cards, and every planned episode of runs, finished or not."""
    for folder in folders:
        if (folder / KEY_FILE).is_file():
            yield from (card.subject for card in read_key(folder).cards.values())
            continue
        for planned in RunFolder.open(folder).plan:
            yield Subject(planned.id, planned.task_id, system_of(planned.agent))


def _head(found: Corpus) -> str:
    return (
        f"labels by {found.rater}, taxonomy {found.taxonomy.version}: {found.planned} planned, "
        f"{len(found.labelled)} labelled, {len(found.missing)} missing"
    )


def _short(grid: Grid) -> Grid:
    """What was found; files and JSON have the whole table."""
    kind = grid.name.partition("-by-")[0]
    if kind not in _FOUND:
        return grid.first(SHOWN)
    name, *titles = _FOUND[kind]
    places = [n for n, column in enumerate(grid.columns) if column.title in titles]
    counted_in = places or range(3, len(grid.columns))
    whole = f"--json has them, and {grid.name}.csv of --out"
    return without_empty(
        grid, [c.title for c in grid.columns].index(name), counted_in, whole
    ).first(SHOWN)
