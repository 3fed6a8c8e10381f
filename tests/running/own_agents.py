"""Agents as a user writes them: Inspect solvers and agents in a file, named file.py@name."""

from __future__ import annotations

import json
import sys

import anyio
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

NOT_AN_AGENT = 3


class Thrown(BaseException):
    """Neither an error nor an end."""


@solver
def writes_one_label(label: str = "no parameter change") -> Solver:
    """Gives every sample the same label, without a model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        listed = await sandbox().exec(["ls", "test_samples"])
        answers = {name: [label] for name in listed.stdout.split()}
        await sandbox().write_file("results.json", json.dumps(answers))
        return state

    return solve


@agent
def asks_once() -> Agent:
    """One turn of the model."""

    async def execute(state: AgentState) -> AgentState:
        state.output = await get_model().generate(state.messages)
        state.messages.append(state.output.message)
        return state

    return execute


@solver
def falls_over() -> Solver:
    """Has a fault of its own."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        raise ValueError("my own fault")

    return solve


@solver
def gives_up() -> Solver:
    """Ends its process, or so it thinks."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sys.exit(3)

    return solve


@solver
def throws_a_custom_exception() -> Solver:
    """Raises what no handler for errors catches, in a task of its own."""

    async def throw() -> None:
        raise Thrown("from below")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with anyio.create_task_group() as group:
            group.start_soon(throw)
        return state

    return solve


@solver
def gives_up_below() -> Solver:
    """Ends its process in a task of its own, which ends the event loop."""

    async def give_up() -> None:
        sys.exit(3)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with anyio.create_task_group() as group:
            group.start_soon(give_up)
        return state

    return solve


@solver
def asks_another_model() -> Solver:
    """Leaves its answers, and asks a model that benchwright did not open for it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await writes_one_label()(state, generate)
        other = get_model("scripted/tests.running.policies:says_half_a_character", memoize=False)
        for _ in range(2):
            state.messages.append((await other.generate(state.messages)).message)
        return state

    return solve


def helper() -> int:
    """Neither solver nor agent."""
    return 1
