"""Rebuild: made again from spec and held seeds, the set is the same: tasks, golds, marks, spec.

Ids, golds, tables and manifests must be the same bytes. A series may differ by one step of float32
in a number, because processors round differently; then the digests that name it differ too, and
nothing else. The finding says which it was.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.canonical import digest_file
from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.checks.steps import steps_apart
from benchwright.errors import BenchwrightError
from benchwright.tasks.taskset import HeldSet, TaskSet

NAME = "rebuild"
_HINT = "The set was changed after its build, or the build depends on more than its seeds."


def check_rebuild(subject: Subject) -> Found:
    """Build into a temporary folder and compare what each set says of itself with what it holds."""
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
    found: Found = [*_unlike(subject.tasks, again), *_edited(subject)]
    found += [*_tasks(subject.tasks, again, seen), *_held(subject.held, again, seen)]
    if found:
        return found
    counted = f"{len(again.task_digests)} of {len(subject.tasks.task_digests)} tasks and golds"
    if not seen.files:
        return [Note(NAME, f"{counted} are made again, to the byte")]
    rounded = f"{seen.numbers} numbers in {seen.files} files of series, each by one step of float32"
    return [Note(NAME, f"{counted} are made again; rounded differently: {rounded}")]


def _unlike(before: TaskSet, after: TaskSet) -> Iterator[Problem]:
    """What taskset.toml says of the whole set."""
    for part, old, new in (
        ("marks", before.marks, after.marks),
        ("spec", before.spec, after.spec),
    ):
        for name in _differing(old, new):
            yield Problem(NAME, "taskset.toml", f"{part} differ: {name}", _HINT)


def _edited(subject: Subject) -> Iterator[Problem]:
    """Files that are not what the set states of them: comparing statements says nothing then."""
    for task_id in sorted(subject.tasks.task_digests):
        try:
            subject.tasks.task(task_id)
            subject.held.gold(task_id)
        except BenchwrightError as error:
            yield Problem(NAME, task_id, error.problem, error.hint)


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
    for name in sorted({*old, *new}):
        file = _shared(before, name)
        stated = file.is_file() and digest_file(file) == old.get(name)
        if not stated or not seen.same(file, _shared(after, name)):
            yield Problem(NAME, name, "shared differ", _HINT)
        elif old[name] != new[name]:
            seen.digests[old[name]] = new[name]
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


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return sorted(n for n in {*before, *after} if before.get(n) != after.get(n))
