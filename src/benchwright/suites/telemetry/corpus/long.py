"""Long files: a row per reading, CSV or Parquet.

Takes a file and its source; gives the readings of every stream, a block of rows at a time, so that
memory does not grow with the file. Nothing here depends on the order of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv as arrow_csv

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.model import Source
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, Readings
from benchwright.suites.telemetry.corpus.times import arrow_type, instants
from benchwright.suites.telemetry.corpus.wide import header

_BLOCK = 250_000


def read_long(source: Source, path: Path, number: int) -> Iterator[tuple[str, Readings, int]]:
    """Stream, its readings of one block, and how many of its cells held no number."""
    began = 0
    for batch in _batches(source, path):
        yield from _split(source, batch, number, began, path)
        began += batch.num_rows


def _batches(source: Source, path: Path) -> Iterator[Any]:
    try:
        yield from _csv(source, path) if source.form == "long_csv" else _parquet(source, path)
    except (pa.ArrowInvalid, pa.ArrowKeyError, OSError) as error:
        raise _unreadable(str(error).splitlines()[0], path) from error


def _unreadable(problem: str, path: Path) -> SpecError:
    return SpecError(
        "file cannot be read as its source says",
        value=problem,
        where=path,
        hint="Correct the columns stream, time and value of the source.",
    )


def _wanted(source: Source) -> list[str]:
    times = source.time.column
    assert source.stream and source.value
    return [source.stream, source.value, *((times,) if isinstance(times, str) else times)]


def _parquet(source: Source, path: Path) -> Iterator[Any]:
    with pq.ParquetFile(path, pre_buffer=False) as file:
        absent = set(_wanted(source)) - set(file.schema_arrow.names)
        if absent:
            raise _unreadable(f"no column {sorted(absent)[0]}", path)
        for batch in file.iter_batches(_BLOCK, columns=_wanted(source), use_threads=False):
            yield pa.Table.from_batches([batch])


def _csv(source: Source, path: Path) -> Iterator[Any]:
    names = header(source, path)
    stream, value, *times = _wanted(source)
    types = {stream: pa.string(), value: pa.float64()}
    types |= {name: arrow_type(source.time) for name in times}
    reader = arrow_csv.open_csv(
        path,
        read_options=arrow_csv.ReadOptions(
            column_names=names,
            skip_rows=source.header_rows,
            encoding=source.encoding,
            block_size=16 << 20,
        ),
        parse_options=arrow_csv.ParseOptions(delimiter=source.delimiter),
        convert_options=arrow_csv.ConvertOptions(
            column_types=types,
            decimal_point=source.decimal,
            include_columns=list(types),
            null_values=list(source.missing),
            strings_can_be_null=True,
        ),
    )
    for batch in reader:
        yield pa.Table.from_batches([batch])


def _split(
    source: Source, table: Any, number: int, began: int, path: Path
) -> Iterator[tuple[str, Readings, int]]:
    stream, value, *times = _wanted(source)
    column = table.column(times[0])
    if len(times) > 1:
        parts = [table.column(name).combine_chunks() for name in times]
        column = pa.chunked_array([pc.binary_join_element_wise(*parts, " ")])
    at = f"{path}, after row {began}" if began else path
    ts, adjusted = instants(source.time, column, at)
    numbers = np.asarray(table.column(value).cast(pa.float64()).to_numpy(), dtype=np.float64)
    coded = table.column(stream).combine_chunks().cast(pa.string()).dictionary_encode()
    if coded.null_count:
        raise SpecError("reading has no stream", value="", where=path, hint="Correct the file.")
    codes = np.asarray(coded.indices)
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(coded.dictionary) + 1))
    place = table.schema.get_field_index(value)
    for code, name in enumerate(coded.dictionary.to_pylist()):
        rows = order[ends[code] : ends[code + 1]]
        kept = rows[np.isfinite(numbers[rows])]
        yield (
            name,
            Readings(
                ts[kept],
                numbers[kept],
                np.where(adjusted[kept], ADJUSTED, 0).astype(np.uint8),
                np.full(len(kept), number, dtype=np.int32),
                kept + (began + 1),
                np.full(len(kept), place, dtype=np.int32),
            ),
            len(rows) - len(kept),
        )
