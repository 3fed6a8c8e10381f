"""The conditions of a set: which levels, modes, contexts and numbers of examples are combined.

    noise = ["low", "high"]        one product of all values, written at the top of a spec, or
    modes = ["direct"]

    [[conditions]]                 several products; the set holds every cell of each
    noise = ["high"]
    context = ["none"]
    shots = [3]

Takes what pydantic read; gives `Block`s with usable names and numbers, or one SpecError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from pydantic import BaseModel, ConfigDict, Field

from benchwright.canonical import Json, canonical_json
from benchwright.errors import SpecError
from benchwright.suites.tracebench.labels import CONTEXTS
from benchwright.suites.tracebench.noise import LEVELS
from benchwright.suites.tracebench.spec_errors import known, without_repeats
from benchwright.tasks.model import Mode

MOST_SHOTS = 100


class ConditionKeys(BaseModel):
    """The keys of one product; each has a default."""

    model_config = ConfigDict(extra="forbid")

    noise: list[str | float] = Field(default=["low", "high"], min_length=1)
    modes: list[Mode] = Field(default=["direct", "programmatic"], min_length=1)
    context: list[str] = Field(default=["full"], min_length=1)
    shots: list[int] = Field(default=[0], min_length=1)


@dataclass(frozen=True, slots=True)
class Level:
    """A noise level as it is named in axes and files, with its multiplier."""

    name: str
    """`none`, `low`, `high`, or the shortest text that reads back as the very multiplier."""
    kappa: float


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition: with system and seed it is one task."""

    level: Level
    mode: Mode
    context: str
    shots: int
    """Labelled examples per class."""


@dataclass(frozen=True, slots=True)
class Block:
    """A product of conditions."""

    noise: tuple[Level, ...]
    modes: tuple[Mode, ...]
    context: tuple[str, ...]
    shots: tuple[int, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every combination, level by level."""
        return tuple(Cell(*p) for p in product(self.noise, self.modes, self.context, self.shots))

    def keys(self, *, numbers: bool) -> dict[str, Json]:
        """The block as a spec says it; `numbers` gives multipliers where a level has no name."""
        return {
            "noise": [n.kappa if numbers and n.name not in LEVELS else n.name for n in self.noise],
            "modes": list(self.modes),
            "context": list(self.context),
            "shots": list(self.shots),
        }


def read_block(raw: ConditionKeys, where: object) -> Block:
    """A checked block; `where` is named in errors."""
    for number in raw.shots:
        if not 0 <= number <= MOST_SHOTS:
            raise SpecError(
                f"number of examples per class is not from 0 to {MOST_SHOTS}",
                value=number,
                where=f"{where}: shots",
                hint="Use 0, 1, 3 or another small number.",
            )
    for name in raw.context:
        known(name, CONTEXTS, "context", f"{where}: context")
    return Block(
        noise=_levels(raw.noise, where),
        modes=without_repeats(raw.modes, f"{where}: modes"),
        context=without_repeats(raw.context, f"{where}: context"),
        shots=without_repeats(raw.shots, f"{where}: shots"),
    )


def all_cells(blocks: Sequence[Block], where: object) -> tuple[Cell, ...]:
    """The cells of all blocks; one that stands in two is an error."""
    cells = [cell for block in blocks for cell in block.cells]
    for number, cell in enumerate(cells):
        if cell in cells[:number]:
            raise SpecError(
                "condition stands in two of the [[conditions]]",
                value=f"noise {cell.level.name}, {cell.mode}, context {cell.context}, "
                f"{cell.shots} shots",
                where=f"{where}: conditions",
                hint="Take it out of one of them.",
            )
    return tuple(cells)


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
        levels.append(Level(names.get(item) or canonical_json(item).decode(), item))
    without_repeats([level.name for level in levels], f"{where}: noise")
    return tuple(levels)
