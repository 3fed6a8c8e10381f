"""`agents` and `agents list`: what `run --agent` can name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.running.agents import ModelAgent, known_agents, model_agents
from benchwright.suites import Suite, open_suite, suite_names

_OWN = (
    "Your own: --agents FILE.toml --agent ENTRY, --agent file.py@solver or --agent package/solver.",
    "* is given the answers and is no competitor.",
)


@dataclass(frozen=True, slots=True)
class Listed:
    """One agent as it is listed."""

    name: str
    source: str
    """The suite that it is built into, the file that it is an entry of, or `model`: shipped, and
    takes the one of --model."""
    what: str
    privileged: bool
    needs: tuple[str, ...]


def agents_list(as_json: bool, file: Path | None = None) -> int:
    """Agents that bring a model, also those of `file`, then the built-in ones of each suite."""
    shipped = model_agents()
    brought = [
        _brought(agent, "model" if name in shipped or file is None else file.name)
        for name, agent in known_agents(file=file).items()
    ]
    suites = [open_suite(name) for name in suite_names()]
    listed = [*brought, *(agent for suite in suites for agent in _built_in(suite))]
    if as_json:
        emit_json("agents", {"agents": listed})
        return 0
    wide = max(len(agent.name) for agent in listed) + 1
    origin = max(10, *(len(agent.source) for agent in listed))
    say(f"{'agent':{wide}}  {'from':{origin}}  {'needs':18}  what it is")
    for agent in listed:
        mark = f"{agent.name}{'*' if agent.privileged else ''}"
        needs = ", ".join(agent.needs) or "nothing"
        say(f"{mark:{wide}}  {agent.source:{origin}}  {needs:18}  {agent.what}")
    for line in _OWN:
        say(line)
    return 0


def _brought(agent: ModelAgent, source: str) -> Listed:
    bare = "a model of its own" if agent.is_loop else f"your {agent.code.shown}"
    what = agent.doc or bare
    with_model = f"{what} ({agent.model})" if agent.model else what
    asks = ("--model",) if agent.model is None and agent.is_loop else ()
    return Listed(agent.name, source, with_model, False, (*asks, "a sandbox"))


def _built_in(suite: Suite) -> Iterator[Listed]:
    for name, maker in suite.agents.items():
        what = (maker.__doc__ or "").strip().partition("\n")[0]
        needs = ("the answers",) if name in suite.privileged else ()
        yield Listed(name, suite.name, what, name in suite.privileged, needs)
