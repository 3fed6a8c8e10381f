"""The demo set, built once for all tests of this folder, and its store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwright.executors import SerialExecutor
from benchwright.suites.telemetry.build import build, load_spec
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.proof.case import Case, case_of
from benchwright.suites.telemetry.proof.desk import Desk
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.taskset import HeldSet, TaskSet


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    """The demo set."""
    out = tmp_path_factory.mktemp("proof") / "demo"
    return build(load_spec("telemetry/demo"), out, SerialExecutor())


@pytest.fixture(scope="session")
def held(demo: TaskSet) -> HeldSet:
    """Its held half."""
    return HeldSet.open(demo.path)


@pytest.fixture(scope="session")
def desk(demo: TaskSet) -> Iterator[Desk]:
    """Its store, to be called."""
    yield Desk(Store(demo.path / "store"))


@pytest.fixture(scope="session")
def cases(demo: TaskSet, held: HeldSet, desk: Desk) -> dict[str, Case]:
    """One conversation of every family, by family."""
    found: dict[str, Case] = {}
    for task in demo.tasks:
        if task.axes["family"] not in found:
            script, duties, _ = conversation(held.gold(task.id))
            found[task.axes["family"]] = case_of(script, duties, desk)
    return found


@pytest.fixture(scope="session")
def folder(demo: TaskSet) -> Path:
    """Where the demo set is."""
    return demo.path
