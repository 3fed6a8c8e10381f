"""One generic Inspect task for every suite: a sample per episode, agent by name, cleanup last."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import cast

from inspect_ai import Task as InspectTask
from inspect_ai.agent import AgentState
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import SandboxEnvironmentSpec, sandbox

from benchwright.episodes.model import Planned
from benchwright.isolation.bwrap import BoxConfig
from benchwright.isolation.folder import FolderBox
from benchwright.isolation.workspace import Workspace
from benchwright.running.agents import model_agent
from benchwright.running.inspect_agents import act_builtin, act_react
from benchwright.running.inspect_collect import collect_episode
from benchwright.running.inspect_workspace import SandboxWorkspace
from benchwright.running.ledger import Entry, Ledger
from benchwright.tasks.model import Task


def episode_task(ledger: Ledger, owed: Iterable[Planned], name: str) -> InspectTask:
    """Inspect's task for exactly the owed episodes; scoring happens when they close."""
    samples = [episode_sample(p.id, ledger.tasks.task(p.task_id), p.agent.sandbox) for p in owed]
    planned = {p.id: p for p in owed}

    async def cleanup(state: TaskState) -> None:
        entry = ledger.entries.get(str(state.sample_id))
        if entry is not None:
            await collect_episode(entry, ledger.closer)

    return InspectTask(
        name=name,
        dataset=MemoryDataset(samples),
        solver=episode_solver(ledger, planned),
        cleanup=cleanup,
    )


def episode_sample(sample_id: str, task: Task, box: str) -> Sample:
    """A sample whose files are the task's files; nothing about the gold is in it."""
    files = {
        path.relative_to(task.files).as_posix(): str(path.resolve())
        for path in sorted(task.files.rglob("*"))
        if path.is_file()
    }
    bwrap = box == "bwrap"
    return Sample(
        id=sample_id,
        input=task.instruction,
        files=files if bwrap else None,
        sandbox=SandboxEnvironmentSpec("bwrap", BoxConfig()) if bwrap else None,
        metadata={"task": task.id, **task.axes},
    )


@solver
def episode_solver(ledger: Ledger, planned: dict[str, Planned]) -> Solver:
    """Begin the episode in the ledger, then let its agent act."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        entry = ledger.enter(planned[str(state.sample_id)])
        messages = await _act(ledger, entry, AgentState(messages=state.messages))
        state.messages = messages.messages
        state.output = messages.output
        return state

    return solve


async def _act(ledger: Ledger, entry: Entry, state: AgentState) -> AgentState:
    name = entry.planned.agent.name
    maker = ledger.closer.suite.agents.get(name)
    if maker is None:
        timeout = model_agent(name).command_timeout_s
        return await act_react(state, entry.task, timeout, entry.fail)
    privileged = name in ledger.closer.suite.privileged
    gold = ledger.closer.gold(entry.task) if privileged else None
    agent = maker(entry.task, gold, entry.planned.trial)
    return await act_builtin(state, agent, entry.task, await _workspace(entry), entry.fail)


async def _workspace(entry: Entry) -> Workspace:
    if entry.planned.agent.sandbox == "bwrap":
        return SandboxWorkspace(sandbox())
    entry.box = FolderBox.start()
    with contextlib.suppress(FileNotFoundError):
        for path in sorted(entry.task.files.rglob("*")):
            if path.is_file():
                name = path.relative_to(entry.task.files).as_posix()
                await entry.box.write(name, path.read_bytes())
    return cast(Workspace, entry.box)
