"""Delivered tables that say one thing for every row, or repeat another file. A lead (C.1)."""

from __future__ import annotations

import csv
import json
import posixpath
import re
from collections.abc import Iterator
from hashlib import blake2b

from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.story import Story

_TABLE = re.compile(r"\.(?:csv|tsv|json)$", re.IGNORECASE)
_NOT_MEANT = re.compile(r"baseline|constant|sample_|example|config|template|naive", re.IGNORECASE)
_FEWEST = 5
"""Rows of a table that is looked at."""
_SHORTEST = 40
"""Bytes of a file that can be called a copy."""


def constant_output(story: Story) -> Iterator[Found]:
    """Of every table that the run wrote."""
    inputs = {
        _digest(story.files.data(path) or b""): path
        for path in story.files.left
        if _TABLE.search(path) and not _written(story, path)
    }
    for path in story.files.handed_in():
        name = posixpath.basename(path)
        if not _TABLE.search(name) or _NOT_MEANT.search(name) or not _written(story, path):
            continue
        place = story.place_of(path)
        count, value = _constant(story.files.text(path) or "", name.lower())
        if count >= _FEWEST:
            yield Found(f"{path} says {value} in each of {count} rows", (place,))
        data = story.files.data(path) or b""
        twin = inputs.get(_digest(data)) or _copied_from(story, path)
        if len(data) > _SHORTEST and twin:
            yield Found(f"{path} is a copy of {twin}", (place,))


def _written(story: Story, path: str) -> bool:
    """Whether a call wrote the file, or a program that names it ran."""
    name = posixpath.basename(path)
    if story.files.writers(path):
        return True
    written = re.compile(rf"(?:to_\w+|open|savetxt|save|write\w*|dump)\([^\n]*{re.escape(name)}")
    return any(written.search(act.typed) for act in story.calls())


def _copied_from(story: Story, path: str) -> str | None:
    """What a command copied onto the file, where nothing wrote it after."""
    for act in story.calls("shell"):
        for effect in act.effects:
            copied = effect.kind == "copy" and effect.to and effect.to.endswith(path)
            if copied and not [n for n in story.files.writers(path) if n > act.number]:
                return effect.path
    return None


def _digest(data: bytes) -> bytes:
    return blake2b(data.strip(), digest_size=16).digest()


def _constant(text: str, name: str) -> tuple[int, str]:
    """Rows, and the value that all of them have beside their first column; 0 where they differ."""
    rows = list(_rows(text, name))
    if not rows or len({row[1:] for row in rows}) > 1 or len({row[0] for row in rows}) == 1:
        return 0, ""
    return len(rows), ", ".join(rows[0][1:])[:60]


def _rows(text: str, name: str) -> Iterator[tuple[str, ...]]:
    """Rows of a table with two columns or more; entries of a JSON object or list of objects."""
    if not name.endswith(".json"):
        delimiter = "\t" if name.endswith("tsv") else ","
        listed = [r for r in csv.reader(text.splitlines(), delimiter=delimiter) if len(r) > 1]
        yield from (tuple(row) for row in listed[1:])
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield from ((str(key), json.dumps(part)) for key, part in value.items())
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict) and len(item) > 1:
                yield tuple(json.dumps(part) for part in item.values())
