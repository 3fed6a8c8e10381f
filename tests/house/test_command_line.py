"""The contract of the command line: help is light, refusals are one line and exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("inspect_ai", "pandas", "numba", "duckdb", "plotly", "scipy.stats")
VERBS = ("demo", "build", "check", "run", "score", "show", "report", "agents")

WALK = """
import contextlib, io, sys, typer
from benchwright.cli import app, exit_code
def walk(command, path):
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from walk(inner, [*path, name])
for path in list(walk(typer.main.get_command(app), [])):
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        code = exit_code([*path, "--help"])
    print("path", *path, "code", code, "lines", len(shown.getvalue().splitlines()))
print("heavy", *[name for name in HEAVY if name in sys.modules])
"""


def python(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def benchwright(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from benchwright.cli import main; main()", *words]
    environment = {**os.environ, "COLUMNS": "100"}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)


def test_help_of_every_verb_works_and_loads_nothing_heavy() -> None:
    *paths, heavy = python(f"HEAVY = {HEAVY!r}\n{WALK}")
    assert len(paths) > len(VERBS)
    assert [line for line in paths if "code 0 lines" not in line or line.endswith("lines 0")] == []
    assert heavy.split() == ["heavy"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_of_the_contract_is_there(verb: str, tmp_path: Path) -> None:
    done = benchwright(verb, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert verb in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["build"],
        ["build", "nowhere.toml", "--out", "tasks"],
        ["build", "tracebench/none", "--out", "tasks"],
        ["check", "nowhere"],
        ["run", "nowhere", "--agent", "noop", "--out", "run"],
        ["score", "nowhere"],
        ["show", "nowhere"],
        ["report", "nowhere", "--out", "page"],
        ["run", "nowhere", "--agent", "noop", "--out", "run", "--parallel", "0"],
    ],
    ids=" ".join,
)
def test_unusable_input_is_one_line_and_exit_code_2(words: list[str], tmp_path: Path) -> None:
    done = benchwright(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("benchwright: ")
    assert os.listdir(tmp_path) == []


def test_without_arguments_the_verbs_are_listed(tmp_path: Path) -> None:
    done = benchwright(cwd=tmp_path)
    assert done.returncode == 2
    assert [verb for verb in VERBS if verb not in done.stdout] == []


def test_the_version_is_that_of_the_package(root: Path, tmp_path: Path) -> None:
    said = benchwright("--version", cwd=tmp_path).stdout.split()
    assert f'version = "{said[-1]}"' in (root / "pyproject.toml").read_text()
