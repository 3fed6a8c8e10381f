"""A small set and a run of it that every test here damages and puts right again."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.spec import parse_spec
from tests.report.conftest import make_run
from tests.robust.sealing import seal

SPEC = {
    "suite": "tracebench",
    "systems": ["BallDrop"],
    "noise": ["low"],
    "samples": 5,
    "heldout": 1,
}


@dataclass(frozen=True)
class Said:
    """What one command line answered."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Damaged:
    """The folders of a set and of a run, and what stood in them at first."""

    tasks: Path
    run: Path
    good: dict[Path, bytes]

    def restore(self) -> None:
        """Every file as it was; what came to stand in its place is removed."""
        for path, data in self.good.items():
            if path.is_symlink():
                path.unlink()
            elif path.is_dir():
                path.rmdir()
            if not path.is_file() or path.read_bytes() != data:
                path.write_bytes(data)

    def seal(self) -> None:
        """Digests follow the files."""
        seal(self.tasks, self.run)

    def episode(self, agent: str, mode: str) -> Path:
        """Folder of one closed episode."""
        return next((self.run / "episodes").glob(f"*-{mode}-*-{agent}-*"))

    def task(self, mode: str) -> str:
        """Id of one task."""
        return next((self.tasks / "tasks").glob(f"*-{mode}-*")).name


def call(*arguments: object) -> Said:
    """One command line in this process; an exception that it does not expect goes through."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = exit_code([str(argument) for argument in arguments])
    return Said(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Damaged:
    root = tmp_path_factory.mktemp("robust")
    tasks = build(parse_spec(SPEC, "tests"), root / "set", SerialExecutor())
    run = make_run(tasks, root / "run")
    good = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return Damaged(tasks.path, run.path, good)


@pytest.fixture
def damaged(whole: Damaged):
    yield whole
    whole.restore()
