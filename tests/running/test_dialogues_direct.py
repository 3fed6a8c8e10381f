"""Dialogues by Inspect's own command line: the same tools, operator and scores, without a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import inspect_ai
import pytest

from benchwright.errors import TaskSetError
from benchwright.registry import telemetry
from benchwright.running.inspect_direct import direct_task
from benchwright.tasks.taskset import TaskSet
from tests.running import talkers
from tests.running.talking import Talk, build
from tests.telemetry.house import house
from tests.telemetry.sets import build_into

MODEL = "scripted/tests.running.talkers:"


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    return build(tmp_path_factory.mktemp("talk") / "tasks")


def scored(tasks: TaskSet, logs: Path, policy: str, **more: Any) -> list[Any]:
    (log,) = inspect_ai.eval(
        direct_task(tasks, Talk()),
        model=f"{MODEL}{policy}",
        log_dir=str(logs),
        display="none",
        ctl_server=False,
        **more,
    )
    assert log.status == "success", log.error
    return [score.value for s in log.samples or () for score in (s.scores or {}).values()]


def test_the_default_loop_talks_and_is_scored_from_the_record(
    tasks: TaskSet, tmp_path: Path
) -> None:
    assert scored(tasks, tmp_path, "answers") == [{"right": 1.0}] * 2
    assert scored(tasks, tmp_path, "tells_its_tools") == [{"right": 0.0}] * 2


@pytest.mark.parametrize("made", [talkers.own_solver, talkers.own_loop])
def test_a_solver_of_somebodys_own_has_the_tools(tasks: TaskSet, tmp_path: Path, made: Any) -> None:
    assert scored(tasks, tmp_path, "answers", solver=made()) == [{"right": 1.0}] * 2


def test_every_epoch_is_a_conversation_of_its_own(tasks: TaskSet, tmp_path: Path) -> None:
    assert scored(tasks, tmp_path, "answers", epochs=3) == [{"right": 1.0}] * 6


def test_a_suite_without_operator_is_one_line(tasks: TaskSet) -> None:
    with pytest.raises(TaskSetError, match="no operator for its dialogues"):
        direct_task(tasks, Talk(session=None))


def test_the_telemetry_task_is_made_from_a_set(tmp_path: Path) -> None:
    made = build_into(house(tmp_path / "data", most=1), tmp_path / "set")
    task = telemetry(set=str(made.path))
    assert (task.name, len(task.dataset)) == ("telemetry", len(made.tasks.tasks))
    assert all(sample.sandbox is None for sample in task.dataset)


def test_golds_of_another_suite_are_refused_before_anything_runs(tmp_path: Path) -> None:
    made = build(tmp_path / "tasks", suite="telemetry")
    with pytest.raises(TaskSetError, match=r"held/.*/gold\.json"):
        telemetry(set=str(made.path))
