"""`Grid`: one table as data, and as CSV and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchwright.diagnosis.taxonomy import Taxonomy

Kind = Literal["text", "count", "share", "number"]
Value = str | int | float | None

UNKNOWN = "unknown"
SHOWN: Final = 50
"""Rows of a table that a page or a terminal shows: every pattern, and what is missing."""
_RUN = ("=", "+", "-", "@", "\t", "\r")
"""Signs that make a spreadsheet take the text behind them for a formula."""
LOWER = "* lower confidence: the authors hold agreement of raters to be lower on this pillar."


@dataclass(frozen=True, slots=True)
class Column:
    """Head of a column. Shares lie in 0..1 and are shown in percent."""

    title: str
    kind: Kind = "count"


@dataclass(frozen=True, slots=True)
class Grid:
    """One table. None in a cell: there is no such figure, or it is not known."""

    name: str
    """Stem of its files."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()

    def first(self, rows: int) -> Grid:
        """The same with its first rows only, and a note that says so."""
        if len(self.rows) <= rows:
            return self
        every = f"{len(self.rows):,} rows; all of them: --json, or {self.name}.csv of --out."
        note = f"The first {rows} of {every}"
        return Grid(self.name, self.title, self.columns, self.rows[:rows], (*self.notes, note))


def texts(*titles: str) -> tuple[Column, ...]:
    """Columns of text."""
    return tuple(Column(title, "text") for title in titles)


def counts(*titles: str) -> tuple[Column, ...]:
    """Columns of whole numbers."""
    return tuple(Column(title) for title in titles)


RATE = tuple(Column(title, "share") for title in ("share", "low", "high"))
"""A share and its interval."""


def pillar_words(taxonomy: Taxonomy, pillar: str) -> str:
    """The pillar's id, with a star where agreement is said to be lower."""
    return f"{pillar}*" if taxonomy.pillars[pillar].lower_confidence else pillar


def shown(value: Value, kind: Kind) -> str:
    """A cell as people read it."""
    if value is None:
        return "" if kind == "text" else UNKNOWN
    if isinstance(value, str):
        return value
    if kind == "share":
        return f"{100 * value:.1f} %"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def with_intervals(grid: Grid) -> Grid:
    """For people: a figure, its low and its high end in one cell, `12.5 % (8.1 to 17.0)`."""
    titles = [column.title for column in grid.columns]
    ends = [n for n in range(1, len(titles) - 1) if _are_ends(*titles[n - 1 : n + 2])]
    dropped = {place for n in ends for place in (n, n + 1)}
    kept = [n for n in range(len(titles)) if n not in dropped]
    rows = tuple(
        tuple(_joined(row[n : n + 3], grid.columns[n].kind) if n + 1 in ends else row[n]
              for n in kept)
        for row in grid.rows
    )  # fmt: skip
    return Grid(grid.name, grid.title, tuple(grid.columns[n] for n in kept), rows, grid.notes)


def _joined(three: Sequence[Value], kind: Kind) -> str:
    value, low, high = (shown(one, kind) for one in three)
    if value == UNKNOWN:
        return value
    low, high = low.removesuffix(" %"), high.removesuffix(" %")
    return f"{value} ({UNKNOWN if low == UNKNOWN else f'{low} to {high}'})"


def _are_ends(title: str, low: str, high: str) -> bool:
    return (low, high) in (("low", "high"), (f"{title} low", f"{title} high"))


def csv_text(grid: Grid) -> str:
    """Comma-separated, one head line, figures at full precision, empty where there is none.

    Text that a spreadsheet would run as a formula has an apostrophe before it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_inert(column.title) for column in grid.columns])
    writer.writerows([["" if cell is None else _inert(cell) for cell in row] for row in grid.rows])
    return out.getvalue()


def _inert(cell: str | int | float) -> str | int | float:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_RUN) else cell


def markdown(grid: Grid) -> str:
    """A heading, the table and its notes; intervals stand beside their figures."""
    grid = with_intervals(grid)
    heads = [_escaped(column.title) for column in grid.columns]
    rules = ["---" if column.kind == "text" else "---:" for column in grid.columns]
    lines = [f"## {grid.title}", "", _line(heads), _line(rules)]
    for row in grid.rows:
        cells = zip(row, grid.columns, strict=True)
        lines.append(_line([_escaped(shown(cell, column.kind)) for cell, column in cells]))
    for note in grid.notes:
        lines += ["", _escaped(note)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """On one line, and nothing in it read as markup of a table, of emphasis or of HTML."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    for sign in "|*_`[]":
        plain = plain.replace(sign, f"\\{sign}")
    return plain
