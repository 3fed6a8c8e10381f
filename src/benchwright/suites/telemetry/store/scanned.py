"""What the Parquet parts of a store hold, read whole; nothing that they say is believed.

Takes a part; gives for each of its streams how many readings there are, from when to when and out
of which files, and what is wrong with the part by itself. Memory is that of a row group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.canonical import digest_file
from benchwright.suites.telemetry.store.tables import OBSERVATIONS

_LINEAGE = ("file", "row", "column")


@dataclass(slots=True)
class Seen:
    """One stream in one part."""

    count: int
    first: int
    last: int
    files: set[int]


@dataclass(slots=True)
class Scanned:
    """One part."""

    streams: dict[int, Seen] = field(default_factory=dict)
    """By number."""
    problems: list[str] = field(default_factory=list)


def part_name(part: int) -> str:
    """The file of a part."""
    return f"part-{part:05d}.parquet"


def scanned(path: Path) -> Scanned:
    """Everything in one part, from first row to last."""
    made = Scanned()
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            if not file.schema_arrow.equals(OBSERVATIONS):
                made.problems.append("columns are others")
                return made
            for group in range(file.metadata.num_row_groups):
                table = file.read_row_group(group, use_threads=False)
                _add(made, table)
                made.problems += _bounds(file.metadata.row_group(group), table, group)
    except (OSError, ValueError, pa.ArrowException) as error:
        made.problems.append(f"cannot be read: {str(error).splitlines()[0]}")
    return made


def _add(made: Scanned, table: Any) -> None:
    if any(table.column(name).null_count for name in OBSERVATIONS.names):
        made.problems.append("a cell is empty")
        return
    stream, ts, file = (np.asarray(table.column(n)) for n in ("stream", "ts", "file"))
    if not stream.size:
        return
    cuts = np.flatnonzero(np.diff(stream)) + 1
    if np.any(np.diff(stream) < 0) or (made.streams and stream[0] < max(made.streams)):
        made.problems.append("streams are out of order")
        return
    for one, when, origin in zip(
        np.split(stream, cuts), np.split(ts, cuts), np.split(file, cuts), strict=True
    ):
        made.problems += _stretch(made, int(one[0]), when, {*np.unique(origin).tolist()})
    if any(np.any(np.asarray(table.column(n)) < 0) for n in _LINEAGE):
        made.problems.append("a cell of a file has a number below 0")


def _stretch(made: Scanned, number: int, when: Any, files: set[int]) -> Iterator[str]:
    """One stream's readings in a row group."""
    first, last = int(when[0]), int(when[-1])
    before = made.streams.get(number)
    rises = bool(np.all(np.diff(when) > 0)) and (before is None or before.last < first)
    if not rises:
        yield f"readings of stream {number} are out of order"
    if before is None:
        made.streams[number] = Seen(len(when), first, last, files)
    else:
        before.count, before.last = before.count + len(when), last
        before.files |= files


def _bounds(group: Any, table: Any, place: int) -> Iterator[str]:
    """Look-ups go by the bounds that a row group states."""
    for number, name in enumerate(("stream", "ts")):
        stated, values = group.column(number).statistics, np.asarray(table.column(name))
        known = stated is not None and stated.has_min_max
        if values.size and not (known and (stated.min, stated.max) == (values.min(), values.max())):
            yield f"row group {place} states other bounds of {name}"


def checksums(folder: Path) -> dict[str, str]:
    """sha256 of every file of a store, by relative path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in files}
