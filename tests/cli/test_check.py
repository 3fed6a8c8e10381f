"""`check` says what it looked at, what it left out, and how far it is while it works."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from benchwright.checks.model import Note, Problem
from benchwright.checks.soundness import AGENTS
from benchwright.cli import exit_code as run
from benchwright.cli.check import CHECKS, SHOWN, Checked, check_set, lines
from benchwright.errors import BenchwrightError
from benchwright.isolation.bwrap import bwrap_works
from tests.cli.commands import START, benchwright, on_a_terminal

SPEC = 'suite = "tracebench"\nsystems = ["MassSlide"]\nnoise = ["low"]\nmodes = ["direct"]\n'
ALL = (*CHECKS, "shortcuts")
FAULT = Problem("structure", "here", "it is broken", "Mend it.")


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checked")
    (folder / "spec.toml").write_text(SPEC)
    out = folder / "set"
    assert run(["build", str(folder / "spec.toml"), "--out", str(out), "--executor", "serial"]) == 0
    return out


def test_a_check_without_a_name_is_refused(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for only in ("", "structure,"):
        assert run(["check", str(tasks), "--only", only]) == 2
        assert "check without a name" in capsys.readouterr().err


def test_a_set_is_sound_only_when_every_check_had_its_say() -> None:
    assert Checked([Note("structure", "fine")], ALL, ()).verdict == "sound"
    partly = Checked([], ("structure", "leaks"), ("rebuild", "soundness"))
    assert partly.verdict == (
        "sound as far as checked (structure, leaks); not checked: rebuild, soundness"
    )
    assert (partly.sound, Checked([], ALL, ()).sound) == (None, True)


def test_a_problem_is_one_whatever_else_was_left_out() -> None:
    found = Checked([FAULT], ("structure",), ("leaks",))
    assert found.sound is False
    assert found.verdict == "not sound: 1 problem; not checked: leaks"
    assert Checked([FAULT, FAULT], ALL, ()).verdict == "not sound: 2 problems"


def test_of_each_check_the_first_twenty_problems_are_printed_and_the_rest_counted() -> None:
    many = [Problem("structure", f"task {i}", "it is broken", "Mend it.") for i in range(23)]
    said = lines([*many, Note("structure", "all read"), Problem("leaks", "x", "y", "Z.")])
    assert said[0] == "  PROBLEM structure: it is broken (task 0). Mend it."
    assert sum("it is broken" in line for line in said) == SHOWN == 20
    assert said[20:] == [
        "  ok      structure: all read",
        "  PROBLEM structure: 3 more problems of this check; --json lists all",
        "  PROBLEM leaks: y (x). Z.",
    ]
    assert len(lines(list(many[:20]))) == 20


def test_checks_that_were_not_named_are_named_at_the_end(
    tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(tasks), "--only", "structure,structure"]) == 0
    last, following = capsys.readouterr().out.splitlines()[-2:]
    assert following.startswith("next: benchwright run ")
    left = ", ".join(name for name in ALL if name != "structure")
    assert last == f"sound as far as checked (structure); not checked: {left}"


def test_without_a_sandbox_leaks_and_forgers_are_not_checked(
    tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["check", str(tasks), "--only", "leaks", "--sandbox", "none"]
    assert run(words) == 0
    searched, skipped, last, following = capsys.readouterr().out.splitlines()
    assert following.startswith("next: benchwright run ")
    assert searched.startswith("  ok      leaks: ") and "public files searched" in searched
    assert skipped == "  skipped leaks: there is no sandbox to search from"
    assert last.startswith("sound as far as checked (nothing); not checked: ")
    assert "leaks" in last.partition("not checked")[2]


def test_on_a_terminal_each_check_is_named_with_its_time(tasks: Path) -> None:
    out, shown = on_a_terminal(START, "check", tasks, "--only", "structure,rebuild")
    assert re.findall(r"  (\w+) \.\.\. \d+\.\d s\r\n", shown) == ["structure", "rebuild"]
    assert out.splitlines()[-2].startswith("sound as far as checked (structure, rebuild)")


def test_in_a_pipe_there_is_no_progress(tasks: Path) -> None:
    assert benchwright("check", tasks, "--only", "structure,rebuild").err == ""


@pytest.fixture(scope="module")
def answered(tasks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which every reference agent answered."""
    if bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")
    out = tmp_path_factory.mktemp("answered") / "run"
    agents = [word for name in AGENTS for word in ("--agent", name)]
    assert run(["run", str(tasks), *agents, "--out", str(out)]) == 0
    return out


def test_soundness_judged_by_a_run_says_what_it_says_by_itself(tasks: Path, answered: Path) -> None:
    by_run = check_set(tasks, "soundness", run=answered)
    assert by_run.found == check_set(tasks, "soundness").found
    assert by_run.problems == [] and len(by_run.found) == len(AGENTS)


def test_a_run_that_lacks_an_answer_proves_nothing(
    tasks: Path, answered: Path, tmp_path: Path
) -> None:
    partial = shutil.copytree(answered, tmp_path / "run")
    (gone,) = (partial / "episodes").glob("*-forger-*")
    (gone / "episode.json").unlink()
    first, *_ = check_set(tasks, "soundness", run=partial).problems
    assert "lacks an episode of forger" in first.problem


def test_a_run_whose_records_were_changed_is_refused(
    tasks: Path, answered: Path, tmp_path: Path
) -> None:
    changed = shutil.copytree(answered, tmp_path / "run")
    (guess,) = (changed / "episodes").glob("*-constant-*")
    (guess / "artifacts" / "results.json").write_text("{}")
    with pytest.raises(BenchwrightError):
        check_set(tasks, "soundness", run=changed)
