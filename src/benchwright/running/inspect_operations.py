"""Tools of a desk, and operations alone, as tools of Inspect: the same answers as everywhere else.

An agent finds them in `state.tools`, or through `operator_tools()`, a source of tools that looks at
the episode in progress and so can be named where an agent is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any

from inspect_ai.agent import Agent as InspectAgent
from inspect_ai.agent import AgentState, react
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import Tool, ToolDef, ToolParams, ToolSource
from inspect_ai.util import JSONSchema

from benchwright.running.desk import REPLY, Desk
from benchwright.running.desk_tools import Tool as PlainTool
from benchwright.running.desk_tools import desk_tools, plain_tools
from benchwright.tasks.session import Operation

MOST_SILENT = 3
"""Turns of a model without a tool, one after the other, until its episode ends."""

_met: ContextVar[tuple[Desk, list[Tool]] | None] = ContextVar("benchwright_desk", default=None)
"""The desk in progress and its tools, made once: a loop asks for them in every turn."""


def operation_tools(operations: Iterable[Operation]) -> list[Tool]:
    """A tool per operation; each answers with the JSON text of a result or a refusal."""
    return [_inspect_tool(tool) for tool in plain_tools(tuple(operations))]


def operator_tools() -> ToolSource:
    """Whatever tools the episode in progress has; none where it has no operator."""
    return _OfTheEpisode()


def meet(desk: Desk, messages: list[ChatMessage]) -> list[Tool]:
    """Make `desk` the one in progress, say its first turn in the conversation; gives its tools.

    An instruction that ends with the first turn has said it already.
    """
    tools = [_inspect_tool(tool) for tool in desk_tools(desk)]
    _met.set((desk, tools))
    first = desk.open().text
    if not messages[-1].text.rstrip().endswith(first.rstrip()):
        messages.append(ChatMessageUser(content=first))
    return tools


def dialogue_loop() -> InspectAgent:
    """Inspect's loop with the tools of the episode and nothing else; it ends with the dialogue."""
    return react(tools=[operator_tools()], submit=False, on_continue=_goes_on)


async def _goes_on(state: AgentState) -> bool | str:
    met = _met.get()
    if met is None:
        return bool(state.output.message.tool_calls)
    desk, _ = met
    note_refused(desk, state)
    if desk.over:
        return False
    if state.output.message.tool_calls:
        return True
    if _silent(state) >= MOST_SILENT:
        return False
    return f"The operator hears nothing but tools: go on with {', '.join(desk.messages)}."


def note_refused(desk: Desk, state: AgentState) -> None:
    """Note the calls of the last turn that never reached a tool: they broke the tool's schema."""
    arguments = {call.id: call.arguments for call in state.output.message.tool_calls or ()}
    for message in _last_answers(state):
        if message.error is not None and message.error.type == "parsing":
            given = arguments.get(message.tool_call_id or "", {})
            desk.refuse(message.function or REPLY, given, message.error.message)


def _last_answers(state: AgentState) -> Sequence[ChatMessageTool]:
    found: list[ChatMessageTool] = []
    for message in reversed(state.messages):
        if not isinstance(message, ChatMessageTool):
            break
        found.insert(0, message)
    return found


def _silent(state: AgentState) -> int:
    """How many turns of the model in a row called no tool."""
    count = 0
    for message in reversed(state.messages):
        if isinstance(message, ChatMessageAssistant):
            if message.tool_calls:
                break
            count += 1
    return count


class _OfTheEpisode(ToolSource):
    async def tools(self) -> list[Tool]:
        """As `ToolSource.tools`."""
        met = _met.get()
        return [] if met is None else met[1]


def _inspect_tool(tool: PlainTool) -> Tool:
    async def execute(**given: Any) -> str:
        return tool.use(given).text

    properties = tool.schema["properties"].items()
    parameters = ToolParams(
        properties={
            name: JSONSchema.model_validate({"description": name, **one})
            for name, one in properties
        },
        required=tool.schema.get("required", []),
    )
    return ToolDef(
        execute,
        name=tool.name,
        description=tool.doc,
        parameters=parameters,
        max_output=0,
    ).as_tool()
