"""What every task of tracebench fulfils, whoever built it: its axes, and answers that fit it.

Takes an opened task, and what its gold says; gives nothing, or one `TaskSetError`. A set that was
damaged, or made by other hands, is refused here and nowhere deeper. Reads no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from benchwright.errors import TaskSetError
from benchwright.storage.records import Text, record
from benchwright.suites.tracebench.labels import shown
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.systems import get_system
from benchwright.tasks.model import Mode, Task

_Number = Annotated[str, Field(pattern="^(0|[1-9][0-9]{0,18})$")]


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of a task by their names; all are text in a task, seed and shots digits."""

    system: Text
    noise: Text
    mode: Mode
    context: Literal["full", "none"]
    shots: _Number
    seed: _Number


def check_task(task: Task) -> Axes:
    """The axes of `task`; one of benchwright's errors where they, mode or suite do not fit."""
    axes = record(Axes, task.axes, f"task {task.id}: axes")
    get_system(axes.system)
    if task.suite != "tracebench" or axes.mode != task.submission.mode:
        raise _refused(task, "task contradicts its axes", (task.suite, task.submission.mode))
    return axes


def check_truth(task: Task, truth: Mapping[str, str], recipes: Mapping[str, Recipe]) -> None:
    """Every sample of `task` has a recipe of its system, and the label that the recipe has."""
    axes = check_task(task)
    samples = set(task.submission.samples)
    if set(truth) != samples or set(recipes) != samples:
        differing = sorted((set(truth) | set(recipes)) ^ samples) or sorted(set(truth) ^ samples)
        raise _refused(task, "gold is about other samples than the task", differing[:1])
    names = shown(get_system(axes.system), axes.context)
    for sample, recipe in recipes.items():
        if recipe.system != axes.system or names[recipe.label] != truth[sample]:
            raise _refused(task, "label of a sample is not that of its recipe", sample)
    _check_labels(task, truth)


def check_heldout(task: Task, truth: Mapping[str, str]) -> None:
    """Rules are asked about as many held-out samples as the task says, and no test sample."""
    if task.submission.mode == "direct":
        return
    if len(truth) != task.submission.heldout or set(truth) & set(task.submission.samples):
        raise _refused(task, "gold has other held-out samples than the task", len(truth))
    _check_labels(task, truth)


def _check_labels(task: Task, truth: Mapping[str, str]) -> None:
    for sample, label in truth.items():
        if label not in task.submission.labels:
            raise _refused(task, f"true label of {sample} cannot be answered", label)


def _refused(task: Task, problem: str, value: object) -> TaskSetError:
    return TaskSetError(problem, value=value, where=task.id, hint="Build the set again.")
