"""`run.py`: what it says before it installs anything, and when it installs nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.source import ROOT

INPUTS = (
    "run.py",
    "pyproject.toml",
    "constraints.txt",
    "src/benchwright/isolation/agent-constraints.txt",
)


def run(checkout: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(checkout / "run.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def inside(checkout: Path, code: str) -> list[str]:
    """What a Python program prints that has imported the checkout's `run.py`."""
    command = [sys.executable, "-c", f"import run; {code}"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The inputs of the environment without the environment."""
    for name in INPUTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def installed(checkout: Path) -> Path:
    """An environment that `run.py` believes finished; its programs print what they are given."""
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "benchwright"):
        (programs / name).write_text('#!/bin/sh\necho "$(basename "$0") $@ in $PWD"\n')
        (programs / name).chmod(0o755)
    inside(checkout, "run.STAMP.write_text(' '.join(run.wanted(True)))")
    return checkout


@pytest.mark.parametrize(("words", "code"), [(["--help"], 0), ([], 2), (["dmo"], 2)])
def test_help_and_nonsense_show_the_three_commands(
    checkout: Path, tmp_path: Path, words: list[str], code: int
) -> None:
    done = run(checkout, *words, cwd=tmp_path)
    assert done.returncode == code
    assert [verb for verb in ("demo", "test", "bars") if f"run.py {verb}" not in done.stdout] == []
    assert not (checkout / ".venv").exists()


def test_the_first_line_comes_before_anything_is_installed(checkout: Path) -> None:
    (checkout / "constraints.txt").write_text("not a requirement ==\n")
    start = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "run.py", "demo"], cwd=checkout, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        took = time.monotonic() - start
        child.kill()
    assert line.startswith("benchwright demo: Python ")
    assert took < 1


def test_a_finished_environment_is_left_alone(installed: Path, tmp_path: Path) -> None:
    before = sorted((p, p.stat().st_mtime_ns) for p in (installed / ".venv").rglob("*"))
    done = run(installed, "demo", cwd=tmp_path)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert sorted((p, p.stat().st_mtime_ns) for p in (installed / ".venv").rglob("*")) == before


def test_the_demo_runs_where_it_was_called(installed: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = run(installed, "demo", cwd=elsewhere).stdout.splitlines()[-1]
    assert said == f"benchwright demo --out ../demo in {elsewhere}"
    said = run(installed, "demo", "--", "--out", "x", cwd=elsewhere).stdout.splitlines()[-1]
    assert said == f"benchwright demo --out x in {elsewhere}"


def test_tests_run_in_the_checkout_and_get_further_arguments(installed: Path) -> None:
    said = run(installed, "test", "--", "-k", "core", cwd=Path("/")).stdout.splitlines()
    tests = "pytest -n auto --dist loadfile -m not slow -k core"
    assert [line for line in said if line.startswith("python -m")] == [
        f"python -m {words} in {installed}"
        for words in ("ruff check .", "ruff format --check .", "mypy", tests)
    ]
    slow = run(installed, "test", "--slow", cwd=Path("/")).stdout
    assert f"python -m pytest -n auto --dist loadfile in {installed}" in slow.splitlines()


def test_the_first_failure_gives_the_exit_code_and_the_rest_still_runs(installed: Path) -> None:
    program = installed / ".venv" / "bin" / "python"
    program.write_text('#!/bin/sh\necho "$@"\ncase "$2" in mypy) exit 5;; pytest) exit 1;; esac\n')
    done = run(installed, "test", cwd=installed)
    assert done.returncode == 5
    assert done.stdout.splitlines()[-2:] == [
        "-m pytest -n auto --dist loadfile -m not slow",
        "failed: mypy, pytest -n",
    ]


@pytest.mark.parametrize("name", INPUTS[1:])
def test_a_changed_input_asks_for_a_new_environment(installed: Path, name: str) -> None:
    asked = "print(run.wanted(True) <= run.stamp(), run.wanted(False) <= run.stamp())"
    assert inside(installed, asked) == ["True", "True"]
    (installed / name).write_text((installed / name).read_text() + "\n# changed\n")
    assert inside(installed, asked) == ["False", "False"]


def test_an_environment_without_the_tools_is_not_enough_for_the_tests(installed: Path) -> None:
    (installed / ".venv" / "benchwright-stamp").unlink()
    inside(installed, "run.STAMP.write_text(' '.join(run.wanted(False)))")
    asked = "print(run.wanted(True) <= run.stamp(), run.wanted(False) <= run.stamp())"
    assert inside(installed, asked) == ["False", "True"]


def test_an_installation_that_was_cut_short_is_not_built_upon(installed: Path) -> None:
    program = installed / ".venv" / "bin" / "python"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    code = "print(run.usable()); run.UNFINISHED.touch(); print(run.usable())"
    assert inside(installed, code) == ["True", "False"]


def test_an_environment_of_another_interpreter_is_not_built_upon(installed: Path) -> None:
    assert inside(installed, "print(run.usable())") == ["False"]
