"""Reference agents: a perfect one, an absent one, one that always says the same, and the zoo.

`oracle` and the zoo are given the gold: they know the plan of a conversation. The others know what
an agent knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.errors import TaskSetError
from benchwright.isolation.workspace import Workspace
from benchwright.running.desk import Desk
from benchwright.running.model import AgentMaker
from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.worker import Habits, answer_turn, ask, work
from benchwright.suites.telemetry.zoo import HABITS
from benchwright.tasks.model import Gold, Task


@dataclass(frozen=True, slots=True)
class Scripted:
    """A worker with a habit; knows the plan from the gold."""

    gold: Gold
    make: Callable[[], Habits]

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Have the conversation."""
        if desk is not None:
            script, _, _ = conversation(self.gold)
            work(script, desk, self.make())


@dataclass(frozen=True, slots=True)
class Nobody:
    """Does nothing."""

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Return at once."""


@dataclass(frozen=True, slots=True)
class Constant:
    """Asks for everything that can be asked for, and then says the same until nobody listens."""

    said: Mapping[str, Any]

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Talk without looking at anything."""
        if desk is not None:
            desk.open()
            insist(desk, self.said)


def insist(desk: Desk, said: Mapping[str, Any]) -> None:
    """Ask for site and time, then say the same until nobody listens."""
    for slot in SLOTS[:2]:
        ask(desk, slot)
    while not desk.over:
        answer_turn(desk, said)


def _scripted(make: Callable[[], Habits], words: str | None) -> AgentMaker:
    def maker(task: Task, gold: Gold | None, trial: int) -> Scripted:
        if gold is None:
            raise TaskSetError(
                "agent needs the gold",
                value=task.id,
                where="agent",
                hint="Run it where the set was built: the held half is not here.",
            )
        return Scripted(gold, make)

    maker.__doc__ = words
    return maker


def noop(task: Task, gold: Gold | None, trial: int) -> Nobody:
    """Says nothing."""
    return Nobody()


def constant(task: Task, gold: Gold | None, trial: int) -> Constant:
    """Asks for everything, then abstains whatever the turn is."""
    return Constant(ABSTAINS)


ABSTAINS = {"action": "abstain", "reason": "no_observation", "error": "empty"}
AGENTS: Mapping[str, AgentMaker] = {
    "oracle": _scripted(Habits, "Knows the plan of the conversation and works out every answer."),
    "noop": noop,
    "constant": constant,
    **{name: _scripted(kept.make, kept.make.__doc__) for name, kept in HABITS.items()},
}
PRIVILEGED = frozenset({"oracle", *HABITS})
