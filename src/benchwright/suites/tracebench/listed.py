"""Recipes that a spec lists: own ones written out, shipped ones by id.

    recipes = ["balldrop-0a1b2c3d4e5f"]          an id from the shipped list

    [[recipes]]                                   an own recipe
    system = "BallDrop"
    values = { mass = 3.2, ... }                  every parameter and initial value, or
    configuration = "balldrop-..."                those of a shipped recipe, changed by `values`
    parameter = "gravity"
    value = 9.0
    time = 4.0

A recipe without `parameter` is a run in which nothing changes. Such runs of a listed configuration
belong to the pool without being listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.canonical import Json, make_id, plain
from benchwright.errors import SpecError
from benchwright.suites.tracebench.recipes import Recipe, Step, validate
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.spec_errors import known, read_model
from benchwright.suites.tracebench.systems import SYSTEMS


class _Own(BaseModel):
    """The keys of one `[[recipes]]` table."""

    model_config = ConfigDict(extra="forbid")

    system: str
    values: dict[str, float] = {}
    configuration: str | None = None
    parameter: str | None = None
    value: float | None = None
    time: float | None = None


@dataclass(frozen=True, slots=True)
class OwnRecipes:
    """The recipes of a spec that lists them, by system."""

    by_system: Mapping[str, tuple[Recipe, ...]]

    def of(self, system: str) -> tuple[Recipe, ...]:
        """The listed recipes of one system."""
        return self.by_system[system]

    @property
    def all(self) -> tuple[Recipe, ...]:
        """The listed recipes of all systems."""
        return tuple(recipe for recipes in self.by_system.values() for recipe in recipes)

    @property
    def told(self) -> Json:
        """What a public file says about them."""
        return f"{len(self.all)} own recipes"

    @property
    def written(self) -> Json:
        """What a spec file says."""
        return [written(recipe) for recipe in self.all]


def recipe_id(recipe: Recipe) -> str:
    """How a recipe is called in specs and tables: `balldrop-0a1b2c3d4e5f`."""
    return make_id(recipe.system, recipe.digest)


def written(recipe: Recipe) -> Json:
    """A recipe as a `[[recipes]]` table says it."""
    step = {} if recipe.step is None else plain(recipe.step)
    assert isinstance(step, dict)
    return {"system": recipe.system, "values": plain(recipe.values), **step}


def read_recipes(
    given: str | Sequence[str | Mapping[str, Any]], systems: Sequence[str], where: object
) -> OwnRecipes | None:
    """The listed recipes, each checked against its system's intervals; None for `"shipped"`."""
    if isinstance(given, str):
        known(given, ("shipped",), "recipe list", f"{where}: recipes")
        return None
    listed: dict[str, list[Recipe]] = {name: [] for name in systems}
    for index, item in enumerate(given):
        place = f"{where}: recipes[{index}]"
        recipe = _shipped(item, systems, place) if isinstance(item, str) else _own(item, place)
        if recipe.system not in listed:
            raise SpecError(
                "recipe is of a system that the spec leaves out",
                value=recipe.system,
                where=place,
                hint="Add the system to `systems`, or remove the recipe.",
            )
        if recipe in listed[recipe.system]:
            raise SpecError(
                "recipe is listed twice",
                value=recipe_id(recipe),
                where=place,
                hint="List each recipe once.",
            )
        listed[recipe.system].append(recipe)
    return OwnRecipes({name: tuple(recipes) for name, recipes in listed.items()})


def _shipped(name: str, systems: Sequence[str], place: str) -> Recipe:
    choices = {recipe_id(recipe): recipe for system in systems for recipe in shipped(system)}
    return choices[known(name, choices, "recipe", place)]


def _own(item: Mapping[str, Any], place: str) -> Recipe:
    own = read_model(_Own, item, place)
    known(own.system, SYSTEMS, "system", place)
    values: dict[str, float] = {}
    if own.configuration is not None:
        values.update(_shipped(own.configuration, (own.system,), place).values)
    recipe = Recipe(own.system, {**values, **own.values}, _step(own, place))
    try:
        validate(recipe)
    except SpecError as error:
        where = f"{place}, {error.where}"
        raise SpecError(error.problem, value=error.value, where=where, hint=error.hint) from error
    return recipe


def _step(own: _Own, place: str) -> Step | None:
    if own.parameter is None and own.value is None and own.time is None:
        return None
    if own.parameter is None or own.value is None or own.time is None:
        raise SpecError(
            "change is incomplete",
            value={"parameter": own.parameter, "value": own.value, "time": own.time},
            where=place,
            hint="Give parameter, value and time, or none of the three.",
        )
    return Step(own.parameter, own.value, own.time)
