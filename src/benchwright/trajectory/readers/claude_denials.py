"""The calls that the runs in a Claude stream say they denied.

A run says so in its last record, and results are told as they come: so the file is searched once
for these lists alone, when the first result asks.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

_CHUNK = 1 << 20
_KEY = b'"permission_denials"'
_LIST = re.compile(rb"\s{0,9}:\s{0,9}(\[)\s{0,9}(\{)?")
_LONGEST = 64
_MOST_LISTS, _MOST_READ = 100_000, 256
_NONE: frozenset[str] = frozenset()


class Denials:
    """Ids of denied calls, by the byte offset of the record that lists them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offsets: list[int] | None = None
        self._lists: list[frozenset[str]] = []

    def denied(self, native: str, offset: int) -> bool:
        """Whether the run that is still going on at `offset` denied the call `native`."""
        if self._offsets is None:
            found = list(islice(_lists(self._path), _MOST_LISTS))
            self._offsets = [start for start, _ in found]
            self._lists = [ids for _, ids in found]
        at = bisect_right(self._offsets, offset)
        return at < len(self._lists) and native in self._lists[at]


def ids_of(listed: Any) -> frozenset[str]:
    """The call ids in a list of denials."""
    if not isinstance(listed, list):
        return frozenset()
    ids = (item.get("tool_use_id") for item in listed if isinstance(item, dict))
    return frozenset(native for native in ids if isinstance(native, str))


def _lists(path: Path) -> Iterator[tuple[int, frozenset[str]]]:
    """Each list of denials in the file: where it stands, and the call ids in it."""
    read = 0
    with path.open("rb") as file, path.open("rb") as again:
        base, data = 0, b""
        while chunk := file.read(_CHUNK):
            data += chunk
            sure = len(data) - (_LONGEST if len(chunk) == _CHUNK else 0)
            at = data.find(_KEY)
            while 0 <= at < sure:
                found = _LIST.match(data, at + len(_KEY))
                if found:
                    some = found.group(2) is not None and read < _MOST_READ
                    read += some
                    yield base + at, _read(again, base + found.start(1)) if some else _NONE
                at = data.find(_KEY, at + 1)
            cut = max(0, sure)
            base, data = base + cut, data[cut:]


def _read(file: BinaryIO, start: int) -> frozenset[str]:
    """The ids of the list that starts here; a list over 1 MiB is not read."""
    for size in (_CHUNK >> 6, _CHUNK):
        file.seek(start)
        text = file.read(size).decode("utf-8", "replace")
        try:
            return ids_of(json.JSONDecoder().raw_decode(text)[0])
        except (ValueError, RecursionError):
            continue
    return _NONE
