"""A file system or a limit that takes no more is told in one line, and nothing is left behind."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.telemetry.house import house


def limited(most: int, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line where no file may grow beyond `most` bytes."""
    return subprocess.run(
        [sys.executable, "-m", "benchwright", *words],
        cwd=folder,
        text=True,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )


@pytest.mark.parametrize("most", [1_024, 20_480, 204_800])
def test_a_limit_of_file_sizes_is_told_in_one_line(tmp_path: Path, most: int) -> None:
    house(tmp_path / "data", most=1)
    said = limited(most, tmp_path, "store", "build", "data/corpus.toml", "--out", "store")
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert "File too large" in said.stderr
    assert sorted(os.listdir(tmp_path)) == ["data"]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    house(tmp_path / "data", most=1)
    said = limited(0, tmp_path, "store", "draft", "data", "--out", "mine.toml")
    assert said.returncode == 2
    assert "None" not in said.stderr
    assert "mine.toml' (File too large). Allow larger files (ulimit -f)" in said.stderr
    assert sorted(os.listdir(tmp_path)) == ["data"]
