"""The plan: every (task, agent, trial) that a run owes, with ids that depend on content only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from benchwright.canonical import digest, make_id
from benchwright.episodes.model import AgentRecord, Box, Planned, agent_data
from benchwright.errors import SpecError
from benchwright.tasks.model import Task

MOST_EPISODES = 200_000


def refuse_too_many(tasks: int, agents: int, trials: int) -> None:
    """SpecError for more episodes than one run may plan: each has a folder of its own."""
    if tasks * agents * trials > MOST_EPISODES:
        raise SpecError(
            "run would plan too many episodes",
            value=tasks * agents * trials,
            where=f"--trials {trials}, {agents} agents, {tasks} tasks",
            hint=f"Plan at most {MOST_EPISODES:,} in one folder; several runs can be compared.",
        )


def needs_box(task: Task) -> bool:
    """Whether episodes of a task run in a sandbox: a dialogue runs no code of anybody's."""
    return task.submission.mode != "dialogue"


def box_of(tasks: Iterable[Task], asked: Box) -> Box:
    """The sandbox that records of a run on `tasks` name, where `asked` is what there could be."""
    return asked if any(map(needs_box, tasks)) else "unneeded"


def plan_episodes(
    tasks: Iterable[Task], agents: Sequence[AgentRecord], trials: int
) -> tuple[Planned, ...]:
    """Task by task, agent by agent, trial by trial; a trial is owed whatever the others did.

    Tasks of one set may look the same and differ in what is held: dialogues whose first turns keep
    back the detail that tells them apart. Their ids then stand in the ids of their episodes.
    """
    tasks = tuple(tasks)
    alike = Counter(task.digest for task in tasks)
    return tuple(
        _planned(task, agent, trial, alike[task.digest] > 1)
        for task in tasks
        for agent in agents
        for trial in range(trials)
    )


def _planned(task: Task, agent: AgentRecord, trial: int, alike: bool) -> Planned:
    named = {"id": task.id} if alike else {}
    full = digest({"task": task.digest, "agent": agent_data(agent), "trial": trial, **named})
    words = f"{task.id.rpartition('-')[0]}-{agent.name}-t{trial}"
    return Planned(make_id(words, full), task.id, task.digest, agent, trial)
