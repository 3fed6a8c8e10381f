"""Sheets: CSV that any spreadsheet opens; a row per card at first, more where people add them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from benchwright.errors import SpecError
from benchwright.storage import nearest, read_bytes

COLUMNS = ("card", "run verdict", "accepted", "pattern", "degree", "evidence", "note")
_CARD = re.compile(r"(?:card[ -]?)?0*(\d{1,6})(?:\.0+)?", re.IGNORECASE)
_SEPARATOR = re.compile(r'\A"?sep=[,;\t]"?[,;\t]*(?:\r\n|\r|\n)', re.IGNORECASE)
"""A line that some spreadsheets write and read before the first row, and do not count as one."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, as written; `number` is what the spreadsheet calls it."""

    sheet: Path
    number: int
    card: int
    cells: Mapping[str, str]

    def mistake(self, problem: str, column: str, hint: str, value: str | None = None) -> Mistake:
        """What is wrong with a cell, or with `value`, a part of it."""
        said = self.cells[column] if value is None else value
        where = f"{self.sheet}, row {self.number}, column {column}"
        error = SpecError(problem, value=said, where=where, hint=hint)
        return Mistake(self.number, COLUMNS.index(column), error)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that cannot be used, and where in its sheet."""

    row: int
    column: int
    """Place of the column; behind the last one for cells that have none."""
    error: SpecError
    """Names sheet, row, column, value and next step."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a sheet that say something beside the card."""

    rows: tuple[Row, ...]
    mistakes: tuple[Mistake, ...]
    """Of rows that are not among `rows`: what stands in which of their cells is not known."""
    broken: frozenset[int]
    """Cards of such rows."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How the lines of one sheet are read."""

    file: Path
    head: list[str]
    width: int
    """Cells of the first line; spreadsheets give all lines as many."""
    separator: str
    cards: Sequence[int]


def blank_sheet(cards: Iterable[int]) -> bytes:
    """A sheet with a row for each card, in this order.

    It begins with a byte order mark: without it some spreadsheets take UTF-8 for something else.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([card, *[""] * (len(COLUMNS) - 1)] for card in cards)
    return text.getvalue().encode("utf-8-sig")


def read_sheet(file: Path, cards: Sequence[int]) -> Sheet:
    """The rows of a sheet, and every row that cannot be read.

    Cells are set apart by commas, semicolons or tabs, as the spreadsheet chose.

    Raises:
        SpecError: no UTF-8, no CSV, or another head.
        FormatError: the file is not there.
    """
    separator, lines = _lines(file)
    if not lines:
        _refuse_head(file, "", "Start again from the sheet that was handed out.")
    head = [cell.strip().casefold() for cell in lines[0]]
    while head and not head[-1]:
        head.pop()
    for name in COLUMNS:
        if head.count(name) != 1:
            _refuse_head(file, name, f"The first row is: {', '.join(COLUMNS)}.")
    for name in head:
        if name not in COLUMNS:
            _refuse_head(file, name, nearest(name, COLUMNS))
    form = _Form(file, head, len(lines[0]), separator, cards)
    found = [
        _row(form, n, line) for n, line in enumerate(lines[1:], 2) if any(map(str.strip, line))
    ]
    return Sheet(
        tuple(row for row, wrong in found if row.card in cards and wrong is None and _says(row)),
        tuple(wrong for _, wrong in found if wrong is not None),
        frozenset(row.card for row, wrong in found if wrong is not None),
    )


def _row(form: _Form, number: int, line: list[str]) -> tuple[Row, Mistake | None]:
    cells = {name: cell.strip() for name, cell in zip(form.head, line, strict=False)}
    cells = {name: cells.get(name, "") for name in COLUMNS}
    found = _CARD.fullmatch(cells["card"])
    row = Row(form.file, number, int(found[1]) if found else 0, cells)
    beyond = next((cell for cell in line[len(form.head) :] if cell.strip()), None)
    if beyond is not None or len(line) > form.width:
        return row, _too_wide(form, row, line, beyond)
    if row.card not in form.cards and (_says(row) or cells["card"]):
        hint = f"Use the number of a card: 1 to {max(form.cards)}."
        return row, row.mistake("no such card", "card", hint)
    return row, None


def _says(row: Row) -> bool:
    return any(row.cells[name] for name in COLUMNS[1:])


def _too_wide(form: _Form, row: Row, line: list[str], beyond: str | None) -> Mistake:
    """A separator inside a text that is not quoted moves all that stands behind it."""
    sign = {",": "a comma", ";": "a semicolon", "\t": "a tab"}[form.separator]
    error = SpecError(
        f"{len(line)} cells for {len(form.head)} columns",
        value=line[-1] if beyond is None else beyond,
        where=f"{form.file}, row {row.number}, beyond column {COLUMNS[-1]}",
        hint=f"Put each text into one cell, in quotation marks where it holds {sign}.",
    )
    return Mistake(row.number, len(COLUMNS), error)


def _lines(file: Path) -> tuple[str, list[list[str]]]:
    """The sign between cells, and the cells of each line."""
    try:
        text = _SEPARATOR.sub("", read_bytes(file).decode("utf-8-sig"), count=1)
        first = text.partition("\n")[0]
        sign = max(",;\t", key=first.count)
        return sign, list(csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True))
    except UnicodeDecodeError as error:
        problem, value = "sheet is not UTF-8 text", f"byte {error.start}"
        hint = "Save it again as: CSV UTF-8."
        raise SpecError(problem, value=value, where=file, hint=hint) from error
    except csv.Error as error:
        hint = "Open it in a spreadsheet and save it again as: CSV UTF-8."
        raise SpecError("sheet is not CSV", value=str(error), where=file, hint=hint) from error


def _refuse_head(file: Path, column: str, hint: str) -> NoReturn:
    raise SpecError(
        "head of the sheet is not what was handed out",
        value=column,
        where=f"{file}, row 1, column {column}",
        hint=hint,
    )
