"""Operations and operators: what an episode offers beside files. Data and protocols only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ValidationError

from benchwright.storage import explain
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
    """What the agent says to its operator."""

    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What the operator says; `end` closes the conversation."""

    text: str
    reveals: tuple[str, ...]
    end: bool


class Operator(Protocol):
    """A deterministic counterpart; never a model. `None` opens the conversation."""

    def step(self, message: AgentMessage | None) -> Turn:
        """The answer to one message."""
        ...


@dataclass(frozen=True, slots=True)
class Session:
    """What one episode offers: tracebench has none, telemetry both parts."""

    operations: tuple[Operation, ...]
    operator: Operator | None


class BadArguments(BaseModel):
    """What an operation answers whose arguments cannot be used."""

    error: Literal["bad_argument"] = "bad_argument"
    message: str


def answered(operation: Operation, given: Mapping[str, Any]) -> BaseModel:
    """What an operation answers to plain arguments; every shell around operations calls this."""
    try:
        arguments = strictly(operation.arguments, dict(given))
    except ValidationError as error:
        return BadArguments(message=str(explain(error, operation.arguments, operation.name)))
    return operation.call(arguments)
