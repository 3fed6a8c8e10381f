"""The jumps bar: the cheap rule on samples that it was not made with, 50 per system.

The samples come from `jump_samples`; their seed was fixed before the first look, so this is one
look and not a choice among several. The rule runs where every submitted rule runs: in a box, a
process per sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from benchmarks.bar import Bar
from benchmarks.jump_samples import SEED, Source, rises, samples
from benchwright.isolation.rule import Frame, RuleLimits, run_rule
from benchwright.scoring.answers import top1
from benchwright.stats.intervals import clopper_pearson
from benchwright.suites.tracebench.jumps import rule_source
from benchwright.suites.tracebench.noise import LEVELS
from benchwright.suites.tracebench.observed import at_level
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import COLUMNS
from benchwright.suites.tracebench.simulate import Runs, simulate
from benchwright.suites.tracebench.spec import Level
from benchwright.suites.tracebench.systems import SYSTEMS, get_system

AREA: Final = "jumps"
LEAST: Final = 0.45
BOUND_AT: Final = "low"


def measure() -> Iterator[Bar]:
    """Per system: what was drawn, and top-1 at low noise, which is bound, and at high noise."""
    for system in SYSTEMS:
        sources = samples(system)
        yield Bar(AREA, f"{system}: samples", _drawn(sources), "", None)
        recipes = [recipe for _, recipe in sources]
        clean = simulate(recipes)
        for level in (Level(name, LEVELS[name]) for name in (BOUND_AT, "high")):
            noisy = at_level(clean, level, [recipe.digest for recipe in recipes], SEED)
            yield _bar(system, level.name, recipes, answers(noisy))


def answers(runs: Runs) -> list[tuple[str, ...] | None]:
    """The ranked labels that the rule gives for each run; None where it failed."""
    frames = [
        Frame(str(index), COLUMNS, np.column_stack([*signals, runs.time.astype(np.float32)]))
        for index, signals in enumerate(runs.samples)
    ]
    source = rule_source(runs.system.name, runs.system.labels)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rule.py"
        file.write_text(source, encoding="utf-8")
        return [answer.labels for answer in run_rule(file, frames, RuleLimits())]


def _bar(
    system: str, level: str, recipes: Sequence[Recipe], given: Sequence[tuple[str, ...] | None]
) -> Bar:
    pairs = list(zip(recipes, given, strict=True))
    right = Counter(r.label for r, labels in pairs if labels and top1(labels, r.label) == 1.0)
    of = Counter(recipe.label for recipe in recipes)
    hits, n = right.total(), len(recipes)
    low, high = clopper_pearson(hits, n)
    classes = ", ".join(f"{name} {right[name]}/{of[name]}" for name in get_system(system).labels)
    figure = (
        f"top-1 {hits / n:.2f} ({hits} of {n}), 95 % interval {low:.2f} to {high:.2f}; "
        f"{given.count(None)} failed; {classes}"
    )
    bound = level == BOUND_AT
    must = f"top-1 at least {LEAST}" if bound else ""
    return Bar(AREA, f"{system}: {level} noise", figure, must, hits / n >= LEAST if bound else None)


def _drawn(sources: Sequence[Source]) -> str:
    uses = Counter(origin for origin, _ in sources)
    sides = Counter(rises(recipe) for _, recipe in sources)
    return (
        f"{len(sources)} around {len(uses)} baselines, {min(uses.values())} to "
        f"{max(uses.values())} each; {sides[True]} up, {sides[False]} down, {sides[None]} unchanged"
    )
