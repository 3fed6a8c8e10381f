"""Observations by stream and time, straight from the row groups that hold them.

Takes the folder of Parquet parts; gives arrays. The bounds of row groups are read once per part and
kept; after that a look-up decodes one row group, two at the most, and a window those that it
touches. A database would read the bounds again for every question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchwright.errors import FormatError

_COLUMNS = ["stream", "ts", "value", "marks"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Readings in order of time."""

    ts: NDArray[np.int64]
    value: NDArray[np.float64]
    marks: NDArray[np.uint8]

    def parts(self) -> Iterator[bytes]:
        """Instants, values and marks as little-endian bytes: what digests of content are of."""
        for array, kind in ((self.ts, "<i8"), (self.value, "<f8"), (self.marks, "u1")):
            yield np.ascontiguousarray(array, dtype=kind).tobytes()


@dataclass(frozen=True, slots=True)
class _Part:
    """An open part; the bounds of streams and instants of every row group."""

    file: Any
    bounds: NDArray[np.int64]
    """A row per group: least and greatest stream, least and greatest instant."""

    def groups(self, stream: int, start: int, end: int) -> list[int]:
        """Row groups that can hold readings of a stream from `start` up to `end`."""
        low, high, first, last = self.bounds.T
        # Instants of a group that several streams share say nothing about one of them.
        reaches = (low != high) | ((first < end) & (last >= start))
        found: list[int] = np.flatnonzero((low <= stream) & (stream <= high) & reaches).tolist()
        return found

    def read(self, stream: int, groups: list[int]) -> Stretch:
        """All readings of a stream in these groups."""
        table = self.file.read_row_groups(groups, columns=_COLUMNS, use_threads=False)
        arrays = [np.asarray(table.column(name)) for name in _COLUMNS]
        a, b = np.searchsorted(arrays[0], [stream, stream + 1])
        return Stretch(*(array[a:b] for array in arrays[1:]))


class Observations:
    """The observations of a store."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._part = cache(self._open)

    def window(self, part: int, stream: int, start: int, end: int) -> Stretch:
        """Readings from `start` up to `end`."""
        opened = self._part(part)
        found = opened.read(stream, opened.groups(stream, start, end))
        a, b = np.searchsorted(found.ts, [start, end])
        return Stretch(found.ts[a:b], found.value[a:b], found.marks[a:b])

    def around(self, part: int, stream: int, at: int) -> list[tuple[int, float, int]]:
        """The last reading up to `at` and the first from `at` on; one row where they are the same.

        `at` must lie between the first and the last reading of the stream.
        """
        opened = self._part(part)
        groups = opened.groups(stream, -(2**62), 2**62)
        first = opened.bounds[groups, 2]
        shared = (opened.bounds[groups, 0] != opened.bounds[groups, 1]).any()
        here = len(groups) if shared else int(np.searchsorted(first, at, side="right"))
        wanted = groups if shared else groups[max(0, here - 1) : here]
        if not shared and at > opened.bounds[wanted[-1], 3]:
            wanted = groups[here - 1 : here + 1]
        found = opened.read(stream, wanted)
        low = int(np.searchsorted(found.ts, at, side="right")) - 1
        high = int(np.searchsorted(found.ts, at, side="left"))
        places = dict.fromkeys(i for i in (low, high) if 0 <= i < len(found.ts))
        return [(int(found.ts[i]), float(found.value[i]), int(found.marks[i])) for i in places]

    def origin(self, part: int, stream: int, at: int) -> tuple[int, int, int] | None:
        """Number of file, data row and column of the reading at `at`; None where there is none."""
        opened = self._part(part)
        columns = ["stream", "ts", "file", "row", "column"]
        groups = opened.groups(stream, at, at + 1)
        table = opened.file.read_row_groups(groups, columns=columns, use_threads=False)
        arrays = [np.asarray(table.column(name)) for name in columns]
        found = np.flatnonzero((arrays[0] == stream) & (arrays[1] == at))
        if not found.size:
            return None
        number, row, column = (int(array[found[0]]) for array in arrays[2:])
        return number, row, column

    def _open(self, part: int) -> _Part:
        path = self._folder / f"part-{part:05d}.parquet"
        try:
            file = pq.ParquetFile(path, memory_map=True, pre_buffer=False)
        except (OSError, ValueError) as error:
            raise FormatError(
                "observations cannot be read",
                value=str(error).splitlines()[0],
                where=path,
                hint="Build the store again, or restore it from where it came.",
            ) from error
        metadata = file.metadata
        bounds = [_bounds(metadata.row_group(i)) for i in range(metadata.num_row_groups)]
        return _Part(file, np.array(bounds, dtype=np.int64))


def _bounds(group: Any) -> tuple[int, int, int, int]:
    stream, ts = group.column(0).statistics, group.column(1).statistics
    return stream.min, stream.max, ts.min, ts.max
