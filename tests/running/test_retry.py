"""`--retry`: what broke off runs once more, its record is kept apart, and nothing else moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.episodes.broken import broken_attempts
from benchwright.running.run import RunResult
from benchwright.scoring.rows import read_rows
from tests.running.conftest import Runner

MODEL = "scripted/tests.running.policies:breaks_while_down"


@pytest.fixture(scope="module")
def runs(
    run_agents: Runner, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RunResult, RunResult, RunResult]:
    """The provider is down, then up without --retry, then up with it."""
    folder = tmp_path_factory.mktemp("retry")
    with pytest.MonkeyPatch.context() as env:
        env.setenv("PROVIDER_DOWN", str(folder / "down"))
        (folder / "down").touch()
        down = run_agents(folder / "run", "react", "noop", model=MODEL)
        (folder / "down").unlink()
        same = run_agents(folder / "run", "react", "noop", model=MODEL)
        again = run_agents(folder / "run", "react", "noop", model=MODEL, retry=True)
    return down, same, again


def test_without_retry_what_broke_off_stays_closed(
    runs: tuple[RunResult, RunResult, RunResult],
) -> None:
    down, same, _ = runs
    assert (down.ran, down.retried, down.owed) == (4, 0, 0)
    assert (same.ran, same.retried, same.resumed) == (0, 0, 4)


def test_with_retry_only_what_broke_off_runs_again(
    runs: tuple[RunResult, RunResult, RunResult],
) -> None:
    _, _, again = runs
    assert (again.ran, again.retried, again.resumed, again.owed) == (2, 2, 2, 0)
    assert {e.owner for e in again.run.episodes()} == {None}


def test_scores_come_from_the_second_attempt_alone(
    runs: tuple[RunResult, RunResult, RunResult],
) -> None:
    run = runs[-1].run
    rows = [r for r in read_rows(run.path) if r.agent == "react" and r.metric == "top1"]
    assert {r.axes["mode"]: (r.value, r.status) for r in rows} == {
        "direct": (0.2, "scored"),
        "programmatic": (0.0, "invalid"),
    }
    assert len(read_rows(run.path)) == len({(r.episode_id, r.metric) for r in read_rows(run.path)})


def test_the_first_attempt_is_kept_with_what_it_used(
    runs: tuple[RunResult, RunResult, RunResult],
) -> None:
    for attempt in broken_attempts(runs[-1].run):
        assert (attempt.owner, attempt.end.kind) == ("provider", "error")
        assert attempt.usage.input_tokens and attempt.usage.tool_calls == 1
        assert (attempt.folder / "trajectory.json").is_file()


def test_show_says_apart_what_broke_off(
    runs: tuple[RunResult, RunResult, RunResult], capsys: pytest.CaptureFixture[str]
) -> None:
    run = runs[-1].run
    attempts = list(broken_attempts(run))
    tokens = sum(attempt.usage.input_tokens or 0 for attempt in attempts)
    assert exit_code(["show", str(run.path)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"react {MODEL}: 2 attempts broke off and were set aside (2 provider)" in text
    assert f"{tokens:,} input tokens" in text and "cost unknown" in text
    exit_code(["show", str(run.path), attempts[0].id])
    assert "the provider is down" in capsys.readouterr().out
    exit_code(["show", str(run.path), "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["broken"]["owners"] == {"provider": 2}
    assert document["broken"]["usage"]["input_tokens"] == {"known": tokens, "unknown": 0}
    assert document["broken"]["usage"]["cost_nano_usd"] == {"known": 0, "unknown": 2}


def test_the_report_says_it_beside_the_results(
    runs: tuple[RunResult, RunResult, RunResult], tmp_path: Path
) -> None:
    assert exit_code(["report", str(runs[-1].run.path), "--out", str(tmp_path / "page")]) == 0
    assert "2 attempts broke off" in (tmp_path / "page" / "index.html").read_text()


def test_verify_finds_the_same_bytes_after_a_retry(
    runs: tuple[RunResult, RunResult, RunResult],
) -> None:
    assert exit_code(["score", str(runs[-1].run.path), "--verify"]) == 0
