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
from numpy.typing import NDArray
from pyarrow import csv as arrow_csv

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.model import Source
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, Readings
from benchwright.suites.telemetry.corpus.times import arrow_type, instants
from benchwright.suites.telemetry.corpus.wide import header
from benchwright.suites.telemetry.corpus.zones import Ints

_BLOCK = 250_000


def read_long(source: Source, path: Path, number: int) -> Iterator[tuple[str, Readings, Ints]]:
    """Stream, its readings of one block, and the instants of its rows that give no number."""
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


def _columns(source: Source) -> list[str]:
    kept = [source.keep.column] if source.keep is not None else []
    return list(dict.fromkeys([*_wanted(source), *kept]))


def _parquet(source: Source, path: Path) -> Iterator[Any]:
    with pq.ParquetFile(path, pre_buffer=False) as file:
        absent = set(_columns(source)) - set(file.schema_arrow.names)
        if absent:
            raise _unreadable(f"no column {sorted(absent)[0]}", path)
        for batch in file.iter_batches(_BLOCK, columns=_columns(source), use_threads=False):
            yield pa.Table.from_batches([batch])


def _csv(source: Source, path: Path) -> Iterator[Any]:
    names = header(source, path)
    _, value, *times = _wanted(source)
    types = dict.fromkeys(_columns(source), pa.string())
    types[value] = pa.string() if source.words else pa.float64()
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
            null_values=[text for text in source.missing if text not in source.words],
            strings_can_be_null=True,
        ),
    )
    for batch in reader:
        yield pa.Table.from_batches([batch])


def _split(
    source: Source, table: Any, number: int, began: int, path: Path
) -> Iterator[tuple[str, Readings, Ints]]:
    stream, value, *times = _wanted(source)
    column = table.column(times[0])
    if len(times) > 1:
        parts = [table.column(name).combine_chunks() for name in times]
        column = pa.chunked_array([pc.binary_join_element_wise(*parts, " ")])
    at = f"{path}, after row {began}" if began else path
    ts, adjusted = instants(source.time, column, at)
    numbers = _numbers(source, table.column(value), at)
    if source.keep is not None:
        flags = pc.fill_null(table.column(source.keep.column).cast(pa.string()), "")
        good = pc.is_in(flags, pa.array(source.keep.values, pa.string()))
        numbers = np.where(np.asarray(good.to_numpy()), numbers, np.nan)
    coded = table.column(stream).combine_chunks().cast(pa.string()).dictionary_encode()
    if coded.null_count:
        raise SpecError("reading has no stream", value="", where=path, hint="Correct the file.")
    codes = np.asarray(coded.indices)
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(coded.dictionary) + 1))
    place = table.schema.get_field_index(value)
    for code, name in enumerate(coded.dictionary.to_pylist()):
        rows = order[ends[code] : ends[code + 1]]
        there = np.isfinite(numbers[rows])
        kept = rows[there]
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
            ts[rows[~there]],
        )


def _numbers(source: Source, column: Any, at: object) -> NDArray[np.float64]:
    """Numbers of a column, NaN where there is none; words where the source has some."""
    kind = column.type
    if not source.words or not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    coded = column.combine_chunks().dictionary_encode()
    texts = coded.dictionary.to_pylist()
    known = [*(_number(source, text, at) for text in texts), np.nan]
    codes = np.asarray(coded.indices.fill_null(len(texts)))
    numbers: NDArray[np.float64] = np.array(known, dtype=np.float64)[codes]
    return numbers


def _number(source: Source, text: str, at: object) -> float:
    if text in source.words:
        return source.words[text]
    try:
        if source.decimal == "," and "." in text:
            raise ValueError
        plain = text.replace(",", ".") if source.decimal == "," else text
        return float(pa.scalar(plain).cast(pa.float64()).as_py())
    except ValueError as error:
        raise SpecError(
            "word has no number",
            value=text,
            where=f"{at}, column {source.value}",
            hint="Add it to the words or to the missing tokens of the source.",
        ) from error
