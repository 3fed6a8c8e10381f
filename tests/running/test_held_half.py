"""A held half that is not whole is refused before any agent acts, and never costs an episode."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.errors import TaskSetError
from benchwright.isolation.workspace import Workspace
from benchwright.running.agents import agent_record
from benchwright.running.desk import Desk
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.suites import Suite, open_suite
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import TaskSet
from tests.running.conftest import Runner

RULE = b"def predict(frame):\n    return ['none']\n"


@pytest.fixture
def copied(tasks: TaskSet, tmp_path: Path) -> TaskSet:
    return TaskSet.open(shutil.copytree(tasks.path, tmp_path / "set"))


def heldout(tasks: TaskSet) -> Path:
    (file,) = (tasks.path / "held" / "shared").glob("heldout-*.parquet")
    return file


def gold(tasks: TaskSet) -> Path:
    return sorted((tasks.path / "held").glob("*/gold.json"))[0]


def lose_the_heldout(tasks: TaskSet) -> None:
    heldout(tasks).unlink()


def change_the_heldout(tasks: TaskSet) -> None:
    heldout(tasks).write_bytes(heldout(tasks).read_bytes() + b"more")


def lose_a_gold(tasks: TaskSet) -> None:
    gold(tasks).unlink()


def lose_it_all(tasks: TaskSet) -> None:
    shutil.rmtree(tasks.path / "held")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lose_the_heldout, "held file is missing or was changed"),
        (change_the_heldout, "held file is missing or was changed"),
        (lose_a_gold, "gold is missing or was changed"),
        (lose_it_all, "no held half"),
    ],
)
def test_nothing_runs_and_nothing_is_written(
    copied: TaskSet, tmp_path: Path, damage: Callable[[TaskSet], None], named: str
) -> None:
    damage(copied)
    suite = open_suite("tracebench")
    request = RunRequest(copied, suite, [agent_record(suite, "constant", None, "none")])
    with pytest.raises(TaskSetError, match=named):
        run_episodes(request, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def with_vandal(tasks: TaskSet, away: Path) -> Suite:
    """The suite with an agent that hands in a rule while somebody moves the held-out file away."""

    class Vandal:
        async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
            await box.write(task.submission.file, RULE)
            if heldout(tasks).exists():
                heldout(tasks).rename(away)

    def make(task: Task, gold: Gold | None, trial: int) -> Vandal:
        return Vandal()

    suite = open_suite("tracebench")
    return replace(suite, agents={**suite.agents, "vandal": make})


def run_rules(tasks: TaskSet, suite: Suite, name: str, out: Path) -> RunResult:
    programmatic = {t.id for t in tasks.tasks if t.submission.mode == "programmatic"}
    agent = agent_record(suite, name, None, "bwrap")
    request = RunRequest(tasks, suite, [agent], only=lambda p: p.task_id in programmatic)
    return run_episodes(request, out)


def test_an_episode_whose_rule_could_not_be_asked_stays_owed_with_its_reason(
    run_agents: Runner, copied: TaskSet, tmp_path: Path
) -> None:
    suite = with_vandal(copied, tmp_path / "away")
    result = run_rules(copied, suite, "vandal", tmp_path / "run")
    assert (result.ran, result.owed) == (0, 2)
    assert len(result.problems) == 1 and "held file is missing" in result.problems[0]
    assert list(result.run.episodes()) == []
