"""The build spec: what a person writes to get a task set, checked before anything is simulated.

Takes a TOML file, or the name of a shipped one (`demo`); gives a `Spec` whose every name and number
is known to be usable, or one `SpecError` with the place and the nearest known name. Draws nothing
and simulates nothing. What may be published of a spec is `Spec.public()`: own recipes are answers
and stay out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field

from benchwright.canonical import Json
from benchwright.errors import SpecError
from benchwright.storage import read_toml
from benchwright.storage.records import Count
from benchwright.suites.tracebench.cells import (
    Block,
    Cell,
    ConditionKeys,
    Level,
    all_cells,
    read_block,
)
from benchwright.suites.tracebench.listed import OwnRecipes, read_recipes
from benchwright.suites.tracebench.pool_recipes import FromPolicies, read_policies
from benchwright.suites.tracebench.spec_errors import known, read_model, without_repeats
from benchwright.suites.tracebench.systems import SYSTEMS

__all__ = ["SPEC_FORMAT", "Cell", "Level", "Spec", "load_spec", "parse_spec", "shipped_specs"]

SPEC_FORMAT = "benchwright.spec/1"
MOST_TASKS = 20_000


class _File(ConditionKeys):
    """The keys of a spec file; every one but `suite` has a default."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["benchwright.spec/1"] = "benchwright.spec/1"
    suite: Literal["tracebench"]
    systems: list[str] = Field(default=list(SYSTEMS), min_length=1)
    conditions: list[ConditionKeys] = Field(default=[])
    seeds: list[Count] = Field(default=[0], min_length=1)
    samples: int = Field(default=10, ge=1, le=1000)
    heldout: Count | Literal["rest"] = "rest"
    recipes: str | dict[str, Any] | list[str | dict[str, Any]] = "shipped"
    secret: bool = True
    audit: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """A checked build spec. The set holds one task per system, seed and cell."""

    systems: tuple[str, ...]
    blocks: tuple[Block, ...]
    cells: tuple[Cell, ...]
    seeds: tuple[int, ...]
    samples: int
    """Test samples per task, shared by all tasks of one system and seed."""
    heldout: int | Literal["rest"]
    """Held-out samples per class for programmatic tasks; "rest" takes all unused configurations."""
    recipes: OwnRecipes | FromPolicies | None
    """None means the shipped lists."""
    secret: bool
    """Whether pool seed and salt are drawn at the first build; otherwise they are public ones."""
    where: str = field(default="spec", compare=False)
    """Where it was read from, for errors that only building finds."""
    audit: bool = False
    """Whether a draw in which the audit of shortcuts finds something is drawn again."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The noise levels of all cells."""
        return tuple(dict.fromkeys(cell.level for cell in self.cells))

    @property
    def kappa(self) -> float:
        """The strongest noise of the set."""
        return max(level.kappa for level in self.levels)

    @property
    def shots(self) -> int:
        """Most examples per class that any cell asks for."""
        return max(cell.shots for cell in self.cells)

    def asks_rules(self, level: Level | None = None) -> bool:
        """Whether any task, or any at `level`, asks for a rule and so has held-out samples."""
        levels = self.levels if level is None else (level,)
        return any(c.mode == "programmatic" and c.level in levels for c in self.cells)

    def public(self) -> dict[str, Json]:
        """What taskset.toml may say: every choice, but of own recipes only how many there are."""
        told: Json = "shipped" if self.recipes is None else self.recipes.told
        return self._said(told, numbers=False)

    def whole(self) -> dict[str, Json]:
        """The spec as a file that `parse_spec` reads, own recipes included; for the held half."""
        listed: Json = "shipped" if self.recipes is None else self.recipes.written
        return {"suite": "tracebench", **self._said(listed, numbers=True)}

    def _said(self, recipes: Json, *, numbers: bool) -> dict[str, Json]:
        products: list[Json] = [block.keys(numbers=numbers) for block in self.blocks]
        single = self.blocks[0].keys(numbers=numbers)
        return {
            "systems": list(self.systems),
            **(single if len(products) == 1 else {"conditions": products}),
            "seeds": list(self.seeds),
            "samples": self.samples,
            "heldout": self.heldout,
            "recipes": recipes,
            "secret": self.secret,
            **({"audit": True} if self.audit else {}),
        }


def shipped_specs() -> tuple[str, ...]:
    """Names of the specs that come with the suite."""
    folder = files(__package__) / "specs"
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir()))


def load_spec(name_or_path: str | Path) -> Spec:
    """The spec in a TOML file, or a shipped one by name, with or without `tracebench/` before it.

    Raises:
        SpecError: unknown name, key, system or recipe, or a value that cannot be built.
    """
    text = str(name_or_path)
    path = Path(text)
    if not path.is_file():
        names = [f"tracebench/{name}" for name in shipped_specs()]
        asked = f"tracebench/{text.removeprefix('tracebench/')}"
        name = known(asked, names, "build spec", "SPEC").removeprefix("tracebench/")
        path = Path(str(files(__package__) / "specs" / f"{name}.toml"))
    return parse_spec(read_toml(path), path)


def parse_spec(data: Mapping[str, Any], where: object) -> Spec:
    """A checked spec from parsed TOML; `where` is named in errors."""
    raw = read_model(_File, data, where, {"conditions": ConditionKeys})
    systems = tuple(known(name, SYSTEMS, "system", f"{where}: systems") for name in raw.systems)
    blocks = _blocks(raw, where)
    spec = Spec(
        systems=without_repeats(systems, f"{where}: systems"),
        blocks=blocks,
        cells=all_cells(blocks, where),
        seeds=without_repeats(raw.seeds, f"{where}: seeds"),
        samples=raw.samples,
        heldout=raw.heldout,
        recipes=_recipes(raw, systems, where),
        secret=raw.secret,
        audit=raw.audit,
        where=str(where),
    )
    _check_counts(spec, where)
    return spec


def _blocks(raw: _File, where: object) -> tuple[Block, ...]:
    if not raw.conditions:
        return (read_block(raw, where),)
    both = sorted(raw.model_fields_set & set(ConditionKeys.model_fields))
    if both:
        raise SpecError(
            "spec gives conditions twice",
            value=", ".join(both),
            where=where,
            hint="Put these keys into the [[conditions]], or remove the [[conditions]].",
        )
    places = (f"{where}: conditions[{index}]" for index in range(len(raw.conditions)))
    return tuple(read_block(b, place) for b, place in zip(raw.conditions, places, strict=True))


def _recipes(
    raw: _File, systems: tuple[str, ...], where: object
) -> OwnRecipes | FromPolicies | None:
    if not isinstance(raw.recipes, dict):
        return read_recipes(raw.recipes, systems, where)
    if raw.heldout == "rest":
        raise SpecError(
            "a policy has no rest: it could go on for ever",
            value=raw.heldout,
            where=f"{where}: heldout",
            hint="Say how many held-out samples per class, such as heldout = 142.",
        )
    return read_policies(raw.recipes, systems, where)


def _check_counts(spec: Spec, where: object) -> None:
    tasks = len(spec.systems) * len(spec.cells) * len(spec.seeds)
    if tasks > MOST_TASKS:
        raise SpecError(
            "set has too many tasks",
            value=tasks,
            where=f"{where}: seeds",
            hint=f"Use fewer seeds or conditions: at most {MOST_TASKS:,} tasks, a folder each.",
        )
    most = max(len(SYSTEMS[name].labels) for name in spec.systems)
    if spec.samples < most:
        raise SpecError(
            "a batch has fewer samples than classes",
            value=spec.samples,
            where=f"{where}: samples",
            hint=f"Use at least {most}, so that every class can occur.",
        )
