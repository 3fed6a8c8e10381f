"""A result that is there, but is no regular file: what it is stands in the score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.isolation.bwrap import bwrap_works
from benchwright.isolation.workspace import Workspace
from benchwright.running.agents import agent_record
from benchwright.running.desk import Desk
from benchwright.running.model import AgentMaker
from benchwright.running.run import RunRequest, run_episodes
from benchwright.scoring.rows import read_rows
from benchwright.suites import open_suite
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import TaskSet

LEAVES = {
    "link": ["ln", "-s", "/etc/passwd", "results.json"],
    "folder": ["mkdir", "results.json"],
    "pipe": ["mkfifo", "results.json"],
}


def leaving(command: list[str]) -> AgentMaker:
    class Odd:
        async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
            done = await box.exec(command, timeout_s=10)
            assert done.returncode == 0, done.stderr

    return lambda task, gold, trial: Odd()


@pytest.mark.parametrize("sandbox", ["none", "bwrap"])
def test_what_stands_in_place_of_the_result_is_named(
    tasks: TaskSet, tmp_path: Path, sandbox: str
) -> None:
    if sandbox == "bwrap" and bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")
    suite = open_suite("tracebench")
    suite = replace(suite, agents={name: leaving(command) for name, command in LEAVES.items()})
    box = "bwrap" if sandbox == "bwrap" else "none"
    agents = [agent_record(suite, name, None, box) for name in LEAVES]
    direct = {t.id for t in tasks.tasks if t.submission.mode == "direct"}
    request = RunRequest(tasks, suite, agents, only=lambda p: p.task_id in direct)
    run_episodes(request, tmp_path / "run")
    rows = [row for row in read_rows(tmp_path / "run") if row.metric == "top1" and row.reason]
    told = {row.agent: row.reason for row in rows if row.task_id in direct}
    assert {row.status for row in rows if row.task_id in direct} == {"invalid"}
    for name in LEAVES:
        assert f"not a file but a {name}" in str(told[name])
