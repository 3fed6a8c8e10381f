"""One small real task set for the tests of runs: MassSlide at low noise, both modes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.isolation.bwrap import bwrap_works
from benchwright.running.agents import agent_record
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.suites import open_suite
from benchwright.suites.specs import build_set
from benchwright.tasks.taskset import TaskSet

SPEC = """\
suite = "tracebench"
systems = ["MassSlide"]
noise = ["low"]
modes = ["direct", "programmatic"]
heldout = 1
secret = false
"""

Runner = Callable[..., RunResult]


@pytest.fixture(scope="session")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    folder = tmp_path_factory.mktemp("set")
    (folder / "spec.toml").write_text(SPEC)
    return build_set(str(folder / "spec.toml"), folder / "tasks", "serial")


@pytest.fixture(scope="session")
def run_agents(tasks: TaskSet) -> Runner:
    """Runs named agents on the set in the sandbox; skips where bubblewrap does not start."""
    reason = bwrap_works()
    if reason is not None:
        pytest.skip(f"bubblewrap does not start here: {reason}")
    suite = open_suite("tracebench")

    def run(
        out: Path, *names: str, model: str | None = None, trials: int = 1, retry: bool = False
    ) -> RunResult:
        agents = [agent_record(suite, name, model, "bwrap") for name in names]
        return run_episodes(RunRequest(tasks, suite, agents, trials=trials, retry=retry), out)

    return run
