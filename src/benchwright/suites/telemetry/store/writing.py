"""Tables and observations on their way to disk, in blocks.

Takes rows as columns; gives DuckDB tables in the order of writing, and Parquet files sorted by
stream and instant. Memory is that of a block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.suites.telemetry.corpus.readings import Readings
from benchwright.suites.telemetry.store.tables import OBSERVATIONS, TABLES, Table

_BLOCK = 50_000
_ADDED = 500
"""Additions after which a table is written, however few rows they hold."""
_GROUP = 32_768
_PART = 8_000_000


class TableWriter:
    """Every table of a store, written as rows come."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._waiting: dict[str, list[Any]] = {table.name: [] for table in TABLES}
        self._rows = dict.fromkeys(self._waiting, 0)
        for table in TABLES:
            empty = table.schema.empty_table()
            connection.register("block", empty)
            connection.execute(f'CREATE TABLE "{table.name}" AS SELECT * FROM block')
            connection.unregister("block")

    def add(self, table: Table, columns: Mapping[str, Sequence[Any] | Any]) -> None:
        """Some rows; texts and numbers that are None or NaN become nulls."""
        arrays = [
            _array(columns[name], table.schema.field(name).type) for name in table.schema.names
        ]
        waiting = self._waiting[table.name]
        waiting.append(pa.table(arrays, schema=table.schema))
        self._rows[table.name] += waiting[-1].num_rows
        if self._rows[table.name] >= _BLOCK or len(waiting) >= _ADDED:
            self._flush(table.name)

    def close(self) -> None:
        """Write what is left."""
        for name in self._waiting:
            self._flush(name)

    def _flush(self, name: str) -> None:
        if self._waiting[name]:
            self._connection.register("block", pa.concat_tables(self._waiting[name]))
            self._connection.execute(f'INSERT INTO "{name}" SELECT * FROM block')
            self._connection.unregister("block")
            self._waiting[name], self._rows[name] = [], 0


def _array(values: Any, kind: Any) -> Any:
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return pa.array(values, type=kind, from_pandas=True)
    return pa.array(values, type=kind)


class ObservationWriter:
    """One stream after the other; only streams that are smaller than a row group share one."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._file, self._rows, self.part = folder, None, 0, -1
        self._waiting: list[Any] = []
        self._held = 0
        folder.mkdir(parents=True)

    def add(self, number: int, readings: Iterable[Readings], count: int) -> int:
        """One stream of `count` readings in pieces; the part that holds it."""
        if self._file is None or self._rows + count > _PART:
            self._next()
        self._rows += count
        if count >= _GROUP:
            self._flush()
        for piece in readings:
            self._waiting.append(_table(number, piece))
            self._held += len(piece)
            if count >= _GROUP:
                self._flush_groups()
        if self._held >= _GROUP or count >= _GROUP:
            self._flush()
        return self.part

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _next(self) -> None:
        self.close()
        self.part, self._rows = self.part + 1, 0
        self._file = pq.ParquetWriter(
            self._folder / f"part-{self.part:05d}.parquet",
            OBSERVATIONS,
            compression="zstd",
            use_dictionary=["stream", "value", "marks", "file", "column"],
            column_encoding={"ts": "DELTA_BINARY_PACKED", "row": "DELTA_BINARY_PACKED"},
        )

    def _flush_groups(self) -> None:
        """Write as many whole row groups as there are."""
        whole = pa.concat_tables(self._waiting)
        cut = len(whole) // _GROUP * _GROUP
        if self._file is not None and cut:
            self._file.write_table(whole.slice(0, cut), row_group_size=_GROUP)
            self._held = len(whole) - cut
            self._waiting = [whole.slice(cut)] if self._held else []

    def _flush(self) -> None:
        if self._file is not None and self._waiting:
            self._file.write_table(pa.concat_tables(self._waiting), row_group_size=_GROUP)
        self._waiting, self._held = [], 0


def _table(number: int, readings: Readings) -> Any:
    columns = (getattr(readings, name) for name in OBSERVATIONS.names[1:])
    streams = np.full(len(readings), number, dtype=np.int32)
    return pa.table([streams, *columns], schema=OBSERVATIONS)
