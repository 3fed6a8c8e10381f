"""Readings on their way from files to streams, on disk once they are many.

Takes parts in the order of files; gives all readings of one stream in order of time. Memory is
bounded by a number of readings; beyond it every stream's readings are sorted and written as one run
of a file, and runs are read and merged a piece at a time. A run costs 32 bytes of memory.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.corpus.pieces import BOUNDS, Bounds
from benchwright.suites.telemetry.corpus.readings import COLUMNS, Readings, joined, ordered
from benchwright.suites.telemetry.corpus.runs import Run, in_time

_WIDTH: Final = sum(np.dtype(kind).itemsize for kind in COLUMNS.values())
_PART = 32
"""What a part weighs beside its readings, counted in readings."""


class Spool:
    """Readings by stream; `folder` must exist and is not cleaned up here."""

    def __init__(self, folder: Path, bounds: Bounds = BOUNDS) -> None:
        self._folder, self._bounds = folder, bounds
        self._held = self._files = 0
        self._near: dict[str, list[Readings]] = defaultdict(list)
        self._far: dict[str, array[int]] = defaultdict(lambda: array("q"))
        self._count: dict[str, int] = defaultdict(int)

    def add(self, stream: str, part: Readings) -> None:
        """One more part of a stream, which may be empty."""
        self._count[stream] += len(part)
        self._keep(stream, part)

    def add_missing(self, stream: str, ts: NDArray[np.int64]) -> None:
        """Instants of cells without a number: they come back as readings that are NaN."""
        zeros = np.zeros(len(ts), dtype=np.int64)
        value = np.full(len(ts), np.nan)
        small = zeros.astype(np.int32)
        self._keep(stream, Readings(ts, value, zeros.astype(np.uint8), small, zeros, small))

    def streams(self) -> list[str]:
        """Every stream that has a part, sorted."""
        return sorted(self._count)

    def count(self, stream: str) -> int:
        """Readings of a stream that are numbers."""
        return self._count[stream]

    def readings(self, stream: str) -> Iterator[Readings]:
        """Every reading of a stream by instant and lineage, in pieces that part no instant."""
        far = self._far.get(stream, ())
        runs = [self._run(*far[at : at + 4]) for at in range(0, len(far), 4)]
        near = [part for part in self._near.get(stream, ()) if len(part)]
        if near:
            whole = ordered(joined(near))
            self._near[stream] = [whole]
            read = partial(_slice, whole)
            runs.append(Run(len(whole), int(whole.ts[0]), read))
        return in_time(runs, self._bounds.piece)

    def _keep(self, stream: str, part: Readings) -> None:
        if len(part):
            self._near[stream].append(part)
            self._held += len(part) + _PART
        if self._held > self._bounds.spooled:
            self._spill()

    def _spill(self) -> None:
        at = 0
        with self._path(self._files).open("wb") as file:
            for stream in sorted(self._near):
                whole = ordered(joined(self._near.pop(stream)))
                for name, kind in COLUMNS.items():
                    np.ascontiguousarray(getattr(whole, name), dtype=kind).tofile(file)
                self._far[stream].extend((self._files, at, len(whole), int(whole.ts[0])))
                at += len(whole) * _WIDTH
        self._files += 1
        self._held = 0

    def _run(self, number: int, at: int, count: int, first: int) -> Run:
        return Run(count, first, partial(_load, self._path(number), at, count))

    def _path(self, number: int) -> Path:
        return self._folder / f"spool-{number:05d}"


def _slice(whole: Readings, a: int, b: int) -> Readings:
    return whole.take(slice(a, b))


def _load(path: Path, start: int, count: int, a: int, b: int) -> Readings:
    """Places a up to b of a run of `count` readings, whose columns lie one after the other."""
    columns = []
    with path.open("rb") as file:
        for kind in map(np.dtype, COLUMNS.values()):
            file.seek(start + a * kind.itemsize)
            columns.append(np.fromfile(file, kind, b - a))
            start += count * kind.itemsize
    return Readings(*columns)
