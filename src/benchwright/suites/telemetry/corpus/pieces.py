"""A stream in pieces: readings in order of time that are in memory only as long as they are few.

Takes parts as they come; gives them again, any number of times, in pieces of a bounded size. Beyond
that size they lie in a temporary folder, a file per column, which is gone when the pieces are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.corpus.readings import COLUMNS, Readings, joined


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many readings are in memory; no result depends on it."""

    spooled: int = 1_000_000
    """While files are read: 33 MB, and as much again where they are sorted and written."""
    piece: int = 1 << 16
    """Of one stream: 2 MB for its columns."""


BOUNDS: Final = Bounds()


class Pieces:
    """Readings in the order in which they were appended; temporary files lie below `folder`."""

    def __init__(self, folder: Path, size: int) -> None:
        self._folder, self.size = folder, size
        self._near: list[Readings] = []
        self._held = self._far = 0
        self._place: Path | None = None

    def append(self, part: Readings) -> None:
        """Some more readings, after all that are there."""
        self._near.append(part)
        self._held += len(part)
        if self._held > self.size:
            self._spill()

    def __len__(self) -> int:
        return self._far + self._held

    def __iter__(self) -> Iterator[Readings]:
        """Pieces of at most the given size; one for a small stream, none for an empty one."""
        for at in range(0, self._far, self.size):
            yield Readings(*(self._read(name, at) for name in COLUMNS))
        if self._held:
            self._near = [joined(self._near)]
            yield self._near[0]

    def column(self, name: str) -> Iterator[NDArray[Any]]:
        """One column, in the same pieces."""
        for at in range(0, self._far, self.size):
            yield self._read(name, at)
        for part in self._near:
            yield getattr(part, name)

    def _read(self, name: str, at: int) -> NDArray[Any]:
        kind = np.dtype(COLUMNS[name])
        count = min(self.size, self._far - at)
        return np.fromfile(self._file(name), kind, count, offset=at * kind.itemsize)

    def _spill(self) -> None:
        whole = joined(self._near)
        for name, kind in COLUMNS.items():
            with self._file(name).open("ab") as file:
                np.ascontiguousarray(getattr(whole, name), dtype=kind).tofile(file)
        self._far += len(whole)
        self._near, self._held = [], 0

    def _file(self, name: str) -> Path:
        if self._place is None:
            self._place = Path(mkdtemp(prefix="stream-", dir=self._folder))
            finalize(self, rmtree, self._place, ignore_errors=True)
        return self._place / name
