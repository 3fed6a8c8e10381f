"""Every way to put a value of another kind where a file of ours holds one, or to leave it out.

Takes plain data; gives changed copies with the place that was changed. Of a long list or table only
the first two and the last entries are visited, because the others have their shape.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DROP = object()
"""Stands for leaving the key out."""

VALUES: tuple[Any, ...] = (
    DROP, None, True, False, 0, 7, -1, 2.5, 1e300, 2**70, "", "text", "../..", "a\0b", "\u2028",
    [], [7], ["text"], ["text", "text"], [[]], {}, {"a": 1}, {"text": "text"},
)  # fmt: skip

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Mutation:
    """One changed copy of a file's content."""

    path: Path
    value: Any
    changed: Any

    def __str__(self) -> str:
        said = "dropped" if self.value is DROP else repr(self.value)
        return f"{'.'.join(map(str, self.path))} = {said}"


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place below the top, outer ones first."""
    for key in _visited(value):
        yield (*path, key)
        yield from places(value[key], (*path, key))


def mutations(value: Any, path: Path) -> Iterator[Mutation]:
    """Every other value at one place."""
    for new in VALUES:
        if new is DROP or not _same(new, _at(value, path)):
            yield Mutation(path, new, _changed(value, path, new))


def _same(new: Any, old: Any) -> bool:
    return type(new) is type(old) and bool(new == old)


def _visited(value: Any) -> list[str | int]:
    if isinstance(value, dict):
        keys: list[str | int] = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    else:
        return []
    return keys if len(keys) <= 12 and isinstance(value, dict) else [*keys[:2], *keys[2:][-1:]]


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _changed(value: Any, path: Path, new: Any) -> Any:
    found = copy.deepcopy(value)
    parent = _at(found, path[:-1])
    if new is DROP:
        del parent[path[-1]]
    else:
        parent[path[-1]] = copy.deepcopy(new)
    return found
