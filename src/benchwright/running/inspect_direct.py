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
from inspect_ai.solver import Generate, Solver, TaskState, solver

from benchwright.canonical import plain
from benchwright.episodes.model import AgentRecord, Box, End, Episode, Planned, Usage
from benchwright.isolation.rule import RuleLimits
from benchwright.running.agents import model_agents
from benchwright.running.close import Closer, refuse_mute
from benchwright.running.desk import Desk
from benchwright.running.inspect_agents import react_loop
from benchwright.running.inspect_collect import collect_episode
from benchwright.running.inspect_operations import dialogue_loop, meet
from benchwright.running.inspect_task import episode_sample
from benchwright.running.ledger import Entry
from benchwright.running.model import SuiteParts
from benchwright.running.plan import needs_box
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
_DESKS: dict[str, Desk] = {}
"""Desks of samples between their first turn and their score."""


def direct_task(tasks: TaskSet, suite: SuiteParts) -> InspectTask:
    """One sample per task; metrics of the test samples are averaged by Inspect.

    Raises:
        TaskSetError: the held half, which scoring needs, is not there or not whole; or the suite
            has no operator for its dialogues.
    """
    held = HeldSet.open(tasks.path)
    held.verify(tasks.task_digests, suite.scoring.readable)
    closer = Closer(suite, held, RuleLimits())
    for task in tasks.tasks:
        refuse_mute(suite, task)
    boxed = any(map(needs_box, tasks.tasks))
    box = box_config() if boxed else None
    folder = str(tasks.path.resolve())
    _SETS[folder] = tasks
    samples = [episode_sample(t.id, t, box if needs_box(t) else None) for t in tasks.tasks]
    for sample in samples:
        sample.metadata = {**(sample.metadata or {}), "set": folder}
    limit = model_agents()["react"].command_timeout_s
    limits = tasks.tasks[0].limits
    return InspectTask(
        name=tasks.suite,
        dataset=MemoryDataset(samples),
        setup=None if boxed else opening(folder, closer),
        solver=react_loop(limit) if boxed else dialogue_loop(),
        scorer=closing_scorer(folder, closer),
        message_limit=limits.messages or None,
        token_limit=limits.tokens or None,
        time_limit=limits.wall_s or None,
    )


def task_of_sample(state: TaskState) -> tuple[TaskSet, Task]:
    """Set and task of a sample; names agree with the metadata that `direct_task` wrote."""
    folder = state.metadata["set"]
    tasks = _SETS.get(folder) or TaskSet.open(Path(folder))
    return tasks, tasks.task(state.metadata["task"])


@solver
def opening(folder: str, closer: Closer) -> Solver:
    """Open the conversation of a dialogue, before whatever solver Inspect was given."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        tasks = _SETS[folder]
        task = tasks.task(state.metadata["task"])
        if task.submission.mode == "dialogue":
            desk = _DESKS[state.uuid] = Desk(closer.session(tasks, task))
            state.tools = meet(desk, state.messages)
        return state

    return solve


def desk_of(state: TaskState) -> Desk | None:
    """The desk of a sample in progress; None where it is no dialogue."""
    return _DESKS.get(state.uuid)


def mark_agent(state: TaskState, name: str, privileged: bool) -> None:
    """Note who acts, so that log, score and metrics say of a solver that it saw the gold."""
    state.metadata[_AGENT] = name
    if privileged:
        state.metadata[_GIVEN] = True


def agent_of(state: TaskState) -> AgentRecord:
    """Who acted: a built-in agent by its mark, else whatever solver Inspect was given."""
    name = str(state.metadata.get(_AGENT, "inspect"))
    box: Box = "unneeded" if state.uuid in _DESKS else "bwrap"
    return AgentRecord(name, None, bool(state.metadata.get(_GIVEN)), box, "inspect")


@scorer(metrics={"*": [mean(), stderr()]})
def closing_scorer(folder: str, closer: Closer) -> Scorer:
    """Collect, execute a submitted rule once, and score with the suite's pure scorer."""

    async def score(state: TaskState, target: Target) -> Score:
        tasks = _SETS[folder]
        task = tasks.task(state.metadata["task"])
        agent = agent_of(state)
        planned = Planned(str(state.sample_id), task.id, task.digest, agent, state.epoch - 1)
        with tempfile.TemporaryDirectory(prefix="benchwright-inspect-") as temporary:
            entry = Entry(planned, task, Path(temporary) / "episode")
            entry.desk = _DESKS.pop(state.uuid, None)
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
