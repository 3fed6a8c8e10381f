"""Every row of a set, some at a time where an executor runs; counts are added up in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol, Self, TypeVar

from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.proof.answers import Answers
from benchwright.suites.telemetry.proof.case import Case, case_of
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.taskset import HeldSet, TaskSet

_ROWS = 16
"""Rows of one batch: few enough that processors end together."""


class Counted(Protocol):
    """Counts of rows; empty ones are made without arguments."""

    def add(self, other: Self, /) -> None:
        """Add the counts of other rows."""
        ...


C = TypeVar("C", bound=Counted)
OfRow = Callable[[str, Case], C]
"""Task id and case to the counts of one row; a function of a module, since processes call it."""


def over_rows(tasks: TaskSet, of_row: OfRow[C], empty: Callable[[], C], executor: Executor) -> C:
    """The counts of a whole set, in the order of ids."""
    ids = sorted(tasks.task_digests)
    batches = [ids[at : at + _ROWS] for at in range(0, len(ids), _ROWS)]
    jobs = [executor.submit(_batch, tasks.path, batch, of_row, empty) for batch in batches]
    total = empty()
    for job in jobs:
        total.add(job.result())
    return total


def _batch(path: Path, ids: Sequence[str], of_row: OfRow[C], empty: Callable[[], C]) -> C:
    answers, held, total = Answers(Store(path / "store")), HeldSet.open(path), empty()
    for name in ids:
        script, duties, _ = conversation(held.gold(name))
        total.add(of_row(name, case_of(script, duties, answers)))
        answers.forget()
    answers.store.connection.close()
    return total
