"""Opening a log: which file, which dialect, and its events in one pass.

log = open_log(path)
for event in log: ...
log.notes          # complete once the events are
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from benchwright.errors import FormatError
from benchwright.trajectory.dialect import Dialect, unknown, vote
from benchwright.trajectory.documents import read_document
from benchwright.trajectory.events import Event
from benchwright.trajectory.lines import utf16_of
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers import DIALECTS
from benchwright.trajectory.records import Record, read_lines

_HEAD = 1 << 18
_LOOK = 64
_LOOK_BYTES = 1 << 22
"""Where lines are looked for first: a large document is not read to its end to find none."""
_BRACKET = re.compile(rb"^[\xef\xbb\xbf \t]*(?:\{|(\[\s*\{))", re.MULTILINE)


@dataclass(slots=True)
class Log:
    """A log and its dialect. Each iteration reads the file anew and fills `notes` anew."""

    path: Path
    dialect: Dialect
    whole: bool
    """Whether the file is one JSON document rather than lines."""
    notes: Notes = field(default_factory=Notes)

    def __iter__(self) -> Iterator[Event]:
        self.notes = Notes()
        reader = self.dialect.reader(self.path, self.notes)
        if self.dialect.shape == "archive":
            yield from reader.end()
            return
        with self.path.open("rb") as file:
            read = read_document if self.whole else read_lines
            for record in read(file, self.notes):
                yield from reader.feed(record)
        yield from reader.end()


def open_log(path: Path, dialect: str | None = None) -> Log:
    """The log at `path`; raises FormatError where it is unreadable, empty or of no known kind.

    dialect: a name of `DIALECTS`, to skip detection.
    """
    known = {d.name: d for d in DIALECTS}
    if dialect is not None and dialect not in known:
        raise FormatError(
            "unknown dialect", value=dialect, where=path, hint=f"Known: {', '.join(known)}."
        )
    try:
        _must_be_a_file(path)
        with path.open("rb") as file:
            archive = zipfile.is_zipfile(file)
            head = _head(file)
    except OSError as error:
        raise FormatError(
            "log cannot be read", value=error.strerror, where=path, hint="Give a readable file."
        ) from error
    if dialect is not None:
        chosen = known[dialect]
        return Log(path, chosen, chosen.shape == "document" or _is_array(head))
    return _detect(path, head, archive)


def _must_be_a_file(path: Path) -> None:
    """A log is read more than once: what can be read once only, or never ends, is refused."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise FormatError(
            "log is no regular file",
            value=str(path),
            where="the log",
            hint="A log is read more than once: write what comes from there to a file first.",
        )


def _head(file: BinaryIO) -> bytes:
    file.seek(0)
    wide = utf16_of(file)
    head = file.read(_HEAD)
    return head.decode(wide, "replace").encode() if wide else head


def _detect(path: Path, head: bytes, archive: bool) -> Log:
    if not head.strip():
        raise unknown("an empty file", path)
    if archive:
        return Log(path, _archive(path), False)
    if _is_array(head):
        items = [r for r in islice(_parts(path), _LOOK) if isinstance(r.value, dict)]
        return Log(path, vote(items, _of("lines"), path), True)
    lines = _first_lines(path, _LOOK_BYTES)
    spread = not lines or lines[0].anchor.line != _first_brace(head)
    members = _members(path) if spread or len(lines) == 1 else {}
    for candidate in _of("document"):
        if members and candidate.looks(members):
            return Log(path, candidate, True)
    lines = lines or _first_lines(path, -1)
    if not lines and members:
        raise unknown(f"a document with members {', '.join(list(members)[:8])}", path)
    return Log(path, vote(lines, _of("lines"), path), False)


def _archive(path: Path) -> Dialect:
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name: None for name in archive.namelist()[:1000]}
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise unknown(f"a damaged zip: {error}", path) from error
    for candidate in _of("archive"):
        if candidate.looks(names):
            return candidate
    raise unknown(f"a zip with {', '.join(list(names)[:6]) or 'no members'}", path)


def _of(shape: str) -> list[Dialect]:
    return [d for d in DIALECTS if d.shape == shape]


def _is_array(head: bytes) -> bool:
    """Whether the first bracket at the start of a line opens an array of objects."""
    found = _BRACKET.search(head)
    return found is not None and found.group(1) is not None


def _first_brace(head: bytes) -> int:
    """Number of the first line that starts with a brace; 0 where none does."""
    found = _BRACKET.search(head)
    return head.count(b"\n", 0, found.start()) + 1 if found else 0


def _first_lines(path: Path, limit: int) -> list[Record]:
    """The first records among the first `limit` bytes; -1: of the whole file."""
    with path.open("rb") as file:
        head = file if limit < 0 else io.BytesIO(file.read(limit))
        return list(islice(read_lines(head, Notes()), _LOOK))


def _parts(path: Path) -> Iterator[Record]:
    with path.open("rb") as file:
        yield from read_document(file, Notes())


def _members(path: Path) -> dict[str, Any]:
    """Top-level members of a document; of an array its first item."""
    found: dict[str, Any] = {}
    for record in islice(_parts(path), 4 * _LOOK):
        key = record.anchor.pointer.split("/")[1]
        found.setdefault(key, record.value)
    return found
