"""Runs through Inspect and the sandbox: what is kept, what a second call does, what scores say."""

from __future__ import annotations

import json
from pathlib import Path

import atif
import pytest

from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode
from benchwright.errors import RunError, SpecError
from benchwright.running.agents import agent_record
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.scoring.rows import read_rows
from benchwright.suites import open_suite
from benchwright.tasks.taskset import TaskSet
from tests.running.conftest import Runner

AGENTS = ("oracle", "constant", "noop", "forger")


@pytest.fixture(scope="module")
def finished(run_agents: Runner, tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return run_agents(tmp_path_factory.mktemp("run") / "run", *AGENTS)


def by_agent(result: RunResult, name: str) -> list[Episode]:
    return [e for e in result.run.episodes() if e.agent.name == name]


def test_every_planned_episode_is_closed_and_nothing_broke(finished: RunResult) -> None:
    assert (finished.ran, finished.owed, finished.problems) == (2 * len(AGENTS), 0, ())
    assert all(e.end.kind == "returned" and e.owner is None for e in finished.run.episodes())


def test_the_oracle_is_right_the_forger_and_doing_nothing_earn_nothing(finished: RunResult) -> None:
    rows = [r for r in read_rows(finished.run.path) if r.metric == "top1"]
    values = {name: {r.value for r in rows if r.agent == name} for name in AGENTS}
    assert values == {"oracle": {1.0}, "constant": {0.2}, "noop": {0.0}, "forger": {0.0}}
    assert {r.agent for r in rows if r.privileged} == {"oracle"}
    assert {r.status for r in rows if r.agent in ("noop", "forger")} == {"invalid"}


def test_every_trajectory_is_valid_atif_and_tells_what_was_done(finished: RunResult) -> None:
    for episode in finished.run.episodes():
        text = (episode.folder / "trajectory.json").read_text()
        valid = atif.Trajectory.model_validate_json(text)
        calls = [c for step in valid.steps for c in step.tool_calls or ()]
        assert bool(calls) == (episode.agent.name != "noop")
        assert episode.usage.tool_calls == len(calls)


def test_agents_without_a_model_used_no_tokens_and_no_money(finished: RunResult) -> None:
    for episode in finished.run.episodes():
        usage = episode.usage
        assert (usage.model_calls, usage.input_tokens, usage.cost_nano_usd) == (0, 0, 0)


def test_forged_records_are_artifacts_and_nothing_more(finished: RunResult) -> None:
    forged = [e for e in by_agent(finished, "forger") if (e.folder / "artifacts").is_dir()]
    assert len(forged) == 2
    for episode in forged:
        assert (episode.folder / "artifacts" / "answers.json").is_file()
        closing = json.loads((episode.folder / "episode.json").read_text())
        assert closing["format"] == "benchwright.episode/1" and "reward" not in closing


def test_every_agent_leaves_the_same_records_in_the_same_places(finished: RunResult) -> None:
    records = {"collected.json", "episode.json", "scores/tracebench-1.json", "trajectory.json"}
    for episode in finished.run.episodes():
        found = {p.relative_to(episode.folder).as_posix() for p in episode.folder.rglob("*.json")}
        own = {name for name in found if name.startswith("artifacts/")}
        assert found - own - {"answers.json"} == records, episode.agent.name


def test_the_same_call_again_runs_nothing_and_changes_no_byte(
    finished: RunResult, run_agents: Runner
) -> None:
    files = sorted(finished.run.path.glob("episodes/*/*.json"))
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
    again = run_agents(finished.run.path, *AGENTS)
    assert (again.ran, again.resumed, again.owed) == (0, 2 * len(AGENTS), 0)
    assert before == {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_other_agents_in_the_same_folder_are_refused(
    finished: RunResult, run_agents: Runner
) -> None:
    with pytest.raises(RunError, match="planned for other agents"):
        run_agents(finished.run.path, "noop")


def test_an_unclosed_episode_runs_again_and_the_others_do_not(
    run_agents: Runner, tmp_path: Path
) -> None:
    first = run_agents(tmp_path / "run", "constant", "noop")
    torn, *kept = list(first.run.episodes())
    (torn.folder / "episode.json").unlink()
    before = {e.id: (e.folder / "episode.json").stat().st_mtime_ns for e in kept}
    again = run_agents(tmp_path / "run", "constant", "noop")
    assert (again.ran, again.resumed) == (1, 3)
    run = RunFolder.open(tmp_path / "run")
    assert before == {
        e.id: (e.folder / "episode.json").stat().st_mtime_ns
        for e in run.episodes()
        if e.id != torn.id
    }


def test_without_a_sandbox_built_in_agents_run_marked_and_rules_stay_owed(
    tasks: TaskSet, tmp_path: Path
) -> None:
    suite = open_suite("tracebench")
    agent = agent_record(suite, "constant", None, "none")
    direct = {t.id for t in tasks.tasks if t.submission.mode == "direct"}
    request = RunRequest(tasks, suite, [agent], only=lambda p: p.task_id in direct)
    result = run_episodes(request, tmp_path / "run")
    assert (result.ran, result.owed) == (1, 1)
    rows = read_rows(result.run.path)
    assert {r.sandbox for r in rows} == {"none"}
    assert {r.status for r in rows} == {"scored", "missing"}


def test_an_agent_with_a_model_never_runs_without_a_sandbox() -> None:
    with pytest.raises(SpecError, match="only built-in agents"):
        agent_record(open_suite("tracebench"), "react", "m/x", "none")
