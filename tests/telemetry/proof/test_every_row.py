"""Every mutation of every row is called by its name, and every control accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.executors import open_executor
from benchwright.suites.telemetry.obligations.model import TYPES
from benchwright.suites.telemetry.proof.coverage import document, pairs, proved_set, share
from benchwright.suites.telemetry.proof.row import PAIRED, Tally
from tests.cli.commands import benchwright
from tests.telemetry.sets import Built


def proved(built: Built) -> Tally:
    with open_executor("processes:2") as pool:
        return proved_set(built.tasks, pool)


def whole(tally: Tally) -> None:
    """Nothing was misnamed, and nothing refused that is as good."""
    assert tally.faults == []
    assert tally.ours == tally.instances
    assert tally.named == tally.mutations
    assert tally.accepted == tally.controls
    assert tally.mutations.total() > 3 * tally.instances.total()


def test_demo_is_proved_whole(demo_set: Built) -> None:
    tally = proved(demo_set)
    whole(tally)
    assert set(tally.instances) == set(TYPES)
    assert share(tally, "ours") == 100.0
    assert 0 < share(tally, "final_only") < 50
    assert [p.final_only for p in pairs(tally)] == [(True, True)] * len(PAIRED)
    assert [p.ours for p in pairs(tally)] == [(True, False)] * len(PAIRED)
    assert json.loads(json.dumps(document(tally)))["instances"] == tally.instances.total()


@pytest.mark.slow
def test_logs_of_substations_are_proved_whole(stations_set: Built) -> None:
    whole(proved(stations_set))


@pytest.mark.slow
def test_campus_is_proved_whole(campus_set: Built) -> None:
    whole(proved(campus_set))


def test_the_verb_refuses_what_is_no_set_of_conversations(tmp_path: Path) -> None:
    said = benchwright("store", "coverage", "nowhere", cwd=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert "not a task set" in said.err
