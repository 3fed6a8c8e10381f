"""A folder that holds something else stays as it is; an earlier output of one's own is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.cli.output import refuse_foreign
from benchwright.errors import SpecError
from tests.cli.commands import benchwright, refused_fully, tree

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


def test_what_is_missing_or_empty_or_ours_may_be_written(tmp_path: Path) -> None:
    refuse_foreign(tmp_path / "new", "tasks/taskset.toml")
    refuse_foreign(tmp_path, "tasks/taskset.toml")
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "taskset.toml").touch()
    (tmp_path / "notes.txt").touch()
    refuse_foreign(tmp_path, "tasks/taskset.toml")


def test_a_build_that_was_cut_off_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / ".tasks.partial-x1").mkdir()
    refuse_foreign(tmp_path, "tasks/taskset.toml")
    (tmp_path / ".git").mkdir()
    with pytest.raises(SpecError, match="something else"):
        refuse_foreign(tmp_path, "tasks/taskset.toml")
