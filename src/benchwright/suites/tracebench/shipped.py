"""The recipes that come with benchwright, each with its stored verdict.

Takes a system's name; gives its recipes, read from `data/recipes_<System>.toml`, which
`tools/make_recipes.py` wrote. A test computes the verdicts again. Knows nothing of batches.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from benchwright.suites.tracebench.probes import Verdict
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.systems import get_system

FORMAT: Final = "benchwright.recipes/1"


@dataclass(frozen=True, slots=True)
class ShippedRow:
    """One shipped recipe and why it may be used."""

    recipe: Recipe
    verdict: Verdict | None
    """Both ratio tests at high noise; `None` for a recipe without a step, which has no probe."""
    solvable_parameters: tuple[str, ...]
    """Parameters of this configuration with a recipe that passes; at least two of them."""


def shipped(system: str) -> tuple[Recipe, ...]:
    """Every shipped recipe of a system by configuration; SpecError for an unknown system."""
    return tuple(row.recipe for row in shipped_rows(system))


@cache
def shipped_rows(system: str) -> tuple[ShippedRow, ...]:
    """The same recipes with their stored verdicts."""
    name = get_system(system).name
    file = files("benchwright.suites.tracebench") / "data" / f"recipes_{name}.toml"
    text = file.read_text(encoding="utf-8")
    return tuple(
        row for entry in tomllib.loads(text)["configuration"] for row in _rows(name, entry)
    )


def _rows(system: str, entry: Mapping[str, Any]) -> Iterator[ShippedRow]:
    values = entry["values"]
    parameters = tuple(dict.fromkeys(step["parameter"] for step in entry["steps"]))
    for item in entry["steps"]:
        step = Step(item["parameter"], float(item["value"]), float(item["time"]))
        recipe = Recipe(system=system, values=values, step=step)
        verdict = Verdict(recipe.digest, tuple(item["no_change"]), tuple(item["static"]))
        yield ShippedRow(recipe, verdict, parameters)
    yield ShippedRow(Recipe(system=system, values=values, step=None), None, parameters)
