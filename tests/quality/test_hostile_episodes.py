"""Whole episodes of agents that leave poison: each is a scored failure with its reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import AgentRecord, Planned
from benchwright.isolation.rule import RuleLimits
from benchwright.running.model import AgentMaker
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.scoring.rows import read_rows
from benchwright.scoring.sheets import read_sheet
from benchwright.suites import open_suite
from benchwright.suites.specs import build_set
from benchwright.tasks.taskset import TaskSet
from tests.cli.commands import benchwright
from tests.quality.hostile import RESULTS, RULES, Raiser, makers

SPEC = """
suite = "tracebench"
systems = ["BallDrop"]
noise = ["low"]
heldout = 1
secret = false
"""
LIMITS = RuleLimits(sample_s=1, cpu_s=1, import_s=20, total_s=8, data_mb=512, memory_mb=700)
NAMES = [f"direct_{name}" for name in RESULTS] + [f"rule_{name}" for name in RULES]
MAY_SCORE = {"direct_full_disk", "direct_written_after_the_end"}
"""What these leave may be a valid answer of their own; it must not be more than that."""


def belongs(planned: Planned) -> bool:
    """Each agent where its poison is read: results in direct tasks, rules in programmatic ones."""
    mode = "programmatic" if planned.agent.name.startswith("rule_") else "direct"
    return f"-{mode}-" in planned.task_id


def run_all(folder: Path, agents: Mapping[str, AgentMaker]) -> RunResult:
    """One run of a small set with these agents, nothing patched: a suite that offers them."""
    (folder / "spec.toml").write_text(SPEC)
    tasks = TaskSet.open(build_set(str(folder / "spec.toml"), folder / "set", "serial").path)
    suite = dataclasses.replace(open_suite("tracebench"), agents=agents)
    records = [AgentRecord(name, None, False, "bwrap", "test") for name in agents]
    request = RunRequest(tasks, suite, records, parallel=4, rule_limits=LIMITS, only=belongs)
    return run_episodes(request, folder / "run")


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return run_all(tmp_path_factory.mktemp("hostile"), makers())


def episode_of(run: RunFolder, name: str) -> Path:
    planned = [p for p in run.plan if p.agent.name == name and belongs(p)]
    assert len(planned) == 1
    assert run.is_closed(planned[0].id)
    return run.folder(planned[0].id)


@pytest.mark.parametrize("name", NAMES)
def test_poison_is_a_failure_with_a_reason(ran: RunResult, name: str) -> None:
    folder = episode_of(ran.run, name)
    sheet = read_sheet(folder, "tracebench/1")
    top = next(score for score in sheet.scores if score.metric == "top1")
    assert top.value == 0 or name in MAY_SCORE
    if name not in MAY_SCORE:
        reasons = [top.reason, *(check.reason for check in sheet.checks)]
        assert any(reasons), sheet
    assert ran.run.episode(folder.name).owner in (None, "agent"), ran.run.episode(folder.name)


def test_an_honest_agent_beside_them_loses_nothing(ran: RunResult) -> None:
    sheet = read_sheet(episode_of(ran.run, "direct_honest"), "tracebench/1")
    top = next(score for score in sheet.scores if score.metric == "top1")
    assert (top.status, top.value) == ("scored", 0.2)


def test_what_an_agent_left_before_its_own_fault_is_scored(ran: RunResult) -> None:
    folder = episode_of(ran.run, "raises")
    assert ran.run.episode(folder.name).owner == "agent"
    top = read_sheet(folder, "tracebench/1").scores[0]
    assert top.value is not None or top.reason


@pytest.mark.parametrize("message", ["half of one: \udc80", "\x00\x1b[2J", "x" * 10_000_000])
def test_an_odd_message_of_an_agent_costs_its_own_episode_only(
    tmp_path: Path, message: str
) -> None:
    agents = {
        "direct_honest": makers()["direct_honest"],
        "raises": lambda task, gold, trial: Raiser(message),
    }
    result = run_all(tmp_path, agents)
    assert read_sheet(episode_of(result.run, "direct_honest"), "tracebench/1").scores[0].value
    assert result.run.episode(episode_of(result.run, "raises").name).owner == "agent"


def test_every_episode_is_closed_and_nothing_is_owed_by_accident(ran: RunResult) -> None:
    owed = [planned.id for planned in ran.run.owed() if belongs(planned)]
    assert owed == []
    assert ran.problems == ()
    rows = [row for row in read_rows(ran.run.path) if row.status != "missing"]
    assert {row.agent for row in rows} == set(makers())


def test_no_artifact_is_a_link_or_more_than_a_file(ran: RunResult) -> None:
    for path in (ran.run.path / "episodes").rglob("*"):
        assert not path.is_symlink()
        assert path.is_dir() or path.is_file()
        assert path.stat().st_size < 100 << 20


def test_scores_of_poison_are_the_same_bytes_again(ran: RunResult) -> None:
    said = benchwright("score", ran.run.path, "--verify")
    assert said.code == 0, said
