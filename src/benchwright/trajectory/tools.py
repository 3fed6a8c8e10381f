"""What a tool of some agent does, by its name: the table `tools.toml`, and access to arguments."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

KINDS = (
    "shell", "python", "input", "write", "edit", "patch", "notebook", "read", "view", "find",
    "search", "fetch", "delegate", "plan", "ask", "submit", "mcp", "other",
)  # fmt: skip
"""shell and python run code; input feeds a running command; write, edit, patch and notebook
change files; read and view open them; find looks at the local tree; search and fetch go to the
web; delegate starts a sub-agent; plan, ask and submit are of the agent's own loop."""


def kind_of(name: str) -> str:
    """The kind of a tool, one of `KINDS`."""
    known = _kinds().get(name.lower())
    if known:
        return known
    return "mcp" if name.startswith(("mcp__", "mcp_", "mcp.")) else "other"


def argument(arguments: Mapping[str, Any], what: str) -> Any:
    """The argument that plays the part `what` (a key of `[fields]`); None where there is none."""
    for name in _fields()[what]:
        if arguments.get(name) is not None:
            return arguments[name]
    return None


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    file = resources.files("benchwright.trajectory").joinpath("tools.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _kinds() -> dict[str, str]:
    return {name.lower(): kind for kind, names in _table()["kinds"].items() for name in names}


@cache
def _fields() -> dict[str, list[str]]:
    return _table()["fields"]
