"""A folder that holds something else stays as it is; an earlier output of one's own is used."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.cli.output import refuse_foreign
from benchwright.errors import SpecError
from benchwright.suites.specs import build_set
from tests.cli.commands import benchwright, refused_fully, tree
from tests.quality.conftest import SPEC

LINES = {
    "a task set": ["build", "tracebench/small"],
    "a pool": ["build", "tracebench/balldrop-documented"],
    "a demo": ["demo"],
}


@pytest.mark.parametrize("words", LINES.values(), ids=LINES)
def test_nothing_is_mixed_into_a_folder_of_others(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("ten years of work")
    said = benchwright(*words, "--out", "mine", cwd=tmp_path)
    refused_fully(said, "output folder", "mine")
    assert said.out == ""
    assert tree(tmp_path) == {"mine/thesis.txt": b"ten years of work"}


@pytest.mark.parametrize("words", LINES.values(), ids=LINES)
def test_nothing_is_written_where_a_file_stands(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("ten years of work")
    refused_fully(benchwright(*words, "--out", "mine", cwd=tmp_path), "mine")
    assert tree(tmp_path) == {"mine": b"ten years of work"}


@pytest.mark.parametrize("words", LINES.values(), ids=LINES)
def test_a_place_below_a_file_is_refused_before_any_work(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("ten years of work")
    said = benchwright(*words, "--out", "mine/set", cwd=tmp_path)
    refused_fully(said, "no output folder can be made there", "mine/set", "is no folder")
    assert said.out == "" and tree(tmp_path) == {"mine": b"ten years of work"}


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o555)
    if os.access(tmp_path / "closed", os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(SpecError, match="no output folder can be made there"):
        refuse_foreign(tmp_path / "closed" / "set", "tasks/taskset.toml")


def test_what_is_missing_or_empty_or_ours_may_be_written(tmp_path: Path) -> None:
    refuse_foreign(tmp_path / "new", "tasks/taskset.toml")
    refuse_foreign(tmp_path, "tasks/taskset.toml")
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "taskset.toml").touch()
    (tmp_path / "notes.txt").touch()
    refuse_foreign(tmp_path, "tasks/taskset.toml")


@pytest.mark.parametrize("place", ["set/run", "set/tasks/run", "set/held/shared/a/b"])
def test_nothing_is_written_into_the_folders_of_a_set(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "spec.toml").write_text(SPEC)
    build_set(str(tmp_path / "spec.toml"), tmp_path / "set", "serial")
    before, out = tree(tmp_path), ["--out", str(tmp_path / place)]
    run = ["run", str(tmp_path / "set"), "--agent", "noop", "--sandbox", "none"]
    assert exit_code([*run, "--out", str(tmp_path / "run")]) == 0
    lines = [run, ["build", "tracebench/small"], ["report", str(tmp_path / "run")], ["demo"]]
    capsys.readouterr()
    for words in lines:
        assert exit_code([*words, *out]) == 2
        assert "lies inside a task set" in capsys.readouterr().err
    shutil.rmtree(tmp_path / "run")
    assert tree(tmp_path) == before


def test_a_build_that_was_cut_off_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / ".tasks.partial-x1").mkdir()
    refuse_foreign(tmp_path, "tasks/taskset.toml")
    (tmp_path / ".git").mkdir()
    with pytest.raises(SpecError, match="something else"):
        refuse_foreign(tmp_path, "tasks/taskset.toml")
