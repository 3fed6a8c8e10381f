"""Rebuild: made again from spec and held seeds, the set has the same tasks, golds and digests.

Ids, golds, tables and manifests must be the same bytes. A series may differ by one step of float32
in a number, because processors round differently; then the digests that name it differ too, and
nothing else. The finding says which it was.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.checks.steps import steps_apart
from benchwright.errors import BenchwrightError
from benchwright.tasks.taskset import HeldSet, TaskSet

NAME = "rebuild"
_HINT = "The set was changed after its build, or the build depends on more than its seeds."


def check_rebuild(subject: Subject) -> Found:
    """Build into a temporary folder and compare identities, golds and series."""
    with tempfile.TemporaryDirectory(prefix="benchwright-rebuild-") as folder:
        try:
            again = subject.suite.rebuild(subject.tasks, subject.held, Path(folder) / "set")
        except BenchwrightError as error:
            return [Problem(NAME, "build", str(error), "The set cannot be made again.")]
        return _compare(subject, again)


@dataclass
class _Seen:
    """What differs by rounding only, so far."""

    numbers: int = 0
    files: int = 0
    digests: dict[str, str] = field(default_factory=dict)
    """Digest of a held series before, to that of the one made again."""

    def same(self, old: Path, new: Path) -> bool:
        """Whether two files are equal, or equal but for rounding, which is then counted."""
        if not new.is_file() or not old.is_file():
            return False
        if old.read_bytes() == new.read_bytes():
            return True
        apart = steps_apart(old, new)
        if not apart:
            return False
        self.numbers += apart
        self.files += 1
        return True


def _compare(subject: Subject, again: TaskSet) -> Found:
    seen = _Seen()
    found: Found = [*_tasks(subject.tasks, again, seen), *_held(subject.held, again, seen)]
    if found:
        return found
    counted = f"{len(again.task_digests)} of {len(subject.tasks.task_digests)} tasks and golds"
    if not seen.files:
        return [Note(NAME, f"{counted} are made again, to the byte")]
    rounded = f"{seen.numbers} numbers in {seen.files} files of series, each by one step of float32"
    return [Note(NAME, f"{counted} are made again; rounded differently: {rounded}")]


def _tasks(before: TaskSet, after: TaskSet, seen: _Seen) -> Iterator[Problem]:
    for task_id in _differing(before.task_digests, after.task_digests):
        both = task_id in before.task_digests and task_id in after.task_digests
        if not both or not _same_folder(before.path, after.path, task_id, seen):
            yield Problem(NAME, task_id, "task differs", _HINT)


def _same_folder(before: Path, after: Path, task_id: str, seen: _Seen) -> bool:
    """Whether two folders of a task hold the same files but for rounding, which there must be."""
    old, new = (_files(path / "tasks" / task_id) for path in (before, after))
    rounded = seen.files
    same = old.keys() == new.keys() and all(seen.same(old[name], new[name]) for name in old)
    return same and seen.files > rounded


def _held(before: HeldSet, again: TaskSet, seen: _Seen) -> Iterator[Problem]:
    """Shared files first: golds name them by digest."""
    after = HeldSet.open(again.path)
    old, new = before.digests.shared, after.digests.shared
    for name in _differing(old, new):
        if name in old and name in new and seen.same(_shared(before, name), _shared(after, name)):
            seen.digests[old[name]] = new[name]
        else:
            yield Problem(NAME, name, "shared differ", _HINT)
    for task_id in _differing(before.digests.golds, after.digests.golds):
        if not _same_gold(before.path / task_id, after.path / task_id, seen.digests):
            yield Problem(NAME, task_id, "golds differ", _HINT)


def _same_gold(before: Path, after: Path, digests: Mapping[str, str]) -> bool:
    """Whether two golds differ in digests of series that were rounded differently, and in no more.

    Equal ones are not the same here: then a digest was edited.
    """
    old, new = ({n: p.read_bytes() for n, p in _files(f).items()} for f in (before, after))
    renamed = dict(old)
    for one, other in digests.items():
        renamed = {n: text.replace(one.encode(), other.encode()) for n, text in renamed.items()}
    return renamed == new != old


def _shared(held: HeldSet, name: str) -> Path:
    return held.path / "shared" / name


def _files(folder: Path) -> dict[str, Path]:
    return {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return sorted(n for n in {*before, *after} if before.get(n) != after.get(n))
