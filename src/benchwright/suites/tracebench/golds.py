"""The gold of one task as its verifier reads it, and every frame that a submitted rule must answer.

`gold.json` holds the true label of every test sample, the recipes behind them, and for programmatic
tasks the held-out file by name and digest with its true labels. Reads only the held half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.canonical import digest, digest_file
from benchwright.errors import TaskSetError
from benchwright.isolation.rule import Frame
from benchwright.storage import read_json
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.series import COLUMNS, read_heldout, read_sample
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import HeldSet

GOLD_FORMAT = "benchwright.tracebench-gold/1"
SAMPLES_FOLDER = "test_samples"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Held-out series of one system and noise level; tasks with the same ones share the file."""

    file: str
    """Name in `held/shared/`."""
    digest: str
    truth: Mapping[str, str]
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


def read_gold(gold: Gold) -> Answers:
    """The content of `gold.json`."""
    data = read_json(gold.folder / "gold.json", form=GOLD_FORMAT)
    held = data["heldout"]
    return Answers(
        truth=data["truth"],
        recipes={name: recipe_of(entry) for name, entry in data["recipes"].items()},
        heldout=HeldOut(held["file"], held["digest"], held["truth"]) if held else None,
        dynamics=data["dynamics"],
    )


def heldout_key(gold: Gold) -> str | None:
    """Digest of a task's held-out series and their truth; None where it has none."""
    held = read_gold(gold).heldout
    return digest({"series": held.digest, "truth": held.truth}) if held else None


def recipe_of(entry: Mapping[str, object]) -> Recipe:
    """A recipe from its plain form `{system, values, step}`."""
    step = entry["step"]
    values = entry["values"]
    assert isinstance(values, Mapping) and (step is None or isinstance(step, Mapping))
    return Recipe(str(entry["system"]), dict(values), Step(**step) if step else None)


def frames(task: Task, gold: Gold, held: HeldSet) -> Iterator[Frame]:
    """Test samples, then held-out samples, each by name; names are salted, so order says nothing.

    Values are float32 [row, column], exactly those of the files.

    Raises:
        TaskSetError: the held-out file is not the one that the gold was made with.
    """
    yield from batch_frames(task)
    heldout = read_gold(gold).heldout
    if heldout is not None:
        yield from heldout_frames(heldout, held)


def batch_frames(task: Task) -> Iterator[Frame]:
    """The test samples alone, by name."""
    for name in task.submission.samples:
        yield Frame(name, COLUMNS, read_sample(task.files / SAMPLES_FOLDER / name))


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
