"""All readings of a stream as one, whatever order files and rows came in.

Takes readings in order of time, in pieces that part no instant; gives the stream, in pieces again.
Equal readings of one instant count once: a doubled file adds nothing. Different readings of one
instant stop the build with both places, because no rule could know which is right; where the corpus
says so, none of them counts instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.decimals import Places
from benchwright.suites.telemetry.corpus.pieces import Pieces
from benchwright.suites.telemetry.corpus.readings import DROPOUT, NO_READINGS, Readings, joined

CALENDAR: Final = (5 * 86_400_000, 4_070_822_400_000)
"""From 1970-01-06 up to 2098-12-31, in ms: weeks, days and months around are named in any zone."""
KNOWN: Final = 10_000
"""Instants of conflicts that are kept of a stream."""
LARGEST: Final = 1e300
"""Sums of a hundred million such readings are doubles yet."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A whole stream and what was found on the way."""

    id: str
    pieces: Pieces
    """Strictly ascending instants."""
    decimals: int | None
    """Places that every value has as a decimal; None where one has more than the rule counts."""
    repeats: int
    """Readings that were there again, in the same or another file."""
    conflicts: int
    """Instants with different readings, none of which counts."""
    dropped: tuple[int, ...]
    """The first of these instants, `KNOWN` at most."""
    missing: int
    """Instants after the first reading at which a cell held no number."""
    early: int
    """The same before the first reading, where the stream had not begun."""
    infinite: int

    @property
    def readings(self) -> Readings:
        """All of them in memory: for streams that are known to be short."""
        return joined(list(self.pieces)) if len(self.pieces) else NO_READINGS


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
    stream: str, parts: Iterable[Readings], infinite: int, rules: Merging, pieces: Pieces
) -> Stream:
    """One stream from its readings in order of time, put into `pieces`, which are empty.

    A reading that is NaN stands for a cell without a number.

    Raises:
        SpecError: two different readings of one instant, where the corpus does not drop them, or
            drops all; a reading that no calendar holds, or that no sum can hold.
    """
    merging = _Merge(stream, rules)
    for part in parts:
        pieces.append(merging.take(part))
    if not len(pieces) and merging.conflicts:
        raise SpecError(
            "no reading of a stream is left, each instant has different ones",
            value=stream,
            where="conflicts",
            hint="Give them different stream ids, or leave its column out by ignore.",
        )
    return Stream(
        id=stream,
        pieces=pieces,
        decimals=merging.decimals.places,
        repeats=merging.repeats,
        conflicts=merging.conflicts,
        dropped=tuple(merging.dropped),
        missing=merging.missing,
        early=merging.early,
        infinite=infinite,
    )


class _Merge:
    """What is known of a stream after some of its pieces."""

    def __init__(self, stream: str, rules: Merging) -> None:
        self._stream, self._rules = stream, rules
        self._begun = False
        self._first: int | None = None
        self.decimals = Places()
        self.dropped: list[int] = []
        self.repeats = self.conflicts = self.missing = self.early = 0

    def take(self, part: Readings) -> Readings:
        """The readings of a piece that count."""
        cells = np.isnan(part.value)
        every = part.take(~cells) if cells.any() else part
        kept = self._each_instant(every)
        self._refuse_unusable(kept)
        if self._rules.zero == "dropout":
            kept = self._zeros_marked(kept)
        if self._first is None and len(kept):
            self._first = int(kept.ts[0])
        self._count_missing(part.ts[cells], kept.ts)
        self.decimals.add(kept.value)
        return kept

    def _each_instant(self, every: Readings) -> Readings:
        first = np.ones(len(every), dtype=bool)
        first[1:] = every.ts[1:] != every.ts[:-1]
        if first.all():
            return every
        wrong = _conflicts(every, first)
        if wrong.size and self._rules.conflicts == "refuse":
            raise _conflict(self._stream, every, int(wrong[0]), self._rules.files)
        kept = _each_once(every, first)
        dropped = np.unique(every.ts[wrong])
        self.repeats += int((~first).sum())
        self.conflicts += len(dropped)
        self.dropped += dropped[: KNOWN - len(self.dropped)].tolist()
        return kept.take(~np.isin(kept.ts, dropped)) if dropped.size else kept

    def _refuse_unusable(self, kept: Readings) -> None:
        early, late = CALENDAR
        odd = (kept.ts < early) | (kept.ts >= late) | (np.abs(kept.value) > LARGEST)
        if odd.any():
            raise _unusable(self._stream, kept, int(np.argmax(odd)), self._rules.files)

    def _zeros_marked(self, kept: Readings) -> Readings:
        """Zeros after the first other value are drop-outs."""
        begun = np.maximum.accumulate(np.append(self._begun, kept.value != 0))
        self._begun = bool(begun[-1])
        down = begun[1:] & (kept.value == 0)
        return replace(kept, marks=(kept.marks | np.where(down, DROPOUT, 0)).astype(np.uint8))

    def _count_missing(self, cells: NDArray[np.int64], there: NDArray[np.int64]) -> None:
        """Instants of cells without a number at which no other file has one, each once."""
        if not cells.size:
            return
        absent = np.setdiff1d(cells, there)
        late = 0 if self._first is None else int((absent > self._first).sum())
        self.missing += late
        self.early += len(absent) - late


def _each_once(every: Readings, first: NDArray[np.bool_]) -> Readings:
    """The first of equal readings, with the marks of all of them."""
    marks = np.bitwise_or.reduceat(every.marks, np.flatnonzero(first))
    return replace(every.take(first), marks=marks.astype(np.uint8))


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


def _unusable(stream: str, kept: Readings, at: int, files: tuple[str, ...]) -> SpecError:
    large = abs(float(kept.value[at])) > LARGEST
    known = "they hold 1970-01-06 to 2098-12-30"
    return SpecError(
        f"reading is beyond {LARGEST:g}" if large else "time of a reading is out of all calendars",
        value=f"{stream} at {np.datetime64(int(kept.ts[at]), 'ms')}Z",
        where=_spot(kept, at, files),
        hint="Declare its text as missing, or correct the file."
        if large
        else f"Look at form and zone of the time rule; {known}.",
    )


def _spot(every: Readings, at: int, files: tuple[str, ...]) -> str:
    cell = f"{files[every.file[at]]} row {every.row[at]} column {every.column[at]}"
    return f"{float(every.value[at])!r} in {cell}"
