"""The series of one task's samples as pages draw them: observed, clean, and both probes.

Observed series are the files that the agent got; the others are simulated again from the recipes
in the gold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import TaskSetError
from benchwright.suites.tracebench.golds import read_gold, sample_path, true_answers
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import read_sample
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.systems import Variable, get_system
from benchwright.tasks.model import Gold, Task

HINTS = {
    "observed": "what the agent got",
    "clean": "the same run without noise",
    "no_change": "the same configuration, but nothing changes",
    "static": "the new value from the start, so that nothing changes either",
}


@dataclass(frozen=True, slots=True)
class Series:
    """The four arrays [channel, row] of one sample; probes are None where nothing changes."""

    observed: NDArray[np.float32]
    clean: NDArray[np.float32]
    no_change: NDArray[np.float32] | None
    static: NDArray[np.float32] | None


def series_of(task: Task, gold: Gold) -> Mapping[str, Series]:
    """Series of one task by sample; kept for the next call, since a page per agent shows them."""
    true_answers(task, gold)
    return _series(task.files, gold.folder, task.submission.samples)


def change_words(recipe: Recipe) -> str:
    """What changes in a run, from which value to which, and when."""
    step = recipe.step
    if step is None:
        return "Nothing changes."
    variable = get_system(recipe.system).variable(step.parameter)
    before = value_words(variable, recipe.values[step.parameter])
    return f"{variable.words}: {before} → {value_words(variable, step.value)} at {step.time:.4g} s"


def value_words(variable: Variable, value: float) -> str:
    """A value with its unit."""
    unit = "" if variable.unit in ("", "-", "1") else f" {variable.unit.replace('^2', '²')}"
    return f"{value:.5g}{unit}"


@lru_cache(maxsize=2)
def _series(files: Path, gold: Path, names: tuple[str, ...]) -> dict[str, Series]:
    answers = read_gold(Gold("", "", gold))
    recipes = [answers.recipes[name] for name in names]
    clean = simulate(recipes, answers.dynamics).samples
    unchanged = simulate([recipe.baseline() for recipe in recipes], answers.dynamics).samples
    static = simulate([recipe.static() for recipe in recipes], answers.dynamics).samples
    found = {}
    for i, (name, recipe) in enumerate(zip(names, recipes, strict=True)):
        seen = np.ascontiguousarray(read_sample(sample_path(files, name))[:, :-1].T)
        if seen.shape != clean[i].shape:
            raise TaskSetError(
                "sample has another length than its system",
                value=seen.shape,
                where=sample_path(files, name),
                hint="Build the set again.",
            )
        probes = (unchanged[i], static[i]) if recipe.step else (None, None)
        found[name] = Series(seen, clean[i], *probes)
    return found
