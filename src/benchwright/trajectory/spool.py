"""Bytes kept in a temporary file once they are many, and found again by where they stand.

Takes pieces of bytes; gives each its place, and the piece of a place. Holds at most one block of
what was written last and one of what was read last, whatever the number of pieces. Knows nothing
of what they mean. The file is gone when the spool is. `Spooled` is a list of records in one.
"""

from __future__ import annotations

import marshal
import os
import tempfile
import weakref
from abc import abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, overload

_T = TypeVar("_T")
_BLOCK = 1 << 20
_WINDOW = 1 << 16
_BEFORE = 1 << 14
"""Bytes of a window that lie before the piece that it is read for."""


class Spool:
    """Pieces one behind the other, each with its length before it."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._written = 0
        """Bytes that are in the file."""
        self._file = -1
        self._window, self._from = b"", 0

    def put(self, piece: bytes) -> int:
        """Keep a piece; returns its place."""
        kept = self._kept
        place = self._written + len(kept)
        kept += len(piece).to_bytes(8, "little")
        kept += piece
        if len(kept) >= _BLOCK:
            self._flush()
        return place

    def get(self, place: int) -> bytes:
        """The piece at `place`; cheap where it stands near the one that was read before."""
        if place >= self._written:
            start = place - self._written + 8
            return bytes(self._kept[start : start + _length(self._kept, start - 8)])
        start = place - self._from
        if not 0 <= start <= len(self._window) - 8:
            start = self._look(place, 8)
        size = _length(self._window, start)
        if start + 8 + size > len(self._window):
            start = self._look(place, 8 + size)
        return self._window[start + 8 : start + 8 + size]

    def _look(self, place: int, least: int) -> int:
        """Read the window around a place, so much behind it at least; where it is in there."""
        first = max(0, place - _BEFORE)
        size = min(max(place - first + least, _WINDOW), self._written - first)
        data = os.pread(self._file, size, first)
        while len(data) < size:
            data += os.pread(self._file, size - len(data), first + len(data))
        self._window, self._from = data, first
        return place - first

    def _flush(self) -> None:
        if self._file < 0:
            file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 -- lives as long as this
            self._file = file.fileno()
            weakref.finalize(self, file.close)
        rest = memoryview(self._kept)
        while rest:
            done = os.write(self._file, rest)
            self._written += done
            rest = rest[done:]
        self._kept = bytearray()


def _length(data: bytes | bytearray, start: int) -> int:
    return int.from_bytes(data[start : start + 8], "little")


class Spooled(Sequence[_T]):
    """A list of records, each made anew when it is asked for; 8 bytes of memory each."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._places = array("Q")

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[_T]:
        return (self._made(number) for number in range(len(self)))

    @overload
    def __getitem__(self, number: int) -> _T: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[_T]: ...
    def __getitem__(self, number: int | slice) -> _T | Sequence[_T]:
        """One record, or a list of some."""
        found = range(len(self))[number]
        return self._made(found) if isinstance(found, int) else [self._made(n) for n in found]

    @abstractmethod
    def _made(self, number: int) -> _T:
        """The record of a number that there is, from 0."""

    def _put(self, fields: tuple[Any, ...]) -> int:
        """Keep text, numbers, None and tuples of them; returns their place."""
        return self._spool.put(marshal.dumps(fields))

    def _get(self, place: int) -> Any:
        return marshal.loads(self._spool.get(place))
