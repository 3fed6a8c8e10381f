"""Operations and operators: what an episode offers beside files. Data and protocols only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel


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
