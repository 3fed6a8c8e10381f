"""`Episode`: one closed attempt of one agent at one task, and the vocabularies that describe it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from benchwright.canonical import Json, plain
from benchwright.storage.records import Count, Digest, Name, Text

Owner = Literal["task", "agent", "operator", "judge", "sandbox", "provider"]
Box = Literal["bwrap", "none", "unneeded"]
"""What confined an agent: bubblewrap, nothing, or nothing because a dialogue runs no code."""
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

    input_tokens: Count | None
    cached_tokens: Count | None
    output_tokens: Count | None
    cost_nano_usd: Count | None
    model_calls: Count | None
    tool_calls: Count | None
    wall_ms: Count | None
    active_ms: Count | None


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """Who acted. `privileged` agents were given the gold; every table marks them."""

    name: Text
    model: Text | None
    privileged: bool
    sandbox: Box
    version: str
    settings: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)
    """What was asked of it beside the usual: code, arguments, generation, limits, price."""


def agent_data(agent: AgentRecord) -> dict[str, Json]:
    """An agent as files and identities hold it: settings only where there are any."""
    data = plain(agent)
    assert isinstance(data, dict)
    return {key: value for key, value in data.items() if key != "settings" or value}


@dataclass(frozen=True, slots=True)
class Planned:
    """One owed episode, written to `plan.jsonl` before anything starts."""

    id: Name
    task_id: Name
    task_digest: Text
    agent: AgentRecord
    trial: Count


@dataclass(frozen=True, slots=True)
class PlannedSet:
    """The task set that a run was planned for."""

    path: str
    """Where it was then."""
    digest: Digest


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What is read back of run.toml; the file says more, for people."""

    plan: Digest
    """Of the bytes of plan.jsonl."""
    taskset: PlannedSet
    scorer: Text
    """Name and number of the scorer of its rows."""
    about: Mapping[str, Text] = field(default_factory=dict)
    """What people said of their agents in `doc`, by name; for readers, and no part of identity."""


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
