"""Ctrl-C, SIGTERM and a second Ctrl-C on a real process: what ends, what is owed, what is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from benchwright.episodes.folder import RunFolder
from benchwright.isolation.bwrap import bwrap_works
from benchwright.scoring.rows import read_rows
from benchwright.tasks.taskset import TaskSet
from tests.running.processes import INT, TERM, Started

SECONDS = 20.0
"""Far above what ending takes on a busy machine, and far below what would be left to run."""


@pytest.fixture(autouse=True)
def needs_boxes() -> None:
    if bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")


def line(tasks: TaskSet, out: Path, policy: str) -> list[str]:
    model = f"scripted/tests.running.policies:{policy}"
    words = ["run", str(tasks.path), "--agent", "react", "--model", model]
    return [*words, "--trials", "3", "--parallel", "2", "--out", str(out)]


def closed(out: Path) -> int:
    return len(list(out.glob("episodes/*/episode.json")))


def sums(out: Path) -> dict[str, Any]:
    run = RunFolder.open(out)
    used = {e.id: (e.usage.input_tokens, e.usage.output_tokens, e.end) for e in run.episodes()}
    return {"used": used, "scores": {(r.episode_id, r.metric): r.value for r in read_rows(out)}}


def test_after_ctrl_c_the_same_line_finishes_with_the_sums_of_an_undisturbed_run(
    tasks: TaskSet, tmp_path: Path
) -> None:
    started = Started(line(tasks, tmp_path / "run", "takes_its_time"))
    started.wait_for(lambda: closed(tmp_path / "run") >= 1)
    ended = started.signalled(INT)
    assert (ended.code, ended.left) == (130, ()), ended
    assert ended.seconds < SECONDS
    assert ended.err == "benchwright: interrupted; the same line again continues.\n"
    kept = {p: p.read_bytes() for p in (tmp_path / "run").glob("episodes/*/episode.json")}
    assert 1 <= len(kept) < 6
    assert exit_code(line(tasks, tmp_path / "run", "takes_its_time")) == 0
    assert all(path.read_bytes() == data for path, data in kept.items())
    assert exit_code(line(tasks, tmp_path / "whole", "takes_its_time")) == 0
    assert sums(tmp_path / "run") == sums(tmp_path / "whole")


def test_a_second_ctrl_c_ends_a_process_that_does_not_listen(
    tasks: TaskSet, tmp_path: Path
) -> None:
    env = {"BLOCKED": str(tmp_path / "blocked")}
    started = Started(line(tasks, tmp_path / "run", "blocks"), env)
    started.wait_for((tmp_path / "blocked").exists)
    ended = started.signalled(INT, INT)
    assert (ended.code, ended.left) == (130, ()), ended
    assert "ended at once" in ended.err
    assert len(RunFolder.open(tmp_path / "run").owed()) == 6


@pytest.mark.slow
def test_a_terminated_run_ends_as_an_interrupted_one(tasks: TaskSet, tmp_path: Path) -> None:
    started = Started(line(tasks, tmp_path / "run", "takes_its_time"))
    started.wait_for(lambda: closed(tmp_path / "run") >= 1)
    ended = started.signalled(TERM)
    assert (ended.code, ended.left) == (143, ()), ended
    assert ended.seconds < SECONDS and 1 <= closed(tmp_path / "run") < 6


@pytest.mark.slow
def test_an_episode_whose_rule_was_being_executed_is_owed(tasks: TaskSet, tmp_path: Path) -> None:
    started = Started(line(tasks, tmp_path / "run", "leaves_a_slow_rule"))
    rules = "episodes/*programmatic*"
    started.wait_for(lambda: any((tmp_path / "run").glob(f"{rules}/artifacts/rule.py")))
    ended = started.signalled(INT)
    assert (ended.code, ended.left) == (130, ()), ended
    assert ended.seconds < SECONDS
    assert not any((tmp_path / "run").glob(f"{rules}/episode.json"))


@pytest.mark.slow
def test_without_a_sandbox_no_folder_and_no_command_is_left(tasks: TaskSet, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    words = ["run", tasks.path, "--agent", "jumps", "--sandbox", "none", "--trials", "40"]
    started = Started([*words, "--out", tmp_path / "run"], {"TMPDIR": str(tmp_path / "tmp")})
    started.wait_for(lambda: any((tmp_path / "tmp").glob("benchwright-folder-*/apply_rule.py")))
    ended = started.signalled(INT)
    assert (ended.code, ended.left) == (130, ()), ended
    assert list((tmp_path / "tmp").glob("benchwright-*")) == []
    assert closed(tmp_path / "run") < 40
