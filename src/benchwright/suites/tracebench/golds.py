"""The gold of one task as its verifier reads it, and every frame that a submitted rule must answer.

`gold.json` holds the true label of every test sample, the recipes behind them, and for programmatic
tasks the held-out file by name and digest with its true labels. Reads only the held half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.canonical import digest, digest_file
from benchwright.errors import SpecError, TaskSetError
from benchwright.isolation.rule import Frame
from benchwright.storage import read_json, safe_join
from benchwright.storage.records import Digest, Text, record
from benchwright.suites.tracebench.contract import check_heldout, check_truth
from benchwright.suites.tracebench.recipes import Recipe, Step, validate
from benchwright.suites.tracebench.series import COLUMNS, read_heldout, read_sample
from benchwright.suites.tracebench.spec_errors import known
from benchwright.suites.tracebench.systems import get_system
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import HeldSet

GOLD_FORMAT = "benchwright.tracebench-gold/1"
SAMPLES_FOLDER = "test_samples"
EXAMPLES_FOLDER = "train_samples"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Held-out series of one system and noise level; tasks with the same ones share the file."""

    file: Text
    """Name in `held/shared/`."""
    digest: Digest
    truth: Mapping[str, Text]
    """Sample file name to label."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What is true about the samples of one task."""

    truth: Mapping[str, str]
    """Test sample file name to label."""
    recipes: Mapping[str, Recipe]
    """Test sample file name to the run behind it."""
    heldout: HeldOut | None
    dynamics: str
    """With what the series were simulated."""


@dataclass(frozen=True, slots=True)
class _RecipeFile:
    """A recipe in its plain form; `step` is null where nothing changes, and never absent."""

    system: str
    values: Mapping[str, float]
    step: Step | None


@dataclass(frozen=True, slots=True)
class _GoldFile:
    truth: Mapping[str, Text]
    recipes: Mapping[str, _RecipeFile]
    heldout: HeldOut | None
    dynamics: str


def read_gold(gold: Gold) -> Answers:
    """The content of `gold.json`; every recipe in it can be simulated."""
    file = gold.folder / "gold.json"
    stated = record(_GoldFile, read_json(file, form=GOLD_FORMAT), file)
    recipes = {name: _checked(entry, file) for name, entry in stated.recipes.items()}
    for recipe in recipes.values():
        known(stated.dynamics, get_system(recipe.system).dynamics, "dynamics", f"{file}: dynamics")
    return Answers(stated.truth, recipes, stated.heldout, stated.dynamics)


def true_answers(task: Task, gold: Gold) -> Answers:
    """The same, once it fits the task: these samples, and labels that the task allows.

    Raises:
        TaskSetError: gold and task are about different things.
    """
    answers = read_gold(gold)
    check_truth(task, answers.truth, answers.recipes)
    check_heldout(task, answers.heldout.truth if answers.heldout else {})
    return answers


def heldout_key(gold: Gold) -> str | None:
    """Digest of a task's held-out series and their truth; None where it has none."""
    held = read_gold(gold).heldout
    return digest({"series": held.digest, "truth": held.truth}) if held else None


def recipe_of(entry: object, where: object = "recipe") -> Recipe:
    """A recipe from its plain form `{system, values, step}`."""
    return _recipe(record(_RecipeFile, entry, where))


def sample_path(files: Path, name: str) -> Path:
    """Where a test sample stands among the files of its task."""
    return safe_join(files / SAMPLES_FOLDER, name)


def frames(task: Task, gold: Gold, held: HeldSet) -> Iterator[Frame]:
    """Test samples, then held-out samples, each by name; names are salted, so order says nothing.

    Values are float32 [row, column], exactly those of the files.

    Raises:
        TaskSetError: the held-out file is not the one that the gold was made with.
    """
    heldout = true_answers(task, gold).heldout
    yield from batch_frames(task)
    if heldout is not None:
        yield from heldout_frames(heldout, held)


def batch_frames(task: Task) -> Iterator[Frame]:
    """The test samples alone, by name."""
    for name in task.submission.samples:
        yield Frame(name, COLUMNS, read_sample(sample_path(task.files, name)))


def heldout_frames(heldout: HeldOut, held: HeldSet) -> Iterator[Frame]:
    """The held-out series alone, by name; TaskSetError as for `frames`."""
    path = held.shared(heldout.file)
    if digest_file(path) != heldout.digest:
        raise TaskSetError(
            "held-out file is not the one that the gold names",
            value=heldout.file,
            where="held/shared",
            hint="Build the set again from its spec.",
        )
    for name, values in read_heldout(path):
        yield Frame(name, COLUMNS, values)


def _checked(entry: _RecipeFile, file: Path) -> Recipe:
    recipe = _recipe(entry)
    try:
        validate(recipe)
    except SpecError as error:
        where = f"{file}, {error.where}"
        raise TaskSetError(
            error.problem, value=error.value, where=where, hint=error.hint
        ) from error
    return recipe


def _recipe(entry: _RecipeFile) -> Recipe:
    return Recipe(entry.system, entry.values, entry.step)
