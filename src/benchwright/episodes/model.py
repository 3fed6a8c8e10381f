"""`Episode`: one closed attempt of one agent at one task, and the vocabularies that describe it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Owner = Literal["task", "agent", "operator", "judge", "sandbox", "provider"]
EndKind = Literal["returned", "message_limit", "token_limit", "time_limit", "error", "killed"]


@dataclass(frozen=True, slots=True)
class End:
    """How the episode ended. All but `returned` have a reason; `error` and `killed` an owner."""

    kind: EndKind
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Integers or unknown (None), never a guess: tokens, nano-USD, milliseconds."""

    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    cost_nano_usd: int | None
    model_calls: int | None
    tool_calls: int | None
    wall_ms: int | None
    active_ms: int | None


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """Who acted. `privileged` agents were given the gold; every table marks them."""

    name: str
    model: str | None
    privileged: bool
    sandbox: Literal["bwrap", "none"]
    version: str


@dataclass(frozen=True, slots=True)
class Planned:
    """One owed episode, written to `plan.jsonl` before anything starts."""

    id: str
    task_id: str
    task_digest: str
    agent: AgentRecord
    trial: int


@dataclass(frozen=True, slots=True)
class Episode:
    """The closing record; it exists exactly when the episode is finished."""

    id: str
    task_id: str
    task_digest: str
    agent: AgentRecord
    trial: int
    end: End
    owner: Owner | None
    usage: Usage
    folder: Path
    """Holds trajectory.json, artifacts/, native/, scores/ and, written last, episode.json."""
