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


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, as written; `number` is what the spreadsheet calls it."""

    sheet: Path
    number: int
    card: int
    cells: Mapping[str, str]

    def refuse(self, problem: str, column: str, hint: str) -> NoReturn:
        """SpecError that names sheet, row, column, value and next step."""
        raise SpecError(
            problem,
            value=self.cells[column],
            where=f"{self.sheet}, row {self.number}, column {column}",
            hint=hint,
        )


def blank_sheet(cards: Iterable[int]) -> bytes:
    """A sheet with a row for each card, in this order.

    It begins with a byte order mark: without it some spreadsheets take UTF-8 for something else.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([card, *[""] * (len(COLUMNS) - 1)] for card in cards)
    return text.getvalue().encode("utf-8-sig")


def read_sheet(file: Path, cards: Sequence[int]) -> list[Row]:
    """The rows of a sheet that say something beside the card.

    Cells are set apart by commas, semicolons or tabs, as the spreadsheet chose.

    Raises:
        SpecError: no UTF-8, no CSV, another head, or a card that is none of `cards`.
        FormatError: the file is not there.
    """
    lines = _lines(file)
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
    return [row for n, line in enumerate(lines[1:], 2) for row in _row(file, n, head, line, cards)]


def _row(
    file: Path, number: int, head: list[str], line: list[str], cards: Sequence[int]
) -> Iterable[Row]:
    cells = {name: cell.strip() for name, cell in zip(head, line, strict=False)}
    cells = {name: cells.get(name, "") for name in COLUMNS}
    found = _CARD.fullmatch(cells["card"])
    row = Row(file, number, int(found[1]) if found else 0, cells)
    beyond = next((cell for cell in line[len(head) :] if cell.strip()), None)
    if beyond is not None:
        where = f"{file}, row {number}, beyond column {COLUMNS[-1]}"
        hint = "Put the text into one cell, in quotation marks where it holds a comma."
        raise SpecError("cell without a column", value=beyond, where=where, hint=hint)
    if not any(cells[name] for name in COLUMNS[1:]) and (not cells["card"] or row.card in cards):
        return ()
    if row.card not in cards:
        row.refuse("no such card", "card", f"Use the number of a card: 1 to {max(cards)}.")
    return (row,)


def _lines(file: Path) -> list[list[str]]:
    try:
        text = read_bytes(file).decode("utf-8-sig")
        first = text.partition("\n")[0]
        separator = max(",;\t", key=first.count)
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
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
