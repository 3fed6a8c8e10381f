"""Rebuild: made again from spec and held seeds, the set has the same tasks, golds and digests."""

from __future__ import annotations

import tempfile
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
    hint = "The build depends on something beside its spec and seeds."
    before, after = set(subject.tasks.task_digests.items()), set(again.task_digests.items())
    found: Found = [Problem(NAME, i, "task differs", hint) for i, _ in sorted(before ^ after)]
    old, new = subject.held.digests, HeldSet.open(again.path).digests
    for part in ("golds", "shared"):
        differing = sorted(set(old[part].items()) ^ set(new[part].items()))
        found += [Problem(NAME, name, f"{part} differ", hint) for name, _ in differing]
    return found or [Note(NAME, f"{len(before)} tasks and their golds are made again, to the byte")]
