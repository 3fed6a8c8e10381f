"""The tools of a desk as plain records, for every shell that carries them to an agent.

One tool per operation, `ask_operator`, `reply`, and `say` where the operator hears free text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

from benchwright.running.desk import ASK, Desk
from benchwright.tasks.session import BadArguments, Operation, Over, Turn, answered

_CLOSED = "[The conversation is over.]"


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool answers: text for the agent, and the same as data where it is data."""

    text: str
    data: dict[str, Any] | None = None
    refused: bool = False
    """Whether it answered with a reason instead of what was asked for."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: name, words, JSON schema of its arguments, and what it answers to them."""

    name: str
    doc: str
    schema: dict[str, Any]
    use: Callable[[object], Told]


def desk_tools(desk: Desk) -> tuple[Tool, ...]:
    """Every tool of one episode: operations in their order, then those that speak."""
    operations = (_operation_tool(desk, operation) for operation in desk.session.operations)
    return (*operations, *(_message_tool(desk, *one) for one in desk.messages.items()))


def plain_tools(operations: tuple[Operation, ...]) -> tuple[Tool, ...]:
    """Operations alone, outside of any episode."""

    def using(operation: Operation) -> Callable[[object], Told]:
        def use(given: object) -> Told:
            said = given if isinstance(given, Mapping) else {"arguments": given}
            return _told(operation, answered(operation, said))

        return use

    return tuple(Tool(o.name, o.doc, _schema(o.arguments), using(o)) for o in operations)


def shown(turn: Turn) -> str:
    """A turn as an agent reads it; which slots it reveals is not told."""
    return f"{turn.text}\n{_CLOSED}" if turn.end and turn.text != Over().message else turn.text


def _operation_tool(desk: Desk, operation: Operation) -> Tool:
    def use(given: object) -> Told:
        return _told(operation, desk.call(operation.name, given))

    return Tool(operation.name, operation.doc, _schema(operation.arguments), use)


def _told(operation: Operation, answer: BaseModel) -> Told:
    refused = isinstance(answer, BadArguments | Over) or not isinstance(answer, operation.result)
    return Told(answer.model_dump_json(), answer.model_dump(mode="json"), refused)


def _message_tool(desk: Desk, name: str, kind: type[BaseModel]) -> Tool:
    def use(given: object) -> Told:
        return Told(shown(desk.speak(name, given)))

    schema = _schema(kind)
    if name == ASK:
        slots = ", ".join(desk.session.slots)
        schema["properties"]["slot"]["description"] = f"One of: {slots}."
    return Tool(name, kind.__doc__ or f"Use {name} to speak to the operator.", schema, use)


def _schema(kind: type[BaseModel]) -> dict[str, Any]:
    """The schema without references, which not every shell follows; the caller's own copy."""
    return deepcopy(_schema_of(kind))


@cache
def _schema_of(kind: type[BaseModel]) -> dict[str, Any]:
    schema = kind.model_json_schema()
    known = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inlined(schema, known)
    inlined.setdefault("properties", {})
    inlined.pop("description", None)
    return inlined


def _inlined(value: Any, known: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_inlined(item, known) for item in value]
    if not isinstance(value, dict):
        return value
    name = str(value.get("$ref", "")).removeprefix("#/$defs/")
    found = {**known[name], **value} if name in known else value
    return {key: _inlined(item, known) for key, item in found.items() if key != "$ref"}
