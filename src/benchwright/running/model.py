"""What running needs from a suite and from an agent; suites hand these in as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from benchwright.isolation.rule import Frame
from benchwright.isolation.workspace import Workspace
from benchwright.running.desk import Desk
from benchwright.scoring.model import Scoring
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.session import Session
from benchwright.tasks.taskset import HeldSet, TaskSet


class Agent(Protocol):
    """A built-in agent: acts through a workspace or a desk, as a model's agent would."""

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Work on the task until done; returning ends the episode. `desk` is that of a dialogue."""
        ...


AgentMaker = Callable[[Task, Gold | None, int], Agent]
"""Makes the agent for one episode from task, gold (privileged agents only) and trial number."""

Frames = Callable[[Task, Gold, HeldSet], Iterator[Frame]]
"""Every frame on which a submitted rule is executed, test samples first."""

SessionMaker = Callable[[TaskSet, HeldSet, Task], Session]
"""A new session for one episode of a dialogue."""


class SuiteParts(Protocol):
    """The functions of a suite that running calls; `suites.Suite` has them and more."""

    @property
    def scoring(self) -> Scoring:
        """The pure scorer with its name and metrics."""
        ...

    @property
    def frames(self) -> Frames | None:
        """Frames for submitted rules; None when the suite has no programmatic mode."""
        ...

    @property
    def session(self) -> SessionMaker | None:
        """Sessions of dialogues; None when the suite has no such mode."""
        ...

    @property
    def agents(self) -> Mapping[str, AgentMaker]:
        """Built-in agents by name."""
        ...

    @property
    def privileged(self) -> frozenset[str]:
        """Names of the agents that are given the gold."""
        ...
