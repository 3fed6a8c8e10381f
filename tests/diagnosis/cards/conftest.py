"""One run and one round of cards, made by the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.episodes.folder import RunFolder
from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.spec import parse_spec
from benchwright.tasks.taskset import TaskSet
from tests.diagnosis.cards.rounds import make_run

SPEC = {
    "format": "benchwright.spec/1", "suite": "tracebench", "systems": ["MassSlide"],
    "noise": ["low"], "modes": ["direct"], "seeds": [0, 1], "recipes": "shipped", "secret": False,
}  # fmt: skip


@pytest.fixture(scope="session")
def card_tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    out = tmp_path_factory.mktemp("card-set") / "set"
    return build(parse_spec(SPEC, "tests"), out, SerialExecutor())


@pytest.fixture(scope="session")
def card_run(card_tasks: TaskSet, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return make_run(card_tasks, tmp_path_factory.mktemp("card-run") / "run")


@pytest.fixture(scope="session")
def made_round(card_run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("round") / "round"
    words = ["diagnose", "cards", card_run.path, "--out", out, "--raters", "Ada,Bo", "--seed", 3]
    assert exit_code(list(map(str, words))) == 0
    return out


@pytest.fixture
def round_(made_round: Path, tmp_path: Path) -> Path:
    """A copy of the round, to be filled."""
    return shutil.copytree(made_round, tmp_path / "round")
