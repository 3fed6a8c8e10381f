"""One file, read once: names, cells as text and numbers, times, and whether it is wide or long.

Takes a path; gives a `Sheet`. Numbers of all files are in memory at the same time, as doubles; the
text is that of one file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv as arrow_csv

from benchwright.canonical import digest_file
from benchwright.suites.telemetry.corpus.columns import headers
from benchwright.suites.telemetry.drafting.cells import Reading, decimal_of, number, read_cells
from benchwright.suites.telemetry.drafting.clocks import Clock, clocks_of
from benchwright.suites.telemetry.drafting.longs import Long, long_of, without
from benchwright.suites.telemetry.drafting.shape import NoTable, Shape, shape_of


@dataclass(frozen=True)
class Sheet:
    """A file and what it tells about itself."""

    path: str
    sha256: str
    shape: Shape
    names: tuple[str, ...]
    decimal: str | None
    """None where no decimal sign occurs."""
    clocks: tuple[Clock, ...]
    readings: Mapping[str, Reading]
    """Of every column but those of the clock."""
    values: Mapping[str, NDArray[np.float64]]
    """Numbers of columns that hold some; NaN where there is none."""
    long: Long | None
    texts: Mapping[str, Sequence[str]]
    """Cells of files without times, which may be tables of points."""

    @cached_property
    def local(self) -> NDArray[np.int64]:
        """Times as the first clock reads them, in ms."""
        return self.clocks[0].local


def sheet_of(folder: Path, path: str) -> Sheet:
    """The file `path` below `folder`.

    Raises:
        NoTable: no source can read it.
        SpecError: it cannot be opened.
    """
    shape = shape_of(folder / path)
    names = tuple(headers(shape.header))
    table = _table(folder / path, shape, names)
    cells = {name: table.column(name).to_pylist() for name in names}
    counted = {name: Counter(cells[name]) for name in names}
    clocks = _clocks(names, cells)
    times = clocks[0].columns if clocks else ()
    rest = [name for name in names if name not in times]
    decimal = decimal_of([counted[name] for name in rest])
    readings = {name: read_cells(counted[name], decimal or ".") for name in rest}
    values = {
        name: _numbers(cells[name], readings[name], decimal or ".")
        for name in rest
        if readings[name].what in ("numbers", "words")
    }
    long = long_of(rest, cells, readings, clocks[0].local) if clocks else None
    if long is not None:
        readings[long.value] = without(readings[long.value], long.words)
        values[long.value] = np.where(long.bad_rows, np.nan, values[long.value])
    return Sheet(
        path=path,
        sha256=digest_file(folder / path),
        shape=shape,
        names=names,
        decimal=decimal,
        clocks=tuple(clocks),
        readings=readings,
        values=values,
        long=long,
        texts={} if clocks else cells,
    )


def _table(path: Path, shape: Shape, names: Sequence[str]) -> Any:
    try:
        table = arrow_csv.read_csv(
            path,
            read_options=arrow_csv.ReadOptions(
                column_names=list(names), skip_rows=len(shape.header), encoding=shape.encoding
            ),
            parse_options=arrow_csv.ParseOptions(delimiter=shape.delimiter),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string())
            ),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise NoTable(f"it cannot be cut into rows: {str(error).splitlines()[0]}") from error
    if not table.num_rows:
        raise NoTable("it has a header and no row")
    return table


def _clocks(names: Sequence[str], cells: Mapping[str, list[str]]) -> list[Clock]:
    clocks = clocks_of(names, [cells[name] for name in names])
    if clocks:
        return clocks
    for name in names:
        absent = [row for row, text in enumerate(cells[name], start=1) if not text.strip()]
        if absent and clocks_of([name], [[t for t in cells[name] if t.strip()]]):
            raise NoTable(f"its row {absent[0]} has no time in column {name!r}")
    return []


def _numbers(cells: Sequence[str], reading: Reading, decimal: str) -> NDArray[np.float64]:
    """Numbers, or places in the list of words."""
    if reading.what == "words":
        known: dict[str, float] = {word: float(i) for i, word in enumerate(reading.words)}
    else:
        known = {t: number(t, decimal) for t in set(cells) if t not in reading.missing}
    return np.array([known.get(text, np.nan) for text in cells], dtype=np.float64)
