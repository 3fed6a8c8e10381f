"""The records of checking: what a check is given, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from benchwright.running.model import SuiteParts
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import HeldSet, TaskSet


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse a task set."""

    check: str
    where: str
    problem: str
    hint: str


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that a check measured and found right; shown so that silence is never success."""

    check: str
    text: str
    skipped: bool = False
    """Whether this says what could not be looked at here."""


def _silent(done: int, total: int) -> None:
    """Default listener: nothing to tell."""


class CheckedSuite(SuiteParts, Protocol):
    """A suite, with what a uniform guess would earn."""

    @property
    def chance(self) -> Callable[[Task], float]:
        """Expected top score of a uniform guess at one sample of a task."""
        ...

    @property
    def heldout(self) -> Callable[[Gold], str | None]:
        """What stands for a task's held-out samples with their truth; None for none."""
        ...

    @property
    def unsaid(self) -> Callable[[TaskSet, HeldSet], Mapping[str, str]]:
        """Names that must stand nowhere in what agents are given, each with what it is."""
        ...

    @property
    def rebuild(self) -> Callable[[TaskSet, HeldSet, Path], TaskSet]:
        """Build the same set again, from its spec and held seeds, into a folder."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """The set under check."""

    tasks: TaskSet
    held: HeldSet
    suite: CheckedSuite
    sandbox: Literal["bwrap", "none"]
    on_episode: Callable[[int, int], None] = _silent
    """Told the episodes that a check has run, and how many it will run."""
    run: Path | None = None
    """A run in which the reference agents have answered these tasks, to judge it by."""


Found = list[Problem | Note]
Check = Callable[[Subject], Found]
Checks = Mapping[str, Check]
