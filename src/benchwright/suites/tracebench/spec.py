"""The build spec: what a person writes to get a task set, checked before anything is simulated.

Takes a TOML file, or the name of a shipped one (`demo`); gives a `Spec` whose every name and number
is known to be usable, or one `SpecError` with the place and the nearest known name. Draws nothing
and simulates nothing. What may be published of a spec is `Spec.public()`: own recipes are answers
and stay out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError

from benchwright.canonical import Json
from benchwright.errors import SpecError
from benchwright.storage import read_toml
from benchwright.suites.tracebench.listed import OwnRecipes, read_recipes, written
from benchwright.suites.tracebench.noise import LEVELS
from benchwright.suites.tracebench.spec_errors import explain, known, without_repeats
from benchwright.suites.tracebench.systems import SYSTEMS
from benchwright.tasks.model import Mode

SPEC_FORMAT = "benchwright.spec/1"
CONTEXTS = ("full",)
SHOTS = (0,)


class _File(BaseModel):
    """The keys of a spec file; every one but `suite` has a default."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["benchwright.spec/1"] = "benchwright.spec/1"
    suite: Literal["tracebench"]
    systems: list[str] = Field(default=list(SYSTEMS), min_length=1)
    noise: list[str | float] = Field(default=["low", "high"], min_length=1)
    modes: list[Mode] = Field(default=["direct", "programmatic"], min_length=1)
    context: list[str] = Field(default=["full"], min_length=1)
    shots: list[StrictInt] = Field(default=[0], min_length=1)
    seeds: list[StrictInt] = Field(default=[0], min_length=1)
    samples: StrictInt = Field(default=10, ge=1, le=1000)
    heldout: StrictInt | Literal["rest"] = "rest"
    recipes: str | list[str | dict[str, Any]] = "shipped"
    secret: StrictBool = True


@dataclass(frozen=True, slots=True)
class Level:
    """A noise level as it is named in axes and files, with its multiplier."""

    name: str
    kappa: float


@dataclass(frozen=True, slots=True)
class Spec:
    """A checked build spec. The set holds one task per system, seed and cell of the other axes."""

    systems: tuple[str, ...]
    noise: tuple[Level, ...]
    modes: tuple[Mode, ...]
    context: tuple[str, ...]
    shots: tuple[int, ...]
    seeds: tuple[int, ...]
    samples: int
    """Test samples per task, shared by all tasks of one system and seed."""
    heldout: int | Literal["rest"]
    """Held-out samples per class for programmatic tasks; "rest" takes all unused configurations."""
    recipes: OwnRecipes | None
    """None means the shipped lists."""
    secret: bool
    """Whether pool seed and salt are drawn at the first build; otherwise they are public ones."""

    def public(self) -> dict[str, Json]:
        """What taskset.toml may say: every choice, but of own recipes only how many there are."""
        own = self.recipes
        return {
            "systems": list(self.systems),
            "noise": [level.name for level in self.noise],
            "modes": list(self.modes),
            "context": list(self.context),
            "shots": list(self.shots),
            "seeds": list(self.seeds),
            "samples": self.samples,
            "heldout": self.heldout,
            "recipes": "shipped" if own is None else f"{own.count} own recipes",
            "secret": self.secret,
        }

    def whole(self) -> dict[str, Json]:
        """The spec as a file that `parse_spec` reads, own recipes included; for the held half."""
        own = self.recipes
        noise: list[Json] = [n.name if n.name in LEVELS else n.kappa for n in self.noise]
        listed: Json = "shipped" if own is None else [written(recipe) for recipe in own.all]
        return {"suite": "tracebench", **self.public(), "noise": noise, "recipes": listed}


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
        name = known(text.removeprefix("tracebench/"), shipped_specs(), "build spec", "SPEC")
        path = Path(str(files(__package__) / "specs" / f"{name}.toml"))
    return parse_spec(read_toml(path), path)


def parse_spec(data: Mapping[str, Any], where: object) -> Spec:
    """A checked spec from parsed TOML; `where` is named in errors."""
    try:
        raw = _File.model_validate(dict(data))
    except ValidationError as error:
        raise explain(error, _File, where) from error
    systems = tuple(known(name, SYSTEMS, "system", f"{where}: systems") for name in raw.systems)
    spec = Spec(
        systems=without_repeats(systems, f"{where}: systems"),
        noise=_levels(raw.noise, where),
        modes=without_repeats(raw.modes, f"{where}: modes"),
        context=_supported(raw.context, CONTEXTS, f"{where}: context"),
        shots=_supported(raw.shots, SHOTS, f"{where}: shots"),
        seeds=without_repeats(raw.seeds, f"{where}: seeds"),
        samples=raw.samples,
        heldout=raw.heldout,
        recipes=read_recipes(raw.recipes, systems, where),
        secret=raw.secret,
    )
    _check_counts(spec, where)
    return spec


def _levels(given: Sequence[str | float], where: object) -> tuple[Level, ...]:
    names = {kappa: name for name, kappa in LEVELS.items()}
    levels = []
    for item in given:
        if isinstance(item, str):
            name = known(item, LEVELS, "noise level", f"{where}: noise")
            levels.append(Level(name, LEVELS[name]))
            continue
        if not 0 <= item <= 1000:
            raise SpecError(
                "noise level is not a number from 0 to 1000",
                value=item,
                where=f"{where}: noise",
                hint="Use none, low, high, or a multiplier such as 2.5.",
            )
        levels.append(Level(names.get(item, f"{item:g}"), item))
    return without_repeats(levels, f"{where}: noise")


def _supported(given: Sequence[Any], built: Sequence[Any], where: str) -> tuple[Any, ...]:
    for value in given:
        if value not in built:
            raise SpecError(
                "this condition cannot be built yet",
                value=value,
                where=where,
                hint=f"Use {' or '.join(str(choice) for choice in built)}.",
            )
    return without_repeats(given, where)


def _check_counts(spec: Spec, where: object) -> None:
    most = max(len(SYSTEMS[name].labels) for name in spec.systems)
    if spec.samples < most:
        raise SpecError(
            "a batch has fewer samples than classes",
            value=spec.samples,
            where=f"{where}: samples",
            hint=f"Use at least {most}, so that every class can occur.",
        )
    bad = [seed for seed in spec.seeds if seed < 0]
    if bad or (spec.heldout != "rest" and spec.heldout < 0):
        raise SpecError(
            "number is negative",
            value=bad[0] if bad else spec.heldout,
            where=f"{where}: {'seeds' if bad else 'heldout'}",
            hint="Use 0 or more.",
        )
