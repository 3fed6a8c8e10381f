"""All parts of a stream as one, in order of time, whatever order files and rows came in.

Equal readings of one instant count once: a doubled file adds nothing. Different readings of one
instant stop the build with both places, because no rule could know which is right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.decimals import places
from benchwright.suites.telemetry.corpus.readings import DROPOUT, Readings, joined


@dataclass(frozen=True, slots=True)
class Stream:
    """A whole stream and what was found on the way."""

    id: str
    readings: Readings
    """Strictly ascending instants."""
    decimals: int | None
    """Places that every value has as a decimal; None where one has more than the rule counts."""
    repeats: int
    """Readings that were there again, in the same or another file."""
    missing: int
    """Instants after the first reading at which a cell held no number."""
    early: int
    """The same before the first reading, where the stream had not begun."""
    infinite: int


def merged(
    stream: str,
    parts: list[Readings],
    missing: list[NDArray[np.int64]],
    infinite: int,
    zero: str,
    files: tuple[str, ...],
) -> Stream:
    """One stream from its parts; `zero` is the rule of its class.

    Raises:
        SpecError: two different readings of one instant.
    """
    every = joined(parts)
    every = every.take(np.lexsort((every.row, every.file, every.ts)))
    first = np.ones(len(every), dtype=bool)
    first[1:] = every.ts[1:] != every.ts[:-1]
    _refuse_conflicts(stream, every, first, files)
    marks = (
        np.bitwise_or.reduceat(every.marks, np.flatnonzero(first)) if len(every) else every.marks
    )
    kept = replace(every.take(first), marks=marks.astype(np.uint8))
    if zero == "dropout":
        kept = _zeros_marked(kept)
    absent = np.setdiff1d(np.concatenate(missing), kept.ts) if missing else np.empty(0, np.int64)
    late = int((absent > kept.ts[0]).sum()) if len(kept) else 0
    return Stream(
        id=stream,
        readings=kept,
        decimals=places(kept.value),
        repeats=len(every) - len(kept),
        missing=late,
        early=len(absent) - late,
        infinite=infinite,
    )


def _refuse_conflicts(
    stream: str, every: Readings, first: NDArray[np.bool_], files: tuple[str, ...]
) -> None:
    wrong = np.flatnonzero(~first[1:] & (every.value[1:] != every.value[:-1]))
    if wrong.size:
        at = int(wrong[0])
        spots = [_spot(every, place, files) for place in (at, at + 1)]
        raise SpecError(
            "two readings of one stream and instant differ",
            value=f"{stream} at {np.datetime64(int(every.ts[at]), 'ms')}Z",
            where=" and ".join(spots),
            hint="Give the two different stream ids, or correct one of them.",
        )


def _zeros_marked(kept: Readings) -> Readings:
    """Zeros after the first other value are drop-outs."""
    begun = np.maximum.accumulate(kept.value != 0) if len(kept) else np.empty(0, dtype=bool)
    down = begun & (kept.value == 0)
    return replace(kept, marks=(kept.marks | np.where(down, DROPOUT, 0)).astype(np.uint8))


def _spot(every: Readings, at: int, files: tuple[str, ...]) -> str:
    cell = f"{files[every.file[at]]} row {every.row[at]} column {every.column[at]}"
    return f"{float(every.value[at])!r} in {cell}"
