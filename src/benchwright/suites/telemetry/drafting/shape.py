"""One file of text: its encoding, its delimiter, and the rows of its header.

Takes bytes; gives a `Shape`, or a reason why the file is no table. Reads the whole file for its
encoding and its beginning for the rest.
"""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import SpecError
from benchwright.suites.telemetry.drafting.clocks import looks_like_time

_BEGINNING = 1 << 16
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"))
_OTHER_MARKS = ((codecs.BOM_UTF16_BE, "utf-16"),)
_DELIMITERS = (",", ";", "\t", "|")
_MOST_HEADER_ROWS = 4


class NoTable(Exception):
    """A file that no source can read, with the reason as its text."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the text of a file is cut into cells."""

    encoding: str
    delimiter: str
    header: tuple[tuple[str, ...], ...]
    """Rows of the header, as they stand there."""


def shape_of(path: Path) -> Shape:
    """The shape of a file.

    Raises:
        NoTable: it is no text, has no header, or no second column.
        SpecError: it cannot be opened.
    """
    try:
        encoding = _encoding(path)
        with path.open(encoding=encoding, newline="", errors="replace") as file:
            text = file.read(_BEGINNING)
    except OSError as error:
        raise SpecError(
            "file cannot be opened",
            value=path.name,
            where=path.parent,
            hint=f"{error.strerror}: give leave to read it, or move it out of the folder.",
        ) from error
    if not text.strip():
        raise NoTable("it is empty")
    if "\0" in text:
        raise NoTable("it is no text")
    lines = text.splitlines()[:60] if len(text) < _BEGINNING else text.splitlines()[:-1][:60]
    delimiter = _delimiter(lines)
    rows = [tuple(row) for row in csv.reader(lines, delimiter=delimiter)]
    return Shape(encoding, delimiter, _header(rows))


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        first = file.read(4)
        for mark, name in (*_MARKS, *_OTHER_MARKS):
            if first.startswith(mark):
                return name
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while block := file.read(1 << 20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


def _delimiter(lines: list[str]) -> str:
    """The one that cuts most lines into equally many cells, of these the one that cuts most."""
    best, found = (0.0, 1), ""
    for delimiter in _DELIMITERS:
        widths = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        score = (count / sum(widths.values()), width)
        if width > 1 and score > best:
            best, found = score, delimiter
    if not found:
        raise NoTable("no delimiter cuts its lines into two columns or more")
    return found


def _header(rows: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Rows above the first that holds a time; one row where no row does, or no number."""
    times = (i for i, row in enumerate(rows) if any(looks_like_time(cell) for cell in row))
    count = next(times, 1)
    if count == 0:
        raise NoTable("it has no header: its first row holds a time; write a row of names above it")
    if count > _MOST_HEADER_ROWS:
        raise NoTable(
            f"{count} rows stand above its first reading, {_MOST_HEADER_ROWS} can be read; "
            "take the others out of a copy"
        )
    return tuple(rows[:count])
