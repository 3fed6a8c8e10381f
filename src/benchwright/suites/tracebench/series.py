"""Series as Parquet: one file per test sample, one file for all held-out series of a noise level.

Takes float32 arrays; gives bytes that depend on nothing but the numbers, and reads them back. A
file that an agent sees has no compression, no dictionary, no statistics and no metadata, so all
files of a system have the same size whatever they hold. Columns col1..col3 and col4 = time are
float32, the stored precision of the simulators; a rule gets exactly the numbers and types of the
file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchwright.errors import FormatError
from benchwright.storage import read_bytes
from benchwright.tasks.writer import CANARY

SIGNALS = ("col1", "col2", "col3")
COLUMNS = (*SIGNALS, "col4")
_ROWS_PER_GROUP = 64


Floats = NDArray[np.float32]


def sample_bytes(signals: Floats, time: NDArray[np.float64]) -> bytes:
    """One series [channel, row] and its times [row] as the Parquet file that an agent gets."""
    columns = (*signals, time.astype(np.float32))
    table = pa.table(dict(zip(COLUMNS, columns, strict=True)))
    return _bytes(table, compression="none", use_dictionary=False, write_statistics=False)


def read_sample(path: Path) -> Floats:
    """A test sample as [row, column]; FormatError for a file that is none."""
    with _parquet(path) as file:
        table = file.read(list(COLUMNS))
        return _frame([table[name].combine_chunks() for name in COLUMNS], path)


def heldout_bytes(names: Sequence[str], series: Floats, time: NDArray[np.float64]) -> bytes:
    """Series [run, channel, row] by name in one file: a row per series, a list per column."""
    floats = pa.list_(pa.float32())
    columns: dict[str, Any] = {"name": pa.array(names, pa.string())}
    for index, column in enumerate(SIGNALS):
        columns[column] = pa.array(list(series[:, index]), floats)
    columns["col4"] = pa.array([time.astype(np.float32)] * len(names), floats)
    table = pa.table(columns).replace_schema_metadata({"canary": CANARY})
    return _bytes(table, compression="zstd", row_group_size=_ROWS_PER_GROUP)


def read_heldout(path: Path) -> Iterator[tuple[str, Floats]]:
    """Names and series [row, column] of a held-out file, a part of it in memory at a time."""
    with _parquet(path) as file:
        for batch in file.iter_batches(_ROWS_PER_GROUP):
            for row in range(batch.num_rows):
                values = [batch[name][row].values for name in COLUMNS]
                yield str(batch["name"][row].as_py()), _frame(values, path)


def table_bytes(rows: Sequence[dict[str, Any]], schema: Any) -> bytes:
    """A held table of plain rows, with the canary in its metadata."""
    table = pa.Table.from_pylist(list(rows), schema).replace_schema_metadata({"canary": CANARY})
    return _bytes(table, compression="zstd")


def _bytes(table: Any, **settings: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **settings)
    return buffer.getvalue()


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    """An open Parquet file; whatever pyarrow finds wrong with it names the file."""
    try:
        yield pq.ParquetFile(io.BytesIO(read_bytes(path)))
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise _no_series(f"{type(error).__name__}: {error}", path) from error


def _frame(columns: Sequence[Any], path: Path) -> Floats:
    """Columns of 32-bit floats side by side: equally many rows, and a number in each."""
    if any(column is None or column.type != pa.float32() for column in columns):
        raise _no_series("a column is not of 32-bit floats", path)
    values: Floats = np.column_stack([column.to_numpy(zero_copy_only=False) for column in columns])
    if not values.size or not np.isfinite(values).all():
        raise _no_series("rows or numbers are missing", path)
    return values


def _no_series(said: str, path: Path) -> FormatError:
    hint = "Build the set again, or restore the file from where it came."
    return FormatError("file holds no series", value=said, where=path, hint=hint)
