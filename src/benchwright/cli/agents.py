"""`agents list`."""

from __future__ import annotations

from benchwright.cli.output import emit_json, say
from benchwright.running.agents import model_agents
from benchwright.suites import open_suite, suite_names


def agents_list(as_json: bool) -> int:
    """Model agents first, then the built-in agents of each suite."""
    brought = {agent.name: agent.doc for agent in model_agents().values()}
    suites = {name: open_suite(name) for name in suite_names()}
    built_in = {name: dict.fromkeys(suite.agents) for name, suite in suites.items()}
    if as_json:
        listed = {name: sorted(agents) for name, agents in built_in.items()}
        emit_json("agents", {"model": brought, "built_in": listed})
        return 0
    for name, doc in brought.items():
        say(f"{name:10} {doc}")
    for suite in suites.values():
        for name, maker in suite.agents.items():
            mark = " (given the gold: marked privileged)" if name in suite.privileged else ""
            first = (maker.__doc__ or "").strip().splitlines()[0:1]
            say(f"{name:10} {suite.name}: {''.join(first)}{mark}")
    return 0
