"""Real logs made long: the same records again and again, with ids and dates of their own.

Nothing of them stays in the project: they are written to a temporary folder and removed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

SIZE: Final = 200_000_000
"""Bytes of a long log."""

_DATE = re.compile(rb"\b20\d\d-[01]\d-[0-3]\d(?=T)")
_ID = re.compile(
    rb"\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b"
    rb"|\b((?:toolu|call|msg|req|prt|ses|item|sevt|run_shell_command|write_file|read_file)_)"
    rb"(?!id\b)"
)
_EPOCH = re.compile(rb'("timestamp":1[67])(\d)(?=\d{10}\b)')


def lines_of(files: Sequence[Path]) -> list[bytes]:
    """The whole lines of some logs; a cut last line is left out."""
    parts = [file.read_bytes().split(b"\n") for file in files]
    return [line + b"\n" for part in parts for line in part[:-1] if line.strip()]


def copies(chunk: bytes, size: int = SIZE) -> Iterator[bytes]:
    """`chunk` again and again until `size` is reached: new ids, and a later day for each."""
    written = number = 0
    while written < size:
        copy = _copy(chunk, number)
        written += len(copy)
        number += 1
        yield copy


def _copy(chunk: bytes, number: int) -> bytes:
    mark = b"%x" % number

    def other(found: re.Match[bytes]) -> bytes:
        if found.group(1):
            return b"%08x" % ((int(found.group(1), 16) + number) % (1 << 32)) + found.group(2)
        return found.group(3) + b"n" + mark + b"n"

    dated = chunk
    for day in set(_DATE.findall(chunk)):
        later = date.fromisoformat(day.decode()) + timedelta(days=number % 9000)
        dated = dated.replace(day, later.isoformat().encode())
    return _EPOCH.sub(rb"\g<1>\g<2>", _ID.sub(other, dated))


def long_lines(files: Sequence[Path], out: Path, keep: Callable[[bytes], bool]) -> None:
    """A long JSON-lines log; lines that `keep` turns down stand once, at the start."""
    lines = lines_of(files)
    with out.open("wb") as file:
        file.writelines(line for line in lines if not keep(line))
        chunk = b"".join(line for line in lines if keep(line))
        for copy in copies(chunk):
            file.write(copy)


def long_document(source: Path, array: str, out: Path) -> None:
    """A long JSON document: the items of its member `array` again and again."""
    value: dict[str, Any] = json.loads(source.read_bytes())
    items = value.pop(array)
    chunk = b",\n".join(json.dumps(item, ensure_ascii=False).encode() for item in items)
    head = json.dumps(value, ensure_ascii=False).encode()
    with out.open("wb") as file:
        file.write(head[:-1] + b', "%s": [\n' % array.encode())
        for number, copy in enumerate(copies(chunk)):
            file.write((b",\n" if number else b"") + copy)
        file.write(b"]}\n")
