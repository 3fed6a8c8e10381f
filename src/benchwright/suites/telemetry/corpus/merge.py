"""All parts of a stream as one, in order of time, whatever order files and rows came in.

Equal readings of one instant count once: a doubled file adds nothing. Different readings of one
instant stop the build with both places, because no rule could know which is right; where the corpus
says so, none of them counts instead.
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
    conflicts: int
    """Instants with different readings, none of which counts."""
    missing: int
    """Instants after the first reading at which a cell held no number."""
    early: int
    """The same before the first reading, where the stream had not begun."""
    infinite: int


@dataclass(frozen=True, slots=True)
class Merging:
    """Rules of one stream."""

    zero: str
    """Of its class."""
    conflicts: str
    """Of the corpus."""
    files: tuple[str, ...]
    """Names by number, for errors."""


def merged(
    stream: str,
    parts: list[Readings],
    missing: list[NDArray[np.int64]],
    infinite: int,
    rules: Merging,
) -> Stream:
    """One stream from its parts.

    Raises:
        SpecError: two different readings of one instant, where the corpus does not drop them.
    """
    every = _in_order(joined(parts))
    first = np.ones(len(every), dtype=bool)
    first[1:] = every.ts[1:] != every.ts[:-1]
    wrong = _conflicts(every, first)
    if wrong.size and rules.conflicts == "refuse":
        raise _conflict(stream, every, int(wrong[0]), rules.files)
    kept = every if first.all() else _each_once(every, first)
    dropped = sorted(set(every.ts[wrong].tolist()))
    if dropped:
        kept = kept.take(~np.isin(kept.ts, dropped))
    if rules.zero == "dropout":
        kept = _zeros_marked(kept)
    absent = _absent(missing, kept.ts)
    late = int((absent > kept.ts[0]).sum()) if len(kept) else 0
    return Stream(
        id=stream,
        readings=kept,
        decimals=places(kept.value),
        repeats=int((~first).sum()),
        conflicts=len(dropped),
        missing=late,
        early=len(absent) - late,
        infinite=infinite,
    )


def _in_order(every: Readings) -> Readings:
    """Sorted by instant, then by lineage; most files are in order already, or in reverse."""
    steps = np.diff(every.ts)
    if (steps > 0).all():
        return every
    if (steps < 0).all():
        return every.take(slice(None, None, -1))
    return every.take(np.lexsort((every.row, every.file, every.ts)))


def _each_once(every: Readings, first: NDArray[np.bool_]) -> Readings:
    """The first of equal readings, with the marks of all of them."""
    marks = np.bitwise_or.reduceat(every.marks, np.flatnonzero(first))
    return replace(every.take(first), marks=marks.astype(np.uint8))


def _absent(missing: list[NDArray[np.int64]], there: NDArray[np.int64]) -> NDArray[np.int64]:
    """Instants of cells without a number at which no other file has one, each once."""
    cells = np.sort(np.concatenate([np.empty(0, np.int64), *missing]))
    once: NDArray[np.int64] = cells[np.append(True, cells[1:] != cells[:-1])[: len(cells)]]
    if not len(there):
        return once
    at = np.searchsorted(there, once)
    found = (at < len(there)) & (there[np.minimum(at, len(there) - 1)] == once)
    absent: NDArray[np.int64] = once[~found]
    return absent


def _conflicts(every: Readings, first: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Places of readings that differ from the next one of the same instant."""
    return np.flatnonzero(~first[1:] & (every.value[1:] != every.value[:-1]))


def _conflict(stream: str, every: Readings, at: int, files: tuple[str, ...]) -> SpecError:
    spots = [_spot(every, place, files) for place in (at, at + 1)]
    return SpecError(
        "two readings of one stream and instant differ",
        value=f"{stream} at {np.datetime64(int(every.ts[at]), 'ms')}Z",
        where=" and ".join(spots),
        hint='Give them different stream ids, correct one, or declare conflicts = "drop".',
    )


def _zeros_marked(kept: Readings) -> Readings:
    """Zeros after the first other value are drop-outs."""
    begun = np.maximum.accumulate(kept.value != 0) if len(kept) else np.empty(0, dtype=bool)
    down = begun & (kept.value == 0)
    return replace(kept, marks=(kept.marks | np.where(down, DROPOUT, 0)).astype(np.uint8))


def _spot(every: Readings, at: int, files: tuple[str, ...]) -> str:
    cell = f"{files[every.file[at]]} row {every.row[at]} column {every.column[at]}"
    return f"{float(every.value[at])!r} in {cell}"
