"""`agents.toml`: the agents that bring a model, and the record of any agent for a plan."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from benchwright import __version__
from benchwright.episodes.model import AgentRecord
from benchwright.errors import SpecError
from benchwright.running.model import SuiteParts


@dataclass(frozen=True, slots=True)
class ModelAgent:
    """One entry of agents.toml."""

    name: str
    doc: str
    command_timeout_s: int


@cache
def model_agents() -> dict[str, ModelAgent]:
    """Every agent of agents.toml by name."""
    text = resources.files("benchwright.running").joinpath("agents.toml").read_text()
    return {
        name: ModelAgent(name, **entry) for name, entry in tomllib.loads(text)["agents"].items()
    }


def model_agent(name: str) -> ModelAgent:
    """One agent of agents.toml."""
    return model_agents()[name]


def agent_record(
    suite: SuiteParts, name: str, model: str | None, box: Literal["bwrap", "none"]
) -> AgentRecord:
    """The record of an agent; refuses unknown names and an agent that lacks its model."""
    known = (*suite.agents, *model_agents())
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise SpecError(
            "unknown agent",
            value=name,
            where="--agent",
            hint=f"Did you mean {near[0]}?" if near else f"Use one of: {', '.join(known)}.",
        )
    brings_model = name in model_agents()
    if brings_model and model is None:
        raise SpecError(
            "agent needs a model",
            value=name,
            where="--model",
            hint="Add --model PROVIDER/NAME as Inspect names it, e.g. openai/gpt-5.5.",
        )
    if brings_model and box == "none":
        raise SpecError(
            "only built-in agents may run without a sandbox",
            value=name,
            where="--sandbox none",
            hint="Leave --sandbox out; see README on bubblewrap if it does not start here.",
        )
    return AgentRecord(
        name=name,
        model=model if brings_model else None,
        privileged=name in suite.privileged,
        sandbox=box,
        version=f"benchwright {__version__}",
    )
