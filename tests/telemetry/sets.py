"""Built sets as tests read them: golds by id, the store, and what a row touches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.executors import SerialExecutor
from benchwright.storage import read_json, read_text
from benchwright.suites.telemetry.build import build
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.taskset import HeldSet, TaskSet

Gold = Mapping[str, Any]


@dataclass(frozen=True)
class Built:
    """A set on disk."""

    path: Path

    @cached_property
    def golds(self) -> dict[str, Gold]:
        """Every gold by task id."""
        held = self.path / "held"
        return {p.parent.name: read_json(p) for p in sorted(held.glob("*/gold.json"))}

    @cached_property
    def store(self) -> Store:
        """The store of the set."""
        return Store(self.path / "store")

    @cached_property
    def tasks(self) -> TaskSet:
        """The public half."""
        return TaskSet.open(self.path)

    @cached_property
    def held(self) -> HeldSet:
        """The other half."""
        return HeldSet.open(self.path)

    def of(self, family: str, variant: str = "usual") -> list[Gold]:
        """Golds of one kind."""
        return [
            g
            for g in self.golds.values()
            if (g["identity"]["family"], g["identity"]["variant"]) == (family, variant)
        ]

    @property
    def identity(self) -> dict[str, Any]:
        """All that must be the same when it is made again: ids, golds, exports, selection."""
        return {
            "tasks": self.tasks.task_digests,
            "golds": self.held.digests.golds,
            "exports": self.store.marks["exports"],
            "selection": self.shared("selection.txt"),
            "thresholds": self.shared("thresholds.json") + self.shared("margins.json"),
        }

    def shared(self, name: str) -> str:
        """A held file that all rows share."""
        return read_text(self.held.shared(name))


def build_into(corpus: Corpus, out: Path) -> Built:
    """Build a set."""
    build(corpus, out, SerialExecutor())
    return Built(out)


def reads(gold: Gold) -> Iterator[tuple[str, int, int]]:
    """Stream, start and end of everything that a row and its conversation read."""
    for read in [*gold["evidence"]["reads"], *gold["reads"]]:
        yield read["stream"], read["start"], read["end"]
