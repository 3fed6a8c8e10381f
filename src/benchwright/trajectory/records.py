"""JSON lines to records, streamed, with byte offsets kept.

Takes an open binary file; gives `Record`s, the JSON objects, and counts everything else. Memory
grows with the longest record, not with the file. Knows no dialect.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, BinaryIO, NamedTuple

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.lines import LONGEST_LINE, split_lines
from benchwright.trajectory.notes import Notes

DEEPEST = 200
"""Levels of nesting; deeper JSON is counted and not read."""


class TooDeep(ValueError):
    """JSON of more levels than `DEEPEST`, or than can be parsed."""


class Record(NamedTuple):
    """One JSON object of a line, or one part of a document (`anchor.pointer` says which)."""

    value: Any
    anchor: Anchor


def read_lines(
    file: BinaryIO, notes: Notes, *, name: str = "", longest: int = LONGEST_LINE
) -> Iterator[Record]:
    """The objects of a JSON-lines file in order; everything else is counted in `notes`.

    name: what anchors call the file, "" for the log itself. longest: the limit of a line in bytes.
    """
    for number, start, end, line in split_lines(file, notes, name=name, longest=longest):
        record = _record(line, Anchor(number, start, end, file=name), notes)
        if record is not None:
            yield record


def parse(data: bytes, anchor: Anchor, notes: Notes) -> Any:
    """One JSON value; invalid text is replaced by U+FFFD and counted.

    Raises ValueError where it is none, of these `TooDeep` where it has too many levels.
    """
    try:
        return _parser()(data, cache_strings="keys")
    except ValueError:
        return _lenient(data, anchor, notes)


@cache
def _parser() -> Callable[..., Any]:
    from pydantic_core import from_json

    return from_json


def _lenient(data: bytes, anchor: Anchor, notes: Notes) -> Any:
    text = data.decode("utf-8", "replace")
    try:
        value = json.loads(text)
        if not _shallow(value):
            raise TooDeep
        clean = _is_text(value)
        kept = value if clean else _without_surrogates(value)
    except RecursionError as error:
        raise TooDeep from error
    if not clean or "\ufffd" in text:
        notes.add("bytes", anchor)
    return kept


def _shallow(value: Any) -> bool:
    """Whether nesting stays where comparing, showing and writing a value is safe."""
    level = [value]
    for _ in range(DEEPEST):
        level = [item for one in level if isinstance(one, list | dict) for item in _inner(one)]
        if not level:
            return True
    return False


def _inner(value: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _is_text(value: Any) -> bool:
    """Whether no string holds half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
    return value


def _record(line: bytes, anchor: Anchor, notes: Notes) -> Record | None:
    if not line.startswith(b"{"):
        line = line.lstrip()
        if not line.startswith(b"{"):
            if line:
                _count_other(line.rstrip(), anchor, notes)
            return None
    try:
        value = parse(line, anchor, notes)
    except TooDeep:
        notes.add("deep", anchor)
        return None
    except ValueError:
        notes.add("text" if line.endswith(b"\n") else "cut", anchor, _shown(line.rstrip()))
        return None
    return Record(value, anchor)


def _count_other(text: bytes, anchor: Anchor, notes: Notes) -> None:
    try:
        value = parse(text, anchor, notes)
    except TooDeep:
        notes.add("deep", anchor)
    except ValueError:
        notes.add("text", anchor, _shown(text))
    else:
        notes.add("scalar", anchor, f"a JSON {type(value).__name__}")


def _shown(text: bytes) -> str:
    return text[:200].decode("utf-8", "replace")
