"""`inspect eval benchwright/tracebench` gives the scores of `benchwright run`."""

from __future__ import annotations

from pathlib import Path

import inspect_ai
import pytest

from benchwright.scoring.rows import read_rows
from benchwright.tasks.taskset import TaskSet
from tests.running.conftest import Runner


@pytest.mark.parametrize("agent", ["constant", "random", "oracle", "noop"])
def test_inspect_and_run_agree(
    agent: str, tasks: TaskSet, run_agents: Runner, tmp_path: Path
) -> None:
    ours = {
        (row.task_id, row.metric): row.value
        for row in read_rows(run_agents(tmp_path / "run", agent).run.path)
        if not row.metric.startswith("heldout_")
    }
    (log,) = inspect_ai.eval(
        "benchwright/tracebench",
        task_args={"set": str(tasks.path)},
        solver=inspect_ai.solver.SolverSpec(f"benchwright/{agent}"),
        model="none/none",
        log_dir=str(tmp_path / "logs"),
        display="none",
        ctl_server=False,
    )
    theirs = {
        (str(sample.id), metric): value
        for sample in log.samples or ()
        for score in (sample.scores or {}).values()
        for metric, value in (score.value.items() if isinstance(score.value, dict) else ())
    }
    assert log.status == "success"
    assert theirs == ours and len(ours) == 4
