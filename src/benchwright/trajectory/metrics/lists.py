"""The table `lists.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def listed(what: str) -> frozenset[str]:
    """The words of one list of the table."""
    return frozenset(_table()[what])


@cache
def _table() -> dict[str, list[str]]:
    file = resources.files("benchwright.trajectory.metrics").joinpath("lists.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
