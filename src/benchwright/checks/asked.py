"""What soundness asks about: each sample of a task, and held-out samples that tasks share once.

Held-out series stand in a set once for many tasks. Where series and truth of two tasks are the very
same, the rules of one of them are asked, because the others would be asked the same again. So each
counts once for an agent, as a test against chance needs it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from benchwright.checks.model import CheckedSuite, Subject
from benchwright.isolation.rule import Frame
from benchwright.running.model import AgentMaker, Frames, SessionMaker
from benchwright.scoring.model import Scoring
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import HeldSet


@dataclass(frozen=True, slots=True)
class Asked:
    """The parts of a suite that running needs, with rules asked about each held-out sample once."""

    suite: CheckedSuite
    bearers: Container[str]
    """Tasks whose rules are asked about their held-out samples too."""

    @property
    def scoring(self) -> Scoring:
        """As in the suite."""
        return self.suite.scoring

    @property
    def frames(self) -> Frames | None:
        """Frames of a task: all of them for a bearer, else those of its test samples."""
        return self._frames if self.suite.frames else None

    @property
    def session(self) -> SessionMaker | None:
        """As in the suite."""
        return self.suite.session

    @property
    def agents(self) -> Mapping[str, AgentMaker]:
        """As in the suite."""
        return self.suite.agents

    @property
    def privileged(self) -> frozenset[str]:
        """As in the suite."""
        return self.suite.privileged

    def counts(self, task: Task, sample: str) -> bool:
        """Whether a sample of a task counts: all that it shares with others count at its bearer."""
        return task.id in self.bearers or sample in task.submission.samples

    def _frames(self, task: Task, gold: Gold, held: HeldSet) -> Iterator[Frame]:
        assert self.suite.frames is not None
        most = None if task.id in self.bearers else len(task.submission.samples)
        return islice(self.suite.frames(task, gold, held), most)


def asked_once(subject: Subject) -> Asked:
    """One bearer for all tasks with the very same held-out samples; each for itself if unknown."""
    bearers: dict[str, str] = {}
    for task in subject.tasks.tasks:
        key = subject.suite.heldout(subject.held.gold(task.id))
        bearers.setdefault(key or task.id, task.id)
    return Asked(subject.suite, frozenset(bearers.values()))
