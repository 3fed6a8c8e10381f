"""BARS.md as text: rows in, a page out, and back again.

A bar that is measured again replaces all rows of its command; every other row stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from benchmarks.bar import Bar

HEAD = """# Bars

Figures as they were measured, each beside what it must reach; a bar that is not here is not met.
`python3 run.py bars [NAME ...]` measures them again and replaces the rows of what it measured.
"""
COLUMNS = ("bar", "figure", "must", "met", "measured by", "on")
MET = {True: "yes", False: "**no**", None: "informative"}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    area: str
    name: str
    figure: str
    must: str
    met: str
    command: str
    """What to type to measure it again."""
    measured: str
    """Date, processors, Python."""


def row(bar: Bar, command: str, measured: str) -> Row:
    """A bar as it came out, with what measured it and when."""
    texts = (bar.area, bar.name, bar.figure, bar.must, MET[bar.met])
    return Row(*(_one_line(text) for text in (*texts, command, measured)))


def merge(old: Iterable[Row], new: Sequence[Row]) -> list[Row]:
    """Rows of commands that ran again are replaced as a whole."""
    again = {row.command for row in new}
    return [*(row for row in old if row.command not in again), *new]


def render(rows: Iterable[Row]) -> str:
    """The page: one table per area in order of name, rows by command and as measured."""
    areas: dict[str, list[Row]] = {}
    for line in sorted(rows, key=lambda r: (r.area, r.command)):
        areas.setdefault(line.area, []).append(line)
    return "\n".join([HEAD, *(_table(area, lines) for area, lines in areas.items())])


def parse(text: str) -> list[Row]:
    """The rows of a page written by `render`; anything else in it is left out."""
    area, rows = "", []
    for line in text.splitlines():
        if line.startswith("## "):
            area = line[3:]
        cells = [_raw(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == len(COLUMNS) and cells != list(COLUMNS) and set(cells) != {"---"}:
            rows.append(Row(area, *cells))
    return rows


def _table(area: str, rows: list[Row]) -> str:
    lines = [_line(COLUMNS), _line(["---"] * len(COLUMNS))]
    lines += [_line(_cell(text) for text in astuple(row)[1:]) for row in rows]
    return "\n".join([f"## {area}", "", *lines, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _raw(cell: str) -> str:
    return cell.strip().replace("\\|", "|").replace("\\\\", "\\")


def _one_line(text: str) -> str:
    return " ".join(text.split())
