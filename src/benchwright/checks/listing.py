"""What a task set may hold: everything in its public half has a place that some digest covers.

    taskset.toml
    tasks/<task-id>/task.toml, instruction.md, files/...
    held/<task-id>/gold.json ...
    store/store.toml, store.duckdb, observations/part-*.parquet where the marks name a store
    held/shared/digests.toml, build.toml, and what digests.toml names

A file, a folder, a key or a comment beside these is covered by none, and could say anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchwright.storage import read_text, read_toml
from benchwright.tasks.taskset import HeldSet, TaskSet

_TOP = ("taskset.toml", "tasks", "held")
_STORE = re.compile(r"store/(store\.(toml|duckdb)|observations(/part-\d{5}\.parquet)?)")
_TASK = ("task.toml", "instruction.md", "files")
_KEYS = ("format", "suite", "digest", "marks", "spec", "tasks")
_RECORDS = ("digests.toml", "build.toml")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')

Odd = Iterator[tuple[str, str]]
"""Place in the set, and what is wrong there."""


def strangers(tasks: TaskSet, held: HeldSet) -> Odd:
    """Everything in both halves that has no place in a set."""
    root = tasks.path
    yield from _beside(root, root, (*_TOP, *(("store",) if "store" in tasks.marks else ())))
    yield from _store(root)
    yield from _beside(root, root / "tasks", tasks.task_digests)
    yield from _beside(root, root / "held", ("shared", *tasks.task_digests))
    yield from _beside(root, root / "held" / "shared", (*_RECORDS, *held.digests.shared))
    yield from _taskset_file(root / "taskset.toml")
    for task_id in sorted(tasks.task_digests):
        folder = root / "tasks" / task_id
        yield from _beside(root, folder, _TASK)
        yield from _task_file(folder / "task.toml", task_id)
        yield from _files(root, folder / "files")


def _store(root: Path) -> Odd:
    """Files of the store; the digest of what it says stands in the marks of the set."""
    for path in sorted((root / "store").rglob("*")):
        if _STORE.fullmatch(_place(root, path)) is None:
            yield _place(root, path), "belongs to no store"


def _beside(root: Path, folder: Path, known: Iterable[str]) -> Odd:
    places = {*known}
    for path in sorted(folder.iterdir()):
        if path.name not in places:
            yield _place(root, path), "belongs to no part of a set"


def _files(root: Path, folder: Path) -> Odd:
    """Files of a task: their digest names regular files only."""
    for path in sorted((folder, *folder.rglob("*"))) if folder.exists() else ():
        if path.is_symlink():
            yield _place(root, path), "public file is a link"
        elif path.is_dir():
            if not any(path.iterdir()) and path != folder:
                yield _place(root, path), "folder is empty, and its name is in no digest"
        elif not path.is_file():
            yield _place(root, path), "is no regular file"


def _taskset_file(file: Path) -> Odd:
    for key in sorted(read_toml(file).keys() - {*_KEYS}):
        yield file.name, f"key is in no digest: {key}"
    yield from _comment(file, file.name)


def _task_file(file: Path, task_id: str) -> Odd:
    where = f"tasks/{task_id}/{file.name}"
    named = read_toml(file).get("id")
    if named != task_id:
        yield where, f"names another task: {named}"
    yield from _comment(file, where)


def _comment(file: Path, where: str) -> Odd:
    """Files are written with strings in double quotes, so a # outside of these is a comment."""
    if "#" in _STRING.sub("", read_text(file)):
        yield where, "holds a comment, which is in no digest"


def _place(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()
