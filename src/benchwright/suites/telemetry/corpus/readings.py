"""Readings of one stream: instants, values, marks and lineage, as equally long arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

ADJUSTED: Final = 1
"""Mark: a policy decided which instant a wall-clock time is."""
DROPOUT: Final = 2
"""Mark: a zero that is no measurement."""

COLUMNS: Final = {
    "ts": "<i8",
    "value": "<f8",
    "marks": "u1",
    "file": "<i4",
    "row": "<i8",
    "column": "<i4",
}
"""Fields of `Readings` in their order, as they are written to temporary files."""


@dataclass(frozen=True, slots=True)
class Readings:
    """One stream, or one file's part of it."""

    ts: NDArray[np.int64]
    """Milliseconds since 1970 in UTC."""
    value: NDArray[np.float64]
    marks: NDArray[np.uint8]
    file: NDArray[np.int32]
    """Place of the file in the corpus's sorted list of files."""
    row: NDArray[np.int64]
    """Data row of that file, from 1; empty lines are not counted."""
    column: NDArray[np.int32]
    """Column of that file, from 0."""

    def __len__(self) -> int:
        return len(self.ts)

    def take(self, where: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Readings:
        """The readings at these places; a slice copies nothing."""
        return Readings(
            self.ts[where],
            self.value[where],
            self.marks[where],
            self.file[where],
            self.row[where],
            self.column[where],
        )


def joined(parts: list[Readings]) -> Readings:
    """All readings of several parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Readings(
        np.concatenate([p.ts for p in parts]),
        np.concatenate([p.value for p in parts]),
        np.concatenate([p.marks for p in parts]),
        np.concatenate([p.file for p in parts]),
        np.concatenate([p.row for p in parts]),
        np.concatenate([p.column for p in parts]),
    )


def ordered(every: Readings) -> Readings:
    """Sorted by instant, then by lineage; most files are in order already, or in reverse."""
    steps = np.diff(every.ts)
    if (steps > 0).all():
        return every
    if (steps < 0).all():
        return every.take(slice(None, None, -1))
    return every.take(np.lexsort((every.row, every.file, every.ts)))


NO_READINGS: Final = Readings(
    np.empty(0, np.int64),
    np.empty(0, np.float64),
    np.empty(0, np.uint8),
    np.empty(0, np.int32),
    np.empty(0, np.int64),
    np.empty(0, np.int32),
)
