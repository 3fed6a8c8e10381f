"""A task set as an ordinary Inspect task: scored inside Inspect, without plan or closing records.

The agent's processes are killed and its files collected before the pure scorer sees anything, as in
a planned run; what it wrote goes into a temporary folder that is removed after scoring.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from benchwright.canonical import plain
from benchwright.episodes.model import AgentRecord, End, Episode, Planned, Usage
from benchwright.isolation.rule import RuleLimits
from benchwright.running.agents import model_agents
from benchwright.running.close import Closer
from benchwright.running.inspect_agents import react_loop
from benchwright.running.inspect_collect import collect_episode
from benchwright.running.inspect_task import episode_sample
from benchwright.running.ledger import Entry
from benchwright.running.model import SuiteParts
from benchwright.running.run import box_config
from benchwright.scoring.score import score_episode
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet

_NO_USAGE = Usage(None, None, None, None, None, None, None, None)
_AGENT = "benchwright_agent"
_GIVEN = "given_the_answers"
"""Metadata of a sample, and metric of its score, where the solver saw the gold."""
_SETS: dict[str, TaskSet] = {}
"""Open sets by folder; a sample's metadata names the folder, never a gold."""


def direct_task(tasks: TaskSet, suite: SuiteParts) -> InspectTask:
    """One sample per task; metrics of the test samples are averaged by Inspect.

    Raises:
        TaskSetError: the held half, which scoring needs, is not there or not whole.
    """
    HeldSet.open(tasks.path).verify(tasks.task_digests)
    folder = str(tasks.path.resolve())
    _SETS[folder] = tasks
    samples = [episode_sample(t.id, t, box_config()) for t in tasks.tasks]
    for sample in samples:
        sample.metadata = {**(sample.metadata or {}), "set": folder}
    limit = model_agents()["react"].command_timeout_s
    limits = tasks.tasks[0].limits
    return InspectTask(
        name=tasks.suite,
        dataset=MemoryDataset(samples),
        solver=react_loop(limit),
        scorer=closing_scorer(folder, suite),
        message_limit=limits.messages or None,
        token_limit=limits.tokens or None,
        time_limit=limits.wall_s or None,
    )


def task_of_sample(state: TaskState) -> tuple[TaskSet, Task]:
    """Set and task of a sample; names agree with the metadata that `direct_task` wrote."""
    folder = state.metadata["set"]
    tasks = _SETS.get(folder) or TaskSet.open(Path(folder))
    return tasks, tasks.task(state.metadata["task"])


def mark_agent(state: TaskState, name: str, privileged: bool) -> None:
    """Note who acts, so that log, score and metrics say of a solver that it saw the gold."""
    state.metadata[_AGENT] = name
    if privileged:
        state.metadata[_GIVEN] = True


def agent_of(state: TaskState) -> AgentRecord:
    """Who acted: a built-in agent by its mark, else whatever solver Inspect was given."""
    name = str(state.metadata.get(_AGENT, "inspect"))
    return AgentRecord(name, None, bool(state.metadata.get(_GIVEN)), "bwrap", "inspect")


@scorer(metrics={"*": [mean(), stderr()]})
def closing_scorer(folder: str, suite: SuiteParts) -> Scorer:
    """Collect, execute a submitted rule once, and score with the suite's pure scorer."""

    async def score(state: TaskState, target: Target) -> Score:
        tasks = _SETS[folder]
        task = tasks.task(state.metadata["task"])
        closer = Closer(suite, HeldSet.open(tasks.path), RuleLimits())
        agent = agent_of(state)
        planned = Planned(str(state.sample_id), task.id, task.digest, agent, state.epoch - 1)
        with tempfile.TemporaryDirectory(prefix="benchwright-inspect-") as temporary:
            entry = Entry(planned, task, Path(temporary) / "episode")
            await collect_episode(entry, closer)
            return _scored(entry, closer)

    return score


def _scored(entry: Entry, closer: Closer) -> Score:
    planned = entry.planned
    end = End("killed", entry.failure[1]) if entry.failure else End("returned")
    owner = entry.failure[0] if entry.failure else None
    episode = Episode(
        id=planned.id,
        task_id=planned.task_id,
        task_digest=planned.task_digest,
        agent=planned.agent,
        trial=planned.trial,
        end=end,
        owner=owner,
        usage=_NO_USAGE,
        folder=entry.folder,
    )
    sheet = score_episode(closer.suite.scoring, entry.task, closer.gold(entry.task), episode)
    shared = {s.metric: s.value for s in sheet.scores if not s.metric.startswith("heldout_")}
    privileged = planned.agent.privileged
    metadata = {"sheet": plain(sheet), **({_GIVEN: True} if privileged else {})}
    words = ["The solver was given the answers."] if privileged else []
    words += [s.reason for s in sheet.scores if s.reason][:1]
    explanation = " ".join(words) or None
    if None in shared.values():
        return Score.unscored(explanation=explanation, metadata=metadata)
    value = {name: number for name, number in shared.items() if number is not None}
    return Score(
        value={**value, **({_GIVEN: 1.0} if privileged else {})},
        explanation=explanation,
        metadata=metadata,
    )
