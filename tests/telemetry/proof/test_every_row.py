"""Every mutation of every row is called by its name, and every control accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchwright.cli import app
from benchwright.executors import SerialExecutor, open_executor
from benchwright.suites.telemetry.build import build, load_spec
from benchwright.suites.telemetry.obligations.model import TYPES
from benchwright.suites.telemetry.proof.coverage import document, pairs, proved_set, share
from benchwright.suites.telemetry.proof.row import PAIRED
from benchwright.tasks.taskset import HeldSet, TaskSet


def test_demo_is_proved_whole(demo: TaskSet, held: HeldSet) -> None:
    with open_executor("processes:2") as pool:
        tally = proved_set(demo, held, pool)
    assert tally.faults == []
    assert tally.ours == tally.instances
    assert set(tally.instances) == set(TYPES)
    assert tally.accepted == tally.controls
    assert share(tally, "ours") == 100.0
    assert 0 < share(tally, "final_only") < 50
    assert tally.mutations.total() > 3 * tally.instances.total()
    assert [p.final_only for p in pairs(tally)] == [(True, True)] * len(PAIRED)
    assert [p.ours for p in pairs(tally)] == [(True, False)] * len(PAIRED)
    assert json.loads(json.dumps(document(tally)))["instances"] == tally.instances.total()


def test_the_verb_says_what_each_scorer_observes(demo: TaskSet, held: HeldSet) -> None:
    done = CliRunner().invoke(app, ["store", "coverage", str(held.path)])
    assert done.exit_code != 0
    text = CliRunner().invoke(app, ["store", "coverage", "--help"]).stdout
    assert "what a scorer observes" in text.lower()


@pytest.mark.slow
def test_real_logs_are_proved_whole(shared: Path, tmp_path: Path) -> None:
    corpus = load_spec("telemetry/xai4heat")
    tasks = build(corpus, tmp_path / "set", SerialExecutor())
    with open_executor("processes:2") as pool:
        tally = proved_set(tasks, HeldSet.open(tasks.path), pool)
    assert tally.faults == []
    assert tally.ours == tally.instances
