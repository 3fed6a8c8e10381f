"""Structure: both halves complete and nothing besides, digests right, nothing held in public."""

from __future__ import annotations

from collections.abc import Iterator

from benchwright.checks.listing import strangers
from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.errors import BenchwrightError
from benchwright.tasks.model import Task
from benchwright.tasks.writer import CANARY

NAME = "structure"


def check_structure(subject: Subject) -> Found:
    """Open every task and gold; look for what must not stand in the public half."""
    problems = list(_missing(subject))
    if not problems:
        problems = [*_unreadable(subject), *_strangers(subject)]
    if problems:
        return list(problems)
    for task in subject.tasks.tasks:
        problems += _contract(task)
    problems += _canaries(subject)
    number = len(subject.tasks.tasks)
    told = f"{number} of {number} tasks open with their golds and match their digests"
    return list(problems) or [Note(NAME, told)]


def _missing(subject: Subject) -> Iterator[Problem]:
    for half in ("tasks", "held"):
        if not (subject.tasks.path / half).is_dir():
            yield Problem(NAME, half, "folder of the set is missing", "Build the set again.")


def _unreadable(subject: Subject) -> Iterator[Problem]:
    for task_id in sorted(subject.tasks.task_digests):
        try:
            subject.suite.scoring.metrics(subject.tasks.task(task_id))
            subject.suite.scoring.readable(subject.held.gold(task_id))
        except BenchwrightError as error:
            yield Problem(NAME, task_id, f"{error.problem}: {error.value!r}", error.hint)
    for name in sorted(subject.held.digests.shared):
        try:
            subject.held.shared(name)
        except BenchwrightError as error:
            yield Problem(NAME, f"held/shared/{name}", error.problem, error.hint)


def _strangers(subject: Subject) -> Iterator[Problem]:
    for where, problem in strangers(subject.tasks, subject.held):
        yield Problem(NAME, where, problem, "Remove it, or build the set again.")


def _contract(task: Task) -> Iterator[Problem]:
    contract = task.submission
    files = {p.name for p in task.files.rglob("*") if p.is_file()}
    absent = sorted(set(contract.samples) - files)
    if absent:
        yield Problem(NAME, task.id, f"sample has no file: {absent[0]}", "Build the set again.")
    if contract.file not in task.instruction:
        yield Problem(
            NAME, task.id, f"instruction does not name {contract.file}", "Correct the prompt."
        )


def _canaries(subject: Subject) -> Iterator[Problem]:
    mark = CANARY.encode()
    root = subject.tasks.path
    for path in sorted((root / "held").rglob("*")):
        if path.is_file() and mark not in path.read_bytes():
            where = path.relative_to(root).as_posix()
            yield Problem(NAME, where, "held file carries no canary", "Build the set again.")
    for path in sorted((root / "tasks").rglob("*")):
        where = path.relative_to(root).as_posix()
        if path.is_file() and mark in path.read_bytes():
            yield Problem(NAME, where, "public file carries the canary", "Build the set again.")
