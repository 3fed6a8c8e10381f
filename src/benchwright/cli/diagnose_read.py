"""What `diagnose tables` and `diagnose agree` read and print alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchwright.diagnosis.labels.carry import collected
from benchwright.diagnosis.labels.file import read_collection, read_labels
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.tables.corpus import ALL
from benchwright.diagnosis.tables.every import newest
from benchwright.diagnosis.tables.grid import Grid, shown, with_intervals
from benchwright.diagnosis.taxonomy import Taxonomy, read_taxonomy, shipped
from benchwright.errors import SpecError
from benchwright.report.page import Block, Cell, Column, Heading, Section, Table, Text
from benchwright.report.plain import print_blocks
from benchwright.report.terminal import console
from benchwright.report.words import counted
from benchwright.storage.people import nearest

T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class Read:
    """Labels as they are, and in the newest version of the taxonomy."""

    versions: tuple[Taxonomy, ...]
    """Oldest first."""
    stated: tuple[Labels, ...]
    carried: tuple[Labels, ...]
    """One per trajectory and rater: of several versions the newest."""


def read(paths: Sequence[Path], taxonomies: Sequence[Path]) -> Read:
    """Label files and folders of them, carried over to the newest version that is given.

    Raises:
        SpecError: no files, labels that no map carries over, two versions of one name.
        FormatError: a file that holds no labels.
    """
    if not paths:
        raise SpecError(
            "no labels", value="", where="LABELS", hint="Name label files, or folders of them."
        )
    versions = tuple(map(read_taxonomy, taxonomies)) or (shipped(),)
    names = [taxonomy.version for taxonomy in versions]
    if len(set(names)) < len(names):
        raise SpecError(
            "two files of one version",
            value=", ".join(names),
            where="--taxonomy",
            hint="Give each once.",
        )
    stated = tuple(one for path in paths for one in _labels(path))
    return Read(versions, stated, collected(newest(stated, names), versions[-1]))


def _labels(path: Path) -> tuple[Labels, ...]:
    return (read_labels(path),) if path.is_file() else read_collection(path)


def one_of(value: str, known: Sequence[T], option: str) -> T:
    """The word of `known` that `value` is.

    Raises:
        SpecError: it is none.
    """
    for word in known:
        if word == value:
            return word
    raise SpecError("unknown word", value=value, where=option, hint=nearest(value, known))


def without_empty(
    grid: Grid, name: int, places: Sequence[int], whole: str = "--json has them"
) -> Grid:
    """Without rows of what was never found: 0 or unknown in all of `places`; a note counts them.

    `name` is the column that names what a row is about; without a name, or pooled over all, a row
    stays whatever it holds. `whole` says where all rows are.
    """
    rows = tuple(row for row in grid.rows if row[name] in ("", ALL) or any(row[n] for n in places))
    if len(rows) == len(grid.rows):
        return grid
    left = counted(len(grid.rows) - len(rows), "row")
    note = f"Not shown: {left} of what was never found (0 or unknown); {whole}."
    return Grid(grid.name, grid.title, grid.columns, rows, (*grid.notes, note))


def print_grids(grids: Iterable[Grid]) -> None:
    """Tables for a terminal or a pipe."""
    out = console()
    for grid in grids:
        print_blocks(out, _blocks(with_intervals(grid)))


def _blocks(grid: Grid) -> Iterable[Block]:
    columns = tuple(Column(column.title, column.kind != "text") for column in grid.columns)
    kinds = [column.kind for column in grid.columns]
    rows = tuple(
        tuple(Cell(shown(cell, kind)) for cell, kind in zip(row, kinds, strict=True))
        for row in grid.rows
    )
    yield Heading(grid.title)
    yield Table(columns, (Section("", rows),)) if rows else Text("None.")
    for note in grid.notes:
        yield Text(note, "muted")
