"""One JSON document as a stream of records: each member, and each item of an array member, apart.

Takes an open binary file; gives `Record`s whose pointer says which part it is: `/info` for a
member of the top-level object, `/messages/3` for an item of an array there, `/3` for an item of a
top-level array. Byte offsets and line numbers are those of the part. Memory grows with the largest
part, not with the document. Text before the first bracket is skipped and counted. UTF-16 with a
byte order mark is decoded; its parts have no byte offsets.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO, cast

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.lines import LONGEST_LINE, utf16_of
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.records import Record, TooDeep, parse

_CHUNK = 1 << 20
_DECODER = json.JSONDecoder(parse_constant=float, strict=False)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_SPACE = re.compile(rb"[\s,:]*")
_SCALAR = re.compile(rb"[^,\]}\s]*")
_START = re.compile(
    rb'^(?:\xef\xbb\xbf)?[ \t]*+(?:\{\s*["}]|\[\s*(?:[{\[\]"]|-?\d+\s*[,\]]))', re.MULTILINE
)


class _Cut(Exception):
    """The document ends before its last bracket."""


def read_document(
    file: BinaryIO, notes: Notes, *, name: str = "", longest: int = LONGEST_LINE
) -> Iterator[Record]:
    """The parts of a document in order. A cut document gives the parts that are whole.

    name: what anchors call the file, "" for the log itself. longest: the limit of a part in bytes;
    reading ends at a longer one, which is counted.
    """
    wide = utf16_of(file)
    if wide:
        notes.add("utf-16", None)
        file = cast(BinaryIO, codecs.EncodedFile(file, "utf-8", wide, "replace"))
    scanner = _Scanner(file, notes, name, longest, offsets=not wide)
    try:
        yield from scanner.parts()
    except _Cut:
        notes.add("cut", scanner.anchor(scanner.at, scanner.at, ""))


class _Scanner:
    def __init__(
        self, file: BinaryIO, notes: Notes, name: str, longest: int, *, offsets: bool
    ) -> None:
        self._file, self._notes, self._name = file, notes, name
        self._longest, self._offsets = longest, offsets
        self._buffer = b""
        self._text: str | None = None
        self._base = 0
        """Offset in the file of the first byte of the buffer."""
        self._line, self._counted = 1, 0
        self._chunk = _CHUNK
        self.at = 0
        """Position in the buffer."""

    def parts(self) -> Iterator[Record]:
        self._to_start()
        if self._byte() == b"[":
            yield from self._items("")
            return
        self.at += 1
        while self._next() != b"}":
            key = self._key()
            if self._next() == b"[":
                yield from self._items(f"/{key}")
            else:
                yield from self._value(f"/{key}")

    def anchor(self, start: int, end: int, pointer: str) -> Anchor:
        self._line += self._buffer.count(b"\n", self._counted, start)
        self._counted = max(start, self._counted)
        span = (self._base + start, self._base + end) if self._offsets else (-1, -1)
        return Anchor(self._line, *span, pointer, self._name)

    def _items(self, below: str) -> Iterator[Record]:
        self.at += 1
        number = 0
        while self._next() != b"]":
            yield from self._value(f"{below}/{number}")
            number += 1
        self.at += 1

    def _value(self, pointer: str) -> Iterator[Record]:
        start = self._skip()
        anchor = self.anchor(start, self.at, pointer)
        data = self._buffer[start : self.at]
        try:
            yield Record(parse(data, anchor, self._notes), anchor)
        except TooDeep:
            self._notes.add("deep", anchor)
        except ValueError:
            self._notes.add("text", anchor, data[:80].decode("utf-8", "replace"))

    def _skip(self) -> int:
        """Move behind the value that starts here; returns where it starts now."""
        self._forget()
        if self._byte() in (b"{", b"["):
            return self._skip_container()
        start = self.at
        if self._byte() == b'"':
            self._match_string()
            return start
        while True:
            self.at = _SCALAR.match(self._buffer, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self._buffer) or not self._fill():
                break
        if self.at == start:
            raise _Cut
        return start

    def _skip_container(self) -> int:
        # Latin-1 gives one character for each byte: the scanner of `json` then counts bytes.
        start = self.at
        while True:
            if self._text is None:
                self._text = self._buffer.decode("latin-1")
            try:
                self.at = _DECODER.raw_decode(self._text, start)[1]
                return start
            except ValueError as error:
                if not self._fill():
                    raise _Cut from error
            except RecursionError as error:  # where it ends nobody knows
                self._notes.add("deep", self.anchor(start, start, ""))
                raise _Cut from error

    def _match_string(self) -> bytes:
        while not (found := _STRING.match(self._buffer, self.at)):
            if not self._fill():
                raise _Cut
        self.at = found.end()
        return found.group()

    def _key(self) -> str:
        self._forget()
        if self._byte() != b'"':
            raise _Cut
        start = self.at
        try:
            key = parse(self._match_string(), self.anchor(start, self.at, ""), self._notes)
        except ValueError as error:
            raise _Cut from error
        return str(key).replace("~", "~0").replace("/", "~1")

    def _next(self) -> bytes:
        """The first byte after space, commas and colons."""
        while True:
            self.at = _SPACE.match(self._buffer, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self._buffer):
                return self._byte()
            if not self._fill():
                raise _Cut

    def _byte(self) -> bytes:
        return self._buffer[self.at : self.at + 1]

    def _forget(self) -> None:
        """Drop what lies before the position, once it is much; counted for line numbers first."""
        self._chunk = _CHUNK
        if self.at < _CHUNK:
            return
        self.anchor(self.at, self.at, "")
        self._base += self.at
        self._buffer, self._text = self._buffer[self.at :], None
        self.at = self._counted = 0

    def _fill(self) -> bool:
        """Read more; ever larger pieces while one value lasts, so that cost stays linear."""
        if len(self._buffer) - self.at > self._longest:
            self._notes.add("long", self.anchor(self.at, self.at, ""))
            return False
        more = self._file.read(self._chunk)
        self._chunk *= 2
        self._buffer, self._text = self._buffer + more, None
        return bool(more)

    def _to_start(self) -> None:
        while not (found := _START.search(self._buffer)):
            if not self._fill():
                raise _Cut
        self.at = found.start() + len(found.group()) - len(found.group().lstrip())
        while self._byte() not in (b"{", b"["):
            self.at += 1
        before = self._buffer[: self.at].strip(b"\xef\xbb\xbf \t\r\n")
        if before:
            self._notes.add("text", None, before[:80].decode("utf-8", "replace"))
