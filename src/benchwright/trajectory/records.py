"""Bytes to records: JSON lines and JSON documents, streamed, with byte offsets kept.

Takes an open binary file; gives `Record`s. Lines are split at LF only (never at U+2028 or U+0085),
a CR before it is dropped, a byte order mark skipped, UTF-16 decoded. Memory grows with the longest
record, not with the file. Knows no dialect. facts: log_formats, general reading rules.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.notes import Notes

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes; a longer line is skipped and counted."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a line, or one part of a document (`anchor.pointer` says which)."""

    value: Any
    anchor: Anchor


def read_lines(file: BinaryIO, notes: Notes, *, name: str = "") -> Iterator[Record]:
    """The objects of a JSON-lines file in order; everything else is counted in `notes`.

    name: what anchors call the file, "" for the log itself.
    """
    lines = _utf16_lines(file, notes) if _is_utf16(file) else _byte_lines(file, notes)
    for number, start, end, line in lines:
        record = _record(line, Anchor(number, start, end, file=name), notes)
        if record is not None:
            yield record


def parse(data: bytes, anchor: Anchor, notes: Notes) -> Any:
    """One JSON value; raises ValueError. Invalid text is replaced by U+FFFD and counted."""
    from pydantic_core import from_json

    try:
        return from_json(data, cache_strings="keys")
    except ValueError:
        return _lenient(data, anchor, notes)


def _lenient(data: bytes, anchor: Anchor, notes: Notes) -> Any:
    text = data.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    try:
        json.dumps(value, ensure_ascii=False).encode()
        clean = True
    except (UnicodeEncodeError, RecursionError):
        clean = False
    if not clean or "\ufffd" in text:
        notes.add("bytes", anchor)
    return value if clean else _without_surrogates(value)


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
    return value


def _record(line: bytes, anchor: Anchor, notes: Notes) -> Record | None:
    text = line.strip()
    if not text:
        return None
    if not text.startswith(b"{"):
        _count_other(text, anchor, notes)
        return None
    try:
        value = parse(text, anchor, notes)
    except ValueError:
        notes.add("text" if line.endswith(b"\n") else "cut", anchor, _shown(text))
        return None
    return Record(value, anchor)


def _count_other(text: bytes, anchor: Anchor, notes: Notes) -> None:
    try:
        value = parse(text, anchor, notes)
    except ValueError:
        notes.add("text", anchor, _shown(text))
    else:
        notes.add("scalar", anchor, f"a JSON {type(value).__name__}")


def _shown(text: bytes) -> str:
    return text[:200].decode("utf-8", "replace")


def _byte_lines(file: BinaryIO, notes: Notes) -> Iterator[tuple[int, int, int, bytes]]:
    offset, number, crlf = 0, 0, False
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        start, offset = offset, offset + len(line)
        if len(line) > LONGEST_LINE:
            offset += _skip_line(file)
            notes.add("long", Anchor(number, start, offset))
            continue
        if number == 1 and line.startswith(codecs.BOM_UTF8):
            notes.add("bom", None)
            line = line[3:]
        if not crlf and line.endswith(b"\r\n"):
            crlf = True
            notes.add("crlf", Anchor(number, start, offset))
        yield number, start, offset, line


def _skip_line(file: BinaryIO) -> int:
    skipped = 0
    while part := file.readline(LONGEST_LINE):
        skipped += len(part)
        if part.endswith(b"\n"):
            break
    return skipped


def _is_utf16(file: BinaryIO) -> bool:
    mark = file.read(2)
    file.seek(0)
    return mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _utf16_lines(file: BinaryIO, notes: Notes) -> Iterator[tuple[int, int, int, bytes]]:
    encoding = "utf-16-le" if file.read(2) == codecs.BOM_UTF16_LE else "utf-16-be"
    notes.add("utf-16", None)
    newline = "\n".encode(encoding)
    offset, number = 2, 0
    for raw in _split_units(file, newline):
        number += 1
        start, offset = offset, offset + len(raw)
        text = raw.decode(encoding, "replace")
        if "\ufffd" in text:
            notes.add("bytes", Anchor(number, start, offset))
        yield number, start, offset, text.encode("utf-8", "replace")


def _split_units(file: BinaryIO, newline: bytes) -> Iterator[bytes]:
    """Split at two-byte newlines on even offsets only."""
    rest = b""
    while chunk := file.read(1 << 16):
        rest += chunk
        begin, at = 0, rest.find(newline)
        while at >= 0:
            if at % 2 == 0:
                yield rest[begin : at + 2]
                begin = at + 2
            at = rest.find(newline, at + 1)
        rest = rest[begin:]
        if len(rest) > LONGEST_LINE:
            rest = b""
    if rest:
        yield rest
