"""Rebuild: made again from spec and held seeds, the set has the same tasks, golds and digests."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.errors import BenchwrightError
from benchwright.tasks.taskset import HeldSet, TaskSet

NAME = "rebuild"


def check_rebuild(subject: Subject) -> Found:
    """Build into a temporary folder and compare identities and golds."""
    with tempfile.TemporaryDirectory(prefix="benchwright-rebuild-") as folder:
        try:
            again = subject.suite.rebuild(subject.tasks, subject.held, Path(folder) / "set")
        except BenchwrightError as error:
            return [Problem(NAME, "build", str(error), "The set cannot be made again.")]
        return _compare(subject, again)


def _compare(subject: Subject, again: TaskSet) -> Found:
    hint = "The set was changed after its build, or the build depends on more than its seeds."
    before, after = subject.tasks.task_digests, again.task_digests
    found: Found = [Problem(NAME, i, "task differs", hint) for i in _differing(before, after)]
    old, new = subject.held.digests, HeldSet.open(again.path).digests
    for part in ("golds", "shared"):
        differing = _differing(old[part], new[part])
        found += [Problem(NAME, name, f"{part} differ", hint) for name in differing]
    return found or [
        Note(NAME, f"{len(after)} of {len(before)} tasks and golds are made again, to the byte")
    ]


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return sorted(n for n in {*before, *after} if before.get(n) != after.get(n))
