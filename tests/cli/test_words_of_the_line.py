"""What the command line says of itself: help, flags, names, and refusals with value and place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.cli.check import CHECKS
from benchwright.suites import open_suite, suite_names
from tests.cli.commands import benchwright


@pytest.mark.parametrize("words", [[], ["log"]], ids=["benchwright", "log"])
def test_a_command_alone_prints_its_help_and_nothing_else(words: list[str]) -> None:
    said = benchwright(*words)
    assert "Usage: benchwright" in said.everything and "Try:" not in said.everything


def test_help_of_check_names_every_check() -> None:
    said = " ".join(benchwright("check", "--help", env={"COLUMNS": "200"}).out.split())
    own = [name for suite in suite_names() for name in open_suite(suite).checks]
    assert [name for name in {*CHECKS, *own} if not re.search(rf"\b{name}\b", said)] == []


@pytest.mark.parametrize("verb", ["run", "score", "show", "report", "build", "check"])
def test_a_flag_is_shown_as_one(verb: str) -> None:
    flags = ("--json", "--retry", "--verify", "--rerun")
    lines = [
        line
        for line in benchwright(verb, "--help").out.splitlines()
        if any(f"{flag} " in line for flag in flags)
    ]
    assert lines and not any("<bool>" in line or "--no-" in line for line in lines)


@pytest.mark.parametrize(
    ("flag", "value"), [("--trials", "0"), ("--parallel", "0"), ("--parallel", "257")]
)
def test_a_number_out_of_its_range_is_refused_with_value_and_place(
    flag: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(tmp_path), "--agent", "noop", "--out", str(tmp_path / "run"), flag, value]
    assert exit_code(words) == 2
    assert f"{value} ({flag}). Use 1" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_suite_is_refused_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('suite = "trace"\n')
    assert exit_code(["build", str(file), "--out", str(tmp_path / "set")]) == 2
    assert f"'trace' ({file}: suite)" in capsys.readouterr().err
