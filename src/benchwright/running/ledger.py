"""What one run knows about its episodes while they run, by episode id; gone when they close."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.canonical import readable
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Owner, Planned
from benchwright.isolation.config import BoxConfig
from benchwright.isolation.folder import FolderBox
from benchwright.running.agents import ModelAgent, model_agents
from benchwright.running.close import Closer
from benchwright.running.desk import Desk
from benchwright.running.interrupt import Interruption
from benchwright.running.listener import Listener
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import TaskSet
from benchwright.trajectory.atif import Step


@dataclass
class Entry:
    """One episode between its start and its closing record."""

    planned: Planned
    task: Task
    folder: Path
    failure: tuple[Owner, str] | None = None
    """Who is to blame and why, when something broke; the first finding stands."""
    collected: bool = False
    steps: tuple[Step, ...] = ()
    """What was said until the agent ended, for an episode that Inspect's log cannot hold."""
    box: FolderBox | None = None
    """The plain folder of an episode that runs without a sandbox."""
    desk: Desk | None = None
    """Operator and operations of a dialogue."""

    def fail(self, owner: Owner, reason: str) -> None:
        """Note a failure once; a later one is a consequence."""
        self.failure = self.failure or (owner, str(readable(reason)))


@dataclass
class Ledger:
    """All episodes of one call of the runner."""

    tasks: TaskSet
    closer: Closer
    run: RunFolder
    box: BoxConfig
    listener: Listener = field(default_factory=Listener)
    brought: Mapping[str, ModelAgent] = field(default_factory=model_agents)
    """Agents that bring a model, by the name in their records."""
    interruption: Interruption = field(default_factory=Interruption)
    entries: dict[str, Entry] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    """What broke evaluations, and why episodes stay owed."""
    unclosed: dict[str, str] = field(default_factory=dict)
    """Why an episode that came to its end could not be closed, by id. It stays owed, for the fault
    is ours or the set's; another attempt in the same call would end the same way."""

    def leave_owed(self, episode_id: str, error: Exception) -> None:
        """Note why an episode cannot be closed; the first reason stands."""
        self.unclosed.setdefault(episode_id, f"{type(error).__name__}: {error}")

    def enter(self, planned: Planned) -> Entry:
        """Begin an episode in an empty folder."""
        folder = self.run.folder(planned.id)
        entry = Entry(planned, self.tasks.task(planned.task_id), folder)
        self.entries[planned.id] = entry
        return entry
