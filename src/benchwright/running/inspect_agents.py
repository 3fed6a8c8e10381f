"""Agents as Inspect solvers: built-in ones through `Workspace`, `react` through Inspect's loop."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable

from inspect_ai.agent import Agent as InspectAgent
from inspect_ai.agent import AgentState, AgentSubmit, react
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool
from inspect_ai.solver import Generate, TaskState
from inspect_ai.tool import ToolCall, bash, python
from inspect_ai.util import (
    LimitExceededError,
    apply_limits,
    cost_limit,
    message_limit,
    time_limit,
    token_limit,
)

from benchwright.canonical import readable
from benchwright.episodes.model import Owner
from benchwright.errors import IsolationError
from benchwright.isolation.workspace import Workspace
from benchwright.running.agents import ModelAgent
from benchwright.running.desk import Desk
from benchwright.running.inspect_border import model_failure
from benchwright.running.inspect_models import open_solver
from benchwright.running.inspect_operations import dialogue_loop
from benchwright.running.ledger import Entry
from benchwright.running.model import Agent
from benchwright.running.places import place_in
from benchwright.running.recording import Action, RecordingWorkspace
from benchwright.tasks.model import Task, TaskLimits

Blame = Callable[[Owner, str], None]


async def act_builtin(
    state: AgentState,
    agent: Agent,
    task: Task,
    box: Workspace,
    desk: Desk | None,
    blame: Blame,
) -> None:
    """Let a built-in agent act; its actions become messages, so that every viewer shows them."""
    recording = RecordingWorkspace(box)
    if desk is not None:
        desk.told = recording.note_exchange
    try:
        await _limited(task.limits, lambda: agent.act(task, recording, desk))
    except LimitExceededError:
        raise
    except Exception as error:
        blame(_owner(error, "agent"), f"{type(error).__name__}: {error}")
        raise _told(error) from None
    finally:
        for action in recording.actions:
            state.messages.extend(_messages(action))


async def act_react(state: AgentState, task: Task, agent: ModelAgent, blame: Blame) -> None:
    """Run Inspect's ReAct loop: with shell, Python and a submit tool, or with those of a desk."""
    dialogue = task.submission.mode == "dialogue"
    loop = dialogue_loop() if dialogue else react_loop(agent.command_timeout_s)

    async def work() -> None:
        final = await loop(state)
        state.messages = final.messages
        state.output = final.output

    await _blamed(task, agent, blame, work)


async def act_own(
    state: TaskState, generate: Generate, agent: ModelAgent, entry: Entry
) -> TaskState:
    """Let a solver or agent of somebody's own act; what it left in `state` counts at any end."""
    kept = [state]

    async def work() -> None:
        kept[0] = await open_solver(agent)(state, generate)

    await _blamed(entry.task, agent, entry.fail, work)
    return kept[0]


def react_loop(command_timeout_s: int) -> InspectAgent:
    """Inspect's loop with bash, python and submit, whose call stays in the conversation."""
    tools = [bash(timeout=command_timeout_s), python(timeout=command_timeout_s)]
    return react(tools=tools, submit=AgentSubmit(keep_in_messages=True))


async def _blamed(
    task: Task, agent: ModelAgent, blame: Blame, work: Callable[[], Awaitable[None]]
) -> None:
    try:
        await _limited(agent.limits.within(task.limits), work, agent.limits.cost_nano_usd)
    except (LimitExceededError, asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as error:  # also sys.exit(): it would end the whole run
        failed = model_failure(error)
        told = failed or _innermost(error)
        owner = _owner(error, "provider" if failed is not None else "agent")
        place = place_in(told, agent.code) if owner == "agent" else ""
        blame(owner, f"{type(told).__name__}: {told}{f' ({place})' if place else ''}")
        raise _told(told) from None


async def _limited(
    limits: TaskLimits, work: Callable[[], Awaitable[None]], nano_usd: int | None = None
) -> None:
    active = [
        time_limit(limits.wall_s or None),
        message_limit(limits.messages or None),
        token_limit(limits.tokens or None),
        cost_limit(None if nano_usd is None else nano_usd / 1e9),
    ]
    with apply_limits(active):
        await work()


def _told(error: BaseException) -> RuntimeError:
    """The failure as Inspect can print it: no text of an agent breaks its console."""
    return RuntimeError(str(readable(f"{type(error).__name__}: {error}")))


def _innermost(error: BaseException) -> BaseException:
    """What a group of tasks failed with, where that is one thing."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _owner(error: BaseException, otherwise: Owner) -> Owner:
    return "sandbox" if isinstance(error, IsolationError) else otherwise


def _messages(action: Action) -> tuple[ChatMessageAssistant, ChatMessageTool]:
    call = ToolCall(id=uuid.uuid4().hex, function=action.name, arguments=dict(action.arguments))
    spoken = ChatMessageAssistant(
        content="", tool_calls=[call], metadata={"timestamp": action.timestamp}
    )
    answer = ChatMessageTool(content=action.result, tool_call_id=call.id, function=action.name)
    return spoken, answer
