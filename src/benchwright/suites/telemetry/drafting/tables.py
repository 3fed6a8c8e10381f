"""Points of long files: a table that is in the folder, or one that the draft writes.

Takes the ids of streams and the files without times; gives a `Table`. A table of the folder is used
as it is where the reader can read it and it has every field; else its words are copied into one of
our own, which a person can complete.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchwright.canonical import digest_bytes
from benchwright.suites.telemetry.drafting.naming import class_name
from benchwright.suites.telemetry.drafting.sheets import Sheet

NEEDED: Final = ("stream", "class", "site", "equipment")
_HINTS: Final = {
    "class": r"(point_?|sensor_?)?(class|type)|kind|quantity|category|measure(ment|and)?",
    "equipment": r"equip.*|device|machine|asset|system",
    "site": r"site|building|plant|facility",
    "location": r"location|room|zone|area|floor",
    "unit": r"units?|uom|einheit",
}

_TERMINALS: Final = frozenset(
    (
        "AI",
        "AO",
        "AV",
        "BI",
        "BO",
        "BV",
        "DI",
        "DO",
        "DV",
        "MI",
        "MO",
        "MV",
        "MSV",
        "CNT",
        "CI",
        "PI",
    )
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of points."""

    path: str
    sha256: str
    columns: Mapping[str, str]
    """Field to column."""
    rows: Mapping[str, Mapping[str, str]]
    """Fields by stream."""
    text: str | None
    """What is to be written; None where the table is there."""
    source: str | None
    """The file whose words were copied, or that is used as it is."""
    filled: tuple[str, ...]
    """Fields that the draft had to make up."""


def table_of(ids: Mapping[str, str], sheets: Sequence[Sheet], own: str, site: str) -> Table:
    """The table for these streams, given with the name of the file that they are in.

    `own` is the name that a new table has below the data folder.
    """
    found = max(
        ((_known(s, c, ids), s.path, c, s) for s in sheets for c in s.names),
        key=lambda one: one[:2],
        default=None,
    )
    if found is None or found[0] < 0.5 * len(ids):
        rows = {stream: _guessed(stream, file, site) for stream, file in ids.items()}
        return _written(own, rows, None, NEEDED[1:])
    _, _, column, sheet = found
    columns = {"stream": column, **_fields(sheet, column)}
    read = _rows(sheet, columns)
    if _usable(sheet, columns, read):
        return Table(sheet.path, sheet.sha256, columns, read, None, sheet.path, ())
    absent = tuple(f for f in NEEDED if any(not row.get(f) for row in read.values()) or not read)
    rows = {s: {**_guessed(s, ids.get(s, sheet.path), site), **row} for s, row in read.items()}
    rows |= {s: _guessed(s, file, site) for s, file in ids.items() if s not in read}
    return _written(own, rows, sheet.path, absent)


def _known(sheet: Sheet, column: str, ids: Mapping[str, str]) -> int:
    return len(ids.keys() & set(sheet.texts[column]))


def _fields(sheet: Sheet, taken: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, hint in _HINTS.items():
        for name in sheet.names:
            fits = name != taken and name not in found.values() and re.fullmatch(hint, name.lower())
            if fits and not (field == "class" and _are_terminals(sheet.texts[name])):
                found[field] = name
                break
    return found


def _are_terminals(texts: Sequence[str]) -> bool:
    """Whether a column says how points are wired, which makes no class: temperatures and CO2."""
    said = {text.strip().upper() for text in texts} - {""}
    return bool(said) and said <= _TERMINALS


def _rows(sheet: Sheet, columns: Mapping[str, str]) -> dict[str, dict[str, str]]:
    cells = {field: sheet.texts[column] for field, column in columns.items()}
    rows: dict[str, dict[str, str]] = {}
    for place, stream in enumerate(cells["stream"]):
        if stream.strip():
            row = {field: texts[place].strip() for field, texts in cells.items()}
            rows.setdefault(stream, {field: word for field, word in row.items() if word})
    return rows


def _usable(
    sheet: Sheet, columns: Mapping[str, str], rows: Mapping[str, Mapping[str, str]]
) -> bool:
    shape = sheet.shape
    plain = (shape.encoding, shape.delimiter, len(shape.header)) == ("utf-8", ",", 1)
    as_named = plain and tuple(shape.header[0]) == sheet.names
    whole = all(all(row.get(field) for field in NEEDED) for row in rows.values())
    every = len(rows) == len(sheet.texts[columns["stream"]])
    return as_named and whole and every and set(NEEDED) <= set(columns)


def _guessed(stream: str, file: str, site: str) -> dict[str, str]:
    """Thing and class from an id such as `pump1.p_out`; else the file and the id without digits."""
    parts = re.split(r"[./:|]", stream)
    if len(parts) > 1 and all(parts):
        thing, name = ".".join(parts[:-1]), parts[-1]
    else:
        thing, name = file, re.sub(r"\d+", "", stream)
    return {"stream": stream, "class": class_name(name), "site": site, "equipment": thing}


def _written(
    path: str, rows: Mapping[str, Mapping[str, str]], source: str | None, filled: tuple[str, ...]
) -> Table:
    optional = [f for f in ("location", "unit") if any(f in row for row in rows.values())]
    fields = [*NEEDED, *optional]
    out = io.StringIO()
    writer = csv.DictWriter(out, fields, restval="", lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for stream in sorted(rows):
        writer.writerow(rows[stream])
    said = out.getvalue()
    columns = {field: field for field in fields}
    return Table(path, digest_bytes(said.encode()), columns, dict(rows), said, source, filled)
