"""`inspect eval benchwright/tracebench` gives the scores of `benchwright run`."""

from __future__ import annotations

from pathlib import Path

import inspect_ai
import pytest
from inspect_ai.log import EvalLog, read_eval_log

from benchwright.scoring.rows import read_rows
from benchwright.tasks.taskset import TaskSet
from tests.running.conftest import Runner

GIVEN = "given_the_answers"


def evaluated(agent: str, tasks: TaskSet, folder: Path) -> EvalLog:
    (log,) = inspect_ai.eval(
        "benchwright/tracebench",
        task_args={"set": str(tasks.path)},
        solver=inspect_ai.solver.SolverSpec(f"benchwright/{agent}"),
        model="none/none",
        log_dir=str(folder),
        display="none",
        ctl_server=False,
    )
    assert log.status == "success"
    return log


@pytest.mark.parametrize("agent", ["constant", "random", "oracle", "noop"])
def test_inspect_and_run_agree(
    agent: str, tasks: TaskSet, run_agents: Runner, tmp_path: Path
) -> None:
    ours = {
        (row.task_id, row.metric): row.value
        for row in read_rows(run_agents(tmp_path / "run", agent).run.path)
        if not row.metric.startswith("heldout_")
    }
    theirs = {
        (str(sample.id), metric): value
        for sample in evaluated(agent, tasks, tmp_path / "logs").samples or ()
        for score in (sample.scores or {}).values()
        for metric, value in (score.value.items() if isinstance(score.value, dict) else ())
        if metric != GIVEN
    }
    assert theirs == ours and len(ours) == 4


@pytest.mark.parametrize(("agent", "marked"), [("oracle", True), ("constant", False)])
def test_who_was_given_the_answers_is_marked_in_log_score_and_metrics(
    agent: str, marked: bool, tasks: TaskSet, tmp_path: Path
) -> None:
    evaluated(agent, tasks, tmp_path)
    (file,) = tmp_path.glob("*.eval")
    log = read_eval_log(str(file))
    assert log.results is not None
    assert (GIVEN in {score.name for score in log.results.scores}) == marked
    for sample in log.samples or ():
        assert sample.metadata["benchwright_agent"] == agent
        assert sample.metadata.get(GIVEN, False) == marked
        for score in (sample.scores or {}).values():
            assert (score.metadata or {}).get(GIVEN, False) == marked
            assert ("was given the answers" in (score.explanation or "")) == marked
