"""The 87 initial configurations that the published pool was made from.

Gives them as recipes without a step. Source: facts section 18 (numbers rounded to 4 digits there).
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.systems import get_system


def published(system: str) -> tuple[Recipe, ...]:
    """All published configurations of a system, ordered by id (24, 22 or 41)."""
    return tuple(published_by_id(system).values())


@cache
def published_by_id(system: str) -> dict[str, Recipe]:
    """The same by the first eight digits of the published run id."""
    names = [variable.name for variable in get_system(system).variables]
    table = _tables()[system]
    found = {}
    for key, *numbers in table["rows"]:
        record = dict(zip(table["columns"][1:], numbers, strict=True))
        found[key] = Recipe(system, {name: float(record[name]) for name in names})
    return found


@cache
def _tables() -> dict[str, Any]:
    file = resources.files("benchwright.suites.tracebench") / "data" / "published_baselines.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
