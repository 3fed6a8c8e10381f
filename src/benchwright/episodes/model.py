"""`Episode`: one closed attempt of one agent at one task, and the vocabularies that describe it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from benchwright.canonical import Json, plain

Owner = Literal["task", "agent", "operator", "judge", "sandbox", "provider"]
EndKind = Literal[
    "returned", "message_limit", "token_limit", "time_limit", "cost_limit", "error", "killed"
]


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
    settings: Mapping[str, Json] = field(default_factory=dict, hash=False)
    """What was asked of it beside the usual: code, arguments, generation, limits, price."""


def agent_data(agent: AgentRecord) -> dict[str, Json]:
    """An agent as files and identities hold it: settings only where there are any."""
    data = plain(agent)
    assert isinstance(data, dict)
    return {key: value for key, value in data.items() if key != "settings" or value}


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
