"""Bytes to lines, streamed, with byte offsets kept.

Takes an open binary file; gives `Line`s in UTF-8. Lines end at LF only (never at U+2028 or U+0085),
a byte order mark is skipped, UTF-16 with one is decoded. Memory grows with the longest line, up to
a limit; a longer line is passed over and counted. Knows nothing of what the lines hold.
"""

from __future__ import annotations

import codecs
import math
import os
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.notes import Notes

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes; a longer line is skipped and counted."""
_CHUNK = 1 << 16


class Line(NamedTuple):
    """`start` and `end` are byte offsets in the file; `data` is UTF-8, line end included."""

    number: int
    start: int
    end: int
    data: bytes


def split_lines(
    file: BinaryIO, notes: Notes, *, name: str = "", longest: int = LONGEST_LINE
) -> Iterator[Line]:
    """The lines of a file that stands at its beginning, numbered from 1, as long as it is now.

    name: what anchors call the file, "" for the log itself. longest: limit in bytes.
    """
    wide = utf16_of(file)
    if wide:
        notes.add("utf-16", None)
        pieces = _wide_pieces(file, wide, longest)
    else:
        pieces = _byte_pieces(file, longest)
    offset, crlf, size = 2 if wide else 0, False, _size(file)
    for number, (piece, length) in enumerate(pieces, 1):
        if offset >= size:
            return
        start, offset = offset, offset + length
        if piece is None:
            notes.add("long", Anchor(number, start, offset, file=name))
            continue
        if wide:
            piece = _decoded(piece, wide, notes, Anchor(number, start, offset, file=name))
        elif number == 1 and piece.startswith(codecs.BOM_UTF8):
            notes.add("bom", None)
            piece, start = piece[3:], 3
        if not crlf and piece.endswith(b"\r\n"):
            crlf = True
            notes.add("crlf", Anchor(number, start, offset, file=name))
        yield Line(number, start, offset, piece)


def _size(file: BinaryIO) -> float:
    """Bytes of a file as it is now: one that grows faster than it is read comes to an end too."""
    try:
        return os.fstat(file.fileno()).st_size
    except OSError:  # in memory
        return math.inf


def utf16_of(file: BinaryIO) -> str | None:
    """The codec that the first two bytes of a file announce; the file then stands behind them.

    None where they announce no UTF-16; the file then stands at its beginning again.
    """
    mark = file.read(2)
    if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    file.seek(0)
    return None


def _byte_pieces(file: BinaryIO, longest: int) -> Iterator[tuple[bytes | None, int]]:
    """Each line and its length; None for a line over the limit."""
    while line := file.readline(longest + 1):
        length = len(line)
        if length <= longest:
            yield line, length
            continue
        while not line.endswith(b"\n") and (line := file.readline(_CHUNK)):
            length += len(line)
        yield None, length


def _wide_pieces(file: BinaryIO, codec: str, longest: int) -> Iterator[tuple[bytes | None, int]]:
    """The same in UTF-16: a line ends at a two-byte newline on an even offset only."""
    newline = "\n".encode(codec)
    rest, dropped = bytearray(), 0
    while chunk := file.read(_CHUNK):
        at, begin = len(rest), 0
        rest += chunk
        while (at := rest.find(newline, at)) >= 0:
            if at % 2:
                at += 1
                continue
            at += 2
            length = dropped + at - begin
            yield (bytes(rest[begin:at]) if length <= longest else None), length
            begin, dropped = at, 0
        del rest[:begin]
        if dropped + len(rest) > longest:
            dropped, rest = dropped + len(rest), bytearray()
    if dropped or rest:
        length = dropped + len(rest)
        yield (bytes(rest) if length <= longest else None), length


def _decoded(piece: bytes, codec: str, notes: Notes, anchor: Anchor) -> bytes:
    try:
        return piece.decode(codec).encode()
    except UnicodeError:
        notes.add("bytes", anchor)
        return piece.decode(codec, "replace").encode()
