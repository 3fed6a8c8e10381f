"""Operations and operators: what an episode offers beside files. Data and protocols only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ValidationError

from benchwright.canonical import Json
from benchwright.errors import SpecError
from benchwright.storage import explain, finding
from benchwright.storage.records import strictly


@dataclass(frozen=True, slots=True)
class Operation:
    """A typed host-side function that an agent may call as a tool."""

    name: str
    doc: str
    arguments: type[BaseModel]
    result: type[BaseModel]
    call: Callable[[BaseModel], BaseModel]


@dataclass(frozen=True, slots=True)
class AgentMessage:
    """What the agent says to its operator: one of the three, the other two stay as they are."""

    slot: str | None = None
    """The detail that it asks for, as it named it; any name may be asked."""
    reply: Mapping[str, Json] | None = None
    """The arguments of `reply` that were given; none at all is an empty reply."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the operator says; `end` closes the conversation."""

    text: str
    reveals: tuple[str, ...]
    """Slots whose value the text tells."""
    end: bool


class Operator(Protocol):
    """A deterministic counterpart of one episode; never a model. `None` opens the conversation."""

    def step(self, message: AgentMessage | None) -> Turn:
        """The answer to one message. What it raises is the operator's fault, not the agent's."""
        ...


@dataclass(frozen=True, slots=True)
class Session:
    """What one episode offers; tracebench has none."""

    operations: tuple[Operation, ...]
    operator: Operator
    slots: tuple[str, ...]
    """Details that may be asked for: one public list, the same in every episode of a suite."""
    reply: type[BaseModel]
    """The arguments of the tool `reply`; its docstring says what the tool is for."""
    turns: int = 24
    """Messages to the operator, those that cannot be used included."""
    calls: int = 40
    """Calls of operations."""
    text: bool = False
    """Whether the operator also hears free text, by a tool `say`."""
    only_text: bool = False
    """Whether that is all it hears: no `ask_operator`, no `reply`."""


class BadArguments(BaseModel):
    """What an operation answers whose arguments cannot be used."""

    error: Literal["bad_argument"] = "bad_argument"
    message: str


class Over(BaseModel):
    """What an operation answers once the conversation has ended."""

    error: Literal["over"] = "over"
    message: str = "The conversation is over."


def _refusal(error: ValidationError, operation: Operation) -> SpecError:
    """What is wrong with arguments; these are no file, so nobody is told to add a line."""
    first = finding(error)
    if first["type"] != "missing":
        return explain(error, operation.arguments, operation.name)
    name = ".".join(map(str, first["loc"]))
    return SpecError(
        "argument is missing", value=name, where=operation.name, hint=f"Give {name} as well."
    )


def answered(operation: Operation, given: Mapping[str, Any]) -> BaseModel:
    """What an operation answers to plain arguments; every shell around operations calls this."""
    try:
        arguments = strictly(operation.arguments, dict(given))
    except ValidationError as error:
        return BadArguments(message=str(_refusal(error, operation)))
    return operation.call(arguments)
