"""The samples of a set as the audit of shortcuts takes them: what agents can see, and what is true.

Reads both halves of a set on disk; gives per system the true samples with how they are listed, and
per system and level the observed series beside the clean ones. Knows no learner.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchwright.suites.tracebench.golds import (
    EXAMPLES_FOLDER,
    SAMPLES_FOLDER,
    read_gold,
    recipe_of,
)
from benchwright.suites.tracebench.noise import LEVELS
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import read_heldout, read_sample
from benchwright.suites.tracebench.simulate import Runs, simulate
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet


@dataclass(frozen=True, slots=True)
class Listed:
    """Where one sample stands among the files or frames that come with it."""

    split: str
    place: int
    """Position in the listing, from 0."""
    of: int
    """Length of the listing."""
    sizes: Mapping[str, int]
    """Bytes at each noise level; empty for held-out samples, which are no files of their own."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """The samples of one system that a set holds at one level, sorted by name."""

    system: str
    level: str
    dynamics: str
    names: tuple[str, ...]
    noisy: NDArray[np.float32]
    """As agents and rules see them [sample, channel, row]."""
    clean: Runs
    """The same runs without noise, with their recipes."""


class Audited:
    """One set, opened for the audit; both halves stay unchanged."""

    def __init__(self, path: Path) -> None:
        self.tasks = TaskSet.open(path)
        self.held = HeldSet.open(path)
        self.recipes = _recipes(self.held)
        """Every sample of the set by name, each recipe once."""

    @property
    def dynamics(self) -> str:
        """With what the series were simulated."""
        return str(self.tasks.marks["dynamics"])

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Every system with every level at which the set asks about it."""
        found = {(task.axes["system"], task.axes["noise"]) for task in self.tasks.tasks}
        return tuple(sorted(found))

    def names(self, system: str, level: str | None = None) -> tuple[str, ...]:
        """The samples of a system that the set holds, at one level or at any, sorted."""
        found: set[str] = set()
        for task in self._tasks(system, level):
            found |= {path.name for path in _files(task)}
            held = read_gold(self.held.gold(task.id)).heldout
            found |= set(held.truth if held else ())
        return tuple(sorted(found))

    def observed(self, system: str, level: str) -> Observed:
        """The samples of a system at one level."""
        series = dict(self._series(system, level))
        names = tuple(sorted(series))
        clean = simulate([self.recipes[name] for name in names], self.dynamics)
        signals = [series[name][:, :-1].T for name in names]
        return Observed(system, level, self.dynamics, names, np.stack(signals), clean)

    def listed(self, system: str) -> dict[str, Listed]:
        """How each sample of a system is listed."""
        sizes: dict[str, dict[str, int]] = defaultdict(dict)
        places: dict[str, tuple[str, int, int]] = {}
        for task in self._tasks(system):
            for folder in (SAMPLES_FOLDER, EXAMPLES_FOLDER):
                files = _listing(task.files / folder)
                for place, path in enumerate(files):
                    places[path.name] = folder, place, len(files)
                    sizes[path.name][task.axes["noise"]] = path.stat().st_size
            names = self._heldout(task)
            places |= {name: ("heldout", place, len(names)) for place, name in enumerate(names)}
        return {name: Listed(*places[name], sizes[name]) for name in sorted(places)}

    def _tasks(self, system: str, level: str | None = None) -> Iterator[Task]:
        for task in self.tasks.tasks:
            if task.axes["system"] == system and level in (None, task.axes["noise"]):
                yield task

    def _series(self, system: str, level: str) -> Iterator[tuple[str, NDArray[np.float32]]]:
        """Every series as [row, column]; held-out ones once, though many tasks name them."""
        read: set[str] = set()
        for task in self._tasks(system, level):
            for path in _files(task):
                yield path.name, read_sample(path)
            held = read_gold(self.held.gold(task.id)).heldout
            if held is not None and held.file not in read:
                read.add(held.file)
                yield from read_heldout(self.held.shared(held.file))

    def _heldout(self, task: Task) -> Sequence[str]:
        """Names of held-out samples in the order in which a rule is asked about them."""
        held = read_gold(self.held.gold(task.id)).heldout
        if held is None:
            return ()
        table = pq.read_table(self.held.shared(held.file), columns=["name"])
        return [str(name) for name in table["name"].to_pylist()]


def kappa(level: str) -> float:
    """The multiplier of a level by its name in axes and files."""
    return LEVELS[level] if level in LEVELS else float(level)


def _recipes(held: HeldSet) -> dict[str, Recipe]:
    table = pq.read_table(held.shared("samples.parquet"), columns=["name", "content"])
    rows = zip(table["name"].to_pylist(), table["content"].to_pylist(), strict=True)
    return {str(name): recipe_of(json.loads(content)) for name, content in rows}


def _files(task: Task) -> list[Path]:
    """The series that a task gives to its agent."""
    return [
        path
        for folder in (SAMPLES_FOLDER, EXAMPLES_FOLDER)
        for path in _listing(task.files / folder)
    ]


def _listing(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
