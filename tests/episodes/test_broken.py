"""What broke off is set aside whole, owed again, and summed apart."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.episodes.broken import Total, broken_attempts, set_aside, spent
from benchwright.episodes.folder import RunFolder, close_episode
from benchwright.episodes.model import AgentRecord, End, Episode, Owner, Planned, Usage
from tests.episodes.stated import STATED

AGENT = AgentRecord("react", "some/model", False, "bwrap", "test")
USED = Usage(100, 0, 10, None, 1, 1, 2000, 1000)
OWNERS: tuple[Owner | None, ...] = (None, "agent", "provider", "sandbox", "task", "judge")

SETS_ASIDE_AND_DIES = """
import os, signal, sys
from pathlib import Path
from benchwright.episodes.broken import set_aside
from benchwright.episodes.folder import RunFolder
set_aside(RunFolder.open(Path(sys.argv[1])))
os.kill(os.getpid(), signal.SIGKILL)
"""


def close(run: RunFolder, planned: Planned, owner: Owner | None) -> None:
    folder = run.folder(planned.id)
    (folder / "artifacts").mkdir(parents=True)
    (folder / "artifacts" / "left.txt").write_text(str(owner))
    end = End("error", "broke") if owner else End("returned")
    close_episode(Episode(planned.id, "t", "d", AGENT, planned.trial, end, owner, USED, folder))


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """One closed episode for every owner."""
    plan = [Planned(f"e-{i}", "t", "d", AGENT, i) for i in range(len(OWNERS))]
    made = RunFolder.create(tmp_path / "run", STATED, plan)
    for planned, owner in zip(plan, OWNERS, strict=True):
        close(made, planned, owner)
    return made


def test_only_faults_of_provider_and_sandbox_are_set_aside(run: RunFolder) -> None:
    moved = set_aside(run)
    assert [OWNERS[p.trial] for p in moved] == ["provider", "sandbox"]
    assert run.owed() == moved
    assert {e.owner for e in run.episodes()} == {None, "agent", "task", "judge"}


def test_an_attempt_is_kept_whole_and_read_back(run: RunFolder) -> None:
    set_aside(run)
    provider, sandbox = broken_attempts(run)
    assert (provider.owner, provider.usage, sandbox.owner) == ("provider", USED, "sandbox")
    assert (provider.folder / "artifacts" / "left.txt").read_text() == "provider"
    assert [e.id for e in broken_attempts(run, sandbox.id)] == [sandbox.id]


def test_attempts_are_numbered_and_the_oldest_comes_first(run: RunFolder) -> None:
    (planned,) = (p for p in run.plan if OWNERS[p.trial] == "provider")
    for owner in ("sandbox", "provider"):
        set_aside(run)
        close(run, planned, owner)
    set_aside(run)
    found = [(e.folder.name, e.owner) for e in broken_attempts(run, planned.id)]
    assert found == [("1", "provider"), ("2", "sandbox"), ("3", "provider")]


def test_what_may_not_run_here_is_left_where_it_is(run: RunFolder) -> None:
    assert set_aside(run, lambda planned: False) == ()
    assert run.owed() == ()


def test_killed_between_setting_aside_and_running_the_episode_is_owed(run: RunFolder) -> None:
    done = subprocess.run([sys.executable, "-c", SETS_ASIDE_AND_DIES, str(run.path)])
    assert done.returncode == -signal.SIGKILL
    again = RunFolder.open(run.path)
    assert [OWNERS[p.trial] for p in again.owed()] == ["provider", "sandbox"]
    assert len(list(broken_attempts(again))) == 2
    assert set_aside(again) == ()


@given(st.lists(st.none() | st.integers(0, 10**15)))
def test_sums_keep_what_is_known_and_count_what_is_not(amounts: list[int | None]) -> None:
    agent = Episode("e", "t", "d", AGENT, 0, End("error"), "provider", USED, Path())
    total = spent(replace(agent, usage=replace(USED, cost_nano_usd=a)) for a in amounts)
    assert total.attempts == len(amounts)
    assert total.usage["cost_nano_usd"] == Total(
        sum(a for a in amounts if a is not None), amounts.count(None)
    )
