"""The `inspect_ai` entry point: tasks, agents, sandbox and scripted model for users of Inspect.

    inspect eval benchwright/tracebench -T set=FOLDER --solver benchwright/constant
    inspect eval benchwright/tracebench --model openai/gpt-5.5
    inspect eval benchwright/telemetry -T set=FOLDER --model openai/gpt-5.5

The scores are those of `benchwright run`: the same samples, sandbox, collection and pure scorer. A
solver that is given the answers is marked in every sample's metadata, score and metrics.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.agent import AgentState
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from benchwright.errors import SpecError
from benchwright.isolation.workspace import NoWorkspace
from benchwright.running import inspect_sandbox as _sandbox
from benchwright.running import inspect_scripted as _scripted
from benchwright.running.inspect_agents import act_builtin
from benchwright.running.inspect_direct import desk_of, direct_task, mark_agent, task_of_sample
from benchwright.running.inspect_operations import operator_tools
from benchwright.running.inspect_workspace import SandboxWorkspace
from benchwright.storage import nearest
from benchwright.suites import open_suite
from benchwright.suites.specs import build_set
from benchwright.tasks.taskset import HeldSet, TaskSet

__all__ = [
    "constant",
    "forger",
    "jumps",
    "noop",
    "operator_tools",
    "oracle",
    "random",
    "telemetry",
    "tracebench",
]
_REGISTERED = (_sandbox, _scripted)


@task
def tracebench(set: str | None = None) -> InspectTask:
    """Root-cause tasks on time series; without a set, the demo set is built in a temp folder."""
    return direct_task(_open("tracebench", set), open_suite("tracebench"))


@task
def telemetry(set: str | None = None) -> InspectTask:
    """Dialogues on building telemetry; without a set, the demo set is built in a temp folder."""
    return direct_task(_open("telemetry", set), open_suite("telemetry"))


def _open(suite: str, folder: str | None) -> TaskSet:
    if folder is not None:
        return TaskSet.open(Path(folder))
    out = Path(tempfile.mkdtemp(prefix="benchwright-demo-")) / "tasks"
    return build_set(f"{suite}/demo", out, "serial")


def _builtin(name: str) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        tasks, one = task_of_sample(state)
        suite = open_suite(tasks.suite)
        if name not in suite.agents:
            raise SpecError(
                "suite has no such agent",
                value=name,
                where=suite.name,
                hint=nearest(name, suite.agents),
            )
        privileged = name in suite.privileged
        mark_agent(state, name, privileged)
        gold = HeldSet.open(tasks.path).gold(one.id) if privileged else None
        acting = suite.agents[name](one, gold, state.epoch - 1)
        desk = desk_of(state)
        box = SandboxWorkspace(sandbox()) if desk is None else NoWorkspace()
        spoken = AgentState(messages=state.messages)
        try:
            await act_builtin(spoken, acting, one, box, desk, _ignore)
        finally:
            state.messages = spoken.messages
        return state

    return solve


def _ignore(*_: Any) -> None:
    """Inspect's own log records the failure; there is no closing record to blame in."""


@solver
def oracle() -> Solver:
    """Given the gold (privileged): answers every sample right."""
    return _builtin("oracle")


@solver
def noop() -> Solver:
    """Does nothing."""
    return _builtin("noop")


@solver
def constant() -> Solver:
    """Gives every sample the same label."""
    return _builtin("constant")


@solver
def random() -> Solver:
    """Guesses every label at random, by a seed of task and trial."""
    return _builtin("random")


@solver
def forger() -> Solver:
    """Writes every result file it can think of, before and after the end."""
    return _builtin("forger")


@solver
def jumps() -> Solver:
    """Change points per channel and a few physical rules."""
    return _builtin("jumps")
