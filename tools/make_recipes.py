"""Writes the shipped recipes: `python -m tools.make_recipes [SYSTEM ...]`.

Draws steps around the published configurations, keeps those that pass every rule and both ratio
tests at high noise, under both dynamics, and keeps a configuration only if two different parameters
of it are left. The ratios in the file are those of `exact`. The same seed gives the same file.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchwright.storage import write_text
from benchwright.suites.tracebench.probes import Verdict, ratio_tests, refusals
from benchwright.suites.tracebench.published import published_by_id
from benchwright.suites.tracebench.recipes import Recipe, validate
from benchwright.suites.tracebench.sampler import children
from benchwright.suites.tracebench.shipped import FORMAT
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import SYSTEMS

SEED: Final = "shipped recipes 1"
DYNAMICS: Final = "exact"
ALSO: Final = "released"
PER_SIDE: Final = 12
PER_PARAMETER: Final = 2
LEAST_PARAMETERS: Final = 2
DATA: Final = Path(__file__).resolve().parent.parent / "src/benchwright/suites/tracebench/data"

Kept = dict[str, list[tuple[Recipe, Verdict]]]


def main(names: Sequence[str]) -> None:
    """Write the file of each system named, of all without a name."""
    for name in names or list(SYSTEMS):
        path = DATA / f"recipes_{name}.toml"
        write_text(path, "\n".join(_lines(name)) + "\n")
        print(f"wrote {path.name}")


def _lines(system: str) -> Iterator[str]:
    yield f"# Shipped recipes of {system}: steps around published configurations that pass both"
    yield "# ratio tests at kappa 4 and every rule, under both dynamics; at least two different"
    yield "# parameters per configuration, whose run without a step is a recipe too. The lists are"
    yield "# ratios per channel under exact: to no change, and to the new value from the start."
    yield "# Made by tools/make_recipes.py; do not edit."
    yield f'format = "{FORMAT}"'
    yield f'system = "{system}"'
    yield f'dynamics = "{DYNAMICS}"'
    yield f'seed = "{SEED}"'
    yield f'version = "{version("benchwright")}"'
    for identity, configuration in published_by_id(system).items():
        kept = _kept(configuration)
        if len(kept) >= LEAST_PARAMETERS:
            yield from _configuration(identity, configuration, kept)


def _kept(configuration: Recipe) -> Kept:
    """By parameter, the first recipes drawn that pass; sides take turns."""
    passed: Kept = defaultdict(list)
    for recipe, verdict in _passing(children(configuration, PER_SIDE, SEED)):
        assert recipe.step is not None
        passed[recipe.step.parameter].append((recipe, verdict))
    return {name: _alternate(rows)[:PER_PARAMETER] for name, rows in passed.items()}


def _passing(candidates: Sequence[Recipe]) -> Iterator[tuple[Recipe, Verdict]]:
    for candidate in candidates:
        validate(candidate)
    both = [refusals(candidates, dynamics=dynamics) for dynamics in (DYNAMICS, ALSO)]
    seen = [
        candidate
        for candidate, *why in zip(candidates, *both, strict=True)
        if set(why) == {Reason.KEPT}
    ]
    yield from zip(seen, ratio_tests(seen, dynamics=DYNAMICS), strict=True)


def _alternate(rows: list[tuple[Recipe, Verdict]]) -> list[tuple[Recipe, Verdict]]:
    sides: dict[bool, int] = {True: 0, False: 0}
    places = []
    for recipe, _ in rows:
        assert recipe.step is not None
        up = recipe.step.value > recipe.values[recipe.step.parameter]
        places.append((sides[up], not up))
        sides[up] += 1
    order = sorted(range(len(rows)), key=places.__getitem__)
    return [rows[index] for index in order]


def _configuration(identity: str, configuration: Recipe, kept: Kept) -> Iterator[str]:
    yield ""
    yield "[[configuration]]"
    yield f'id = "{identity}"'
    values = ", ".join(f"{name} = {value!r}" for name, value in configuration.values.items())
    yield f"values = {{ {values} }}"
    yield "steps = ["
    for rows in kept.values():
        for recipe, verdict in rows:
            assert recipe.step is not None
            yield (
                f'  {{ parameter = "{recipe.step.parameter}", value = {recipe.step.value!r}, '
                f"time = {recipe.step.time!r}, no_change = {_short(verdict.no_change)}, "
                f"static = {_short(verdict.static)} }},"
            )
    yield "]"


def _short(ratios: Sequence[float]) -> str:
    return "[" + ", ".join(f"{float(f'{ratio:.6g}')!r}" for ratio in ratios) + "]"


if __name__ == "__main__":
    main(sys.argv[1:])
