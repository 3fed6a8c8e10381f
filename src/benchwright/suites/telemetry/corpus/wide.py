"""Wide CSV: a row per time, a column per channel.

Takes a file and its source; gives every mapped column as readings with lineage. Reading is done by
Arrow with all its threads; nothing here depends on the order of rows.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv as arrow_csv

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.columns import Column, headers
from benchwright.suites.telemetry.corpus.model import Source
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, DROPOUT, Readings
from benchwright.suites.telemetry.corpus.times import arrow_type, instants


@dataclass(frozen=True, slots=True)
class Part:
    """What one file says about one stream."""

    column: Column
    readings: Readings
    missing: NDArray[np.int64]
    """Instants of cells without a number."""
    infinite: int
    """How many of them were infinite or NaN."""


def header(source: Source, path: Path) -> list[str]:
    """Names of the columns of a file."""
    try:
        with path.open(encoding=source.encoding, newline="") as file:
            rows = csv.reader(file, delimiter=source.delimiter)
            found = [row for row, _ in zip(rows, range(source.header_rows), strict=False)]
    except (UnicodeDecodeError, LookupError, csv.Error) as error:
        raise _unreadable(error, path) from error
    if len(found) < source.header_rows or not any(found[-1]):
        raise SpecError(
            "file has no header", value=path.name, where=path, hint="Check header_rows."
        )
    return headers(found)


def read_wide(
    source: Source, path: Path, names: Sequence[str], columns: Sequence[Column], number: int
) -> Iterator[Part]:
    """Every mapped column of one file; `number` is the file's place in lineage.

    Raises:
        SpecError: a cell is neither missing nor of its column's type, with its row.
    """
    table = _table(source, path, names, columns)
    ts, adjusted = instants(source.time, _time_column(source, table, names), path)
    marks = np.where(adjusted, ADJUSTED, 0).astype(np.uint8)
    values = {c.name: _values(c, table.column(c.name), path) for c in columns}
    down = _dropouts(columns, values)
    rows = np.arange(1, len(ts) + 1)
    for column in columns:
        value = values[column.name]
        there = np.isfinite(value)
        marked = marks
        if column.kind.zero == "device" and column.channel.device in down:
            marked = marks | np.where(down[column.channel.device], DROPOUT, 0).astype(np.uint8)
        every = Readings(
            ts,
            value,
            marked,
            np.full(len(ts), number, dtype=np.int32),
            rows,
            np.full(len(ts), column.index, dtype=np.int32),
        )
        absent = ts[~there]
        yield Part(
            column=column,
            readings=every.take(there) if absent.size else every,
            missing=absent,
            infinite=absent.size - table.column(column.name).null_count,
        )


def _table(source: Source, path: Path, names: Sequence[str], columns: Sequence[Column]) -> Any:
    times = source.time.column
    listed = (times,) if isinstance(times, str) else times
    types = {name: arrow_type(source.time) for name in listed}
    types |= {c.name: pa.string() if c.channel.words else pa.float64() for c in columns}
    try:
        return arrow_csv.read_csv(
            path,
            read_options=arrow_csv.ReadOptions(
                column_names=list(names), skip_rows=source.header_rows, encoding=source.encoding
            ),
            parse_options=arrow_csv.ParseOptions(delimiter=source.delimiter),
            convert_options=arrow_csv.ConvertOptions(
                column_types=types,
                decimal_point=source.decimal,
                include_columns=list(types),
                null_values=list(source.missing),
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError, UnicodeDecodeError) as error:
        raise _unreadable(error, path) from error


def _time_column(source: Source, table: Any, names: Sequence[str]) -> Any:
    times = source.time.column
    listed = (times,) if isinstance(times, str) else times
    for name in listed:
        if name not in names:
            raise SpecError(
                "file lacks its time column", value=name, where="time: column", hint="Correct it."
            )
    if len(listed) == 1:
        return table.column(listed[0])
    parts = [table.column(name).combine_chunks() for name in listed]
    return pa.chunked_array([pa.compute.binary_join_element_wise(*parts, " ")])


def _values(column: Column, cells: Any, path: Path) -> NDArray[np.float64]:
    """Numbers, NaN where there is none."""
    if not column.channel.words:
        return np.asarray(cells.to_numpy(), dtype=np.float64)
    coded = cells.combine_chunks().dictionary_encode()
    words = column.channel.words
    for word in coded.dictionary.to_pylist():
        if word not in words:
            raise SpecError(
                "word has no number",
                value=word,
                where=f"{path}, column {column.name}",
                hint="Add it to the words of the channel, or to the missing tokens of the source.",
            )
    table = np.array([words[word] for word in coded.dictionary.to_pylist()] + [np.nan])
    codes = np.asarray(coded.indices.fill_null(len(table) - 1))
    numbers: NDArray[np.float64] = table[codes]
    return numbers


def _dropouts(
    columns: Sequence[Column], values: dict[str, NDArray[np.float64]]
) -> dict[str, NDArray[np.bool_]]:
    """Rows in which every reading of a device, at least two, is 0."""
    down = {}
    for device in {c.channel.device for c in columns if c.channel.device is not None}:
        rows = np.array([values[c.name] for c in columns if c.channel.device == device])
        there = np.isfinite(rows)
        down[device] = ((rows == 0) | ~there).all(axis=0) & (there.sum(axis=0) >= 2)
    return down


def _unreadable(error: Exception, path: Path) -> SpecError:
    return SpecError(
        "file cannot be read as its source says",
        value=str(error).splitlines()[0],
        where=path,
        hint="Correct delimiter, encoding, decimal, header_rows, missing tokens or channels.",
    )
