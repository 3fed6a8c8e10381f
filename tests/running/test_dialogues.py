"""Episodes with an operator, run whole: built-in agents, a model, and code of somebody's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchwright.episodes.folder import RunFolder, kept_digests, read_closing
from benchwright.episodes.model import Episode
from benchwright.episodes.session import Bad, Called, Ended, read_session
from benchwright.errors import TaskSetError
from benchwright.running.agents import agent_record
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.scoring.rows import read_rows
from benchwright.scoring.score import score_episode, verify_run
from benchwright.tasks.taskset import HeldSet, TaskSet
from tests.conftest import ROOT
from tests.running.processes import descendants
from tests.running.talking import Talk, build, run, talked

AGENTS = ("knows", "stops_early", "asks_without_end", "reads_without_end")
MODEL = "scripted/tests.running.talkers:"
OWN = ROOT / "tests" / "running" / "talkers.py"


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    return build(tmp_path_factory.mktemp("talk") / "tasks")


@pytest.fixture(scope="module")
def finished(tasks: TaskSet, tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    result = run(tmp_path_factory.mktemp("run") / "run", tasks, *AGENTS)
    assert (result.owed, result.problems, result.ran) == (0, (), 2 * len(AGENTS))
    return result


def of(result: RunResult, agent: str) -> list[Episode]:
    return [e for e in result.run.episodes() if e.agent.name == agent]


def ends(result: RunResult, agent: str) -> set[tuple[str, str | None, str]]:
    """How episodes of an agent ended, whose fault it was, and what ended the conversation."""
    found = set()
    for episode in of(result, agent):
        last = read_session(episode)[-1]
        assert isinstance(last, Ended)
        found.add((episode.end.kind, episode.owner, last.reason))
    return found


def scores(result: RunResult) -> dict[str, set[float | None]]:
    rows = read_rows(result.run.path)
    return {row.agent: {r.value for r in rows if r.agent == row.agent} for row in rows}


def steps(episode: Episode) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((episode.folder / "trajectory.json").read_text())[
        "steps"
    ]
    return found


def calls(episode: Episode) -> list[str]:
    return [c["function_name"] for s in steps(episode) for c in s.get("tool_calls", ())]


def test_conversations_are_scored_from_their_records(finished: RunResult) -> None:
    assert scores(finished) == {"knows": {1.0}, **{name: {0.0} for name in AGENTS[1:]}}
    assert ends(finished, "knows") == {("returned", None, "operator")}
    assert ends(finished, "stops_early") == {("returned", None, "agent")}
    assert ends(finished, "asks_without_end") == {("returned", None, "turns")}
    assert ends(finished, "reads_without_end") == {("returned", None, "calls")}


def test_an_episode_has_its_record_and_no_working_folder(finished: RunResult) -> None:
    for episode in finished.run.episodes():
        names = {p.name for p in episode.folder.rglob("*") if p.is_file()}
        assert names == {"episode.json", "session.jsonl", "talk-1.json", "trajectory.json"}
        assert episode.agent.sandbox == "unneeded"


def test_the_trajectory_of_a_built_in_agent_tells_what_was_said(finished: RunResult) -> None:
    for episode in of(finished, "knows"):
        told = steps(episode)
        assert [s["message"] for s in told[:2]][1] == "How high is the water?"
        assert calls(episode) == ["ask_operator", "level", "reply", "level", "reply"]
        assert episode.usage.tool_calls == 5
        last = told[-1]["observation"]["results"][0]["content"]
        assert last == "Thank you.\n[The conversation is over.]"


def test_the_record_is_covered_by_the_closing_record(finished: RunResult) -> None:
    for episode in finished.run.episodes():
        stated = read_closing(episode.folder)
        assert stated.records == kept_digests(episode.folder)["records"]
        assert set(stated.records) == {"session.jsonl", "trajectory.json"}


def test_a_changed_record_is_found_when_the_run_is_verified(tasks: TaskSet, tmp_path: Path) -> None:
    result = run(tmp_path / "run", tasks, "knows")
    held = HeldSet.open(tasks.path)

    def sheet(episode: Episode) -> Any:
        gold = held.gold(episode.task_id)
        return score_episode(Talk().scoring, tasks.task(episode.task_id), gold, episode)

    assert list(verify_run(result.run, sheet)) == []
    file = next(result.run.episodes()).folder / "session.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Thank you.", b"Thank yOu."))
    (found,) = verify_run(result.run, sheet)
    assert found.what.startswith("records changed after the episode was closed: session.jsonl")


def test_two_processes_write_the_same_bytes(tasks: TaskSet, tmp_path: Path) -> None:
    both = []
    for name in ("one", "other"):
        place = tmp_path / name
        build(place / "tasks")
        started(place, "react", f"{MODEL}answers").wait(120)
        opened = RunFolder.open(place / "run")
        both.append([(e.folder / "session.jsonl").read_bytes() for e in opened.episodes()])
    assert both[0] == both[1] and len(both[0]) == 2
    assert sorted(both[0]) == sorted(talked(run(tmp_path / "run", tasks, "knows")))


def started(place: Path, *words: str, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.running.talking", str(place), *words],
        cwd=ROOT,
        env={**os.environ, **env},
    )


def test_an_episode_that_was_killed_is_owed_and_runs_again(tmp_path: Path) -> None:
    tasks = build(tmp_path / "tasks")
    hold = tmp_path / "hold"
    hold.touch()
    model = f"{MODEL}waits_between"
    child = started(tmp_path, "react", model, HOLD=str(hold))
    family: dict[int, Any] = {}
    try:
        while not hold.with_suffix(".reached").exists():
            assert child.poll() is None
            family = descendants(child.pid)
    finally:
        child.kill()
        child.wait()
    assert not any(Path(f"/proc/{pid}").exists() for pid in family)
    assert len(RunFolder.open(tmp_path / "run").owed()) == 2
    hold.unlink()
    result = run(tmp_path / "run", tasks, "react", model=model)
    assert (result.ran, result.owed) == (2, 0)
    assert ends(result, "react") == {("returned", None, "operator")}
    assert scores(result) == {"react": {1.0}}


def test_a_model_talks_through_the_tools_of_the_dialogue_alone(
    tasks: TaskSet, tmp_path: Path
) -> None:
    result = run(tmp_path / "run", tasks, "react", model=f"{MODEL}answers")
    assert scores(result) == {"react": {1.0}}
    assert ends(result, "react") == {("returned", None, "operator")}
    for episode in result.run.episodes():
        assert calls(episode) == ["ask_operator", "level", "reply", "level", "reply"]
        assert [s["source"] for s in steps(episode)][:3] == ["system", "user", "user"]


def test_a_first_turn_that_ends_the_instruction_is_said_once(tmp_path: Path) -> None:
    tasks = build(tmp_path / "tasks", told=True)
    result = run(tmp_path / "run", tasks, "react", model=f"{MODEL}answers")
    for episode in result.run.episodes():
        said = [s["message"] for s in steps(episode) if s["source"] == "user"]
        assert len(said) == 1 and said[0].endswith("How high is the water?\n")
    assert scores(result) == {"react": {1.0}}


def test_a_model_that_calls_no_tool_is_told_so_and_then_left(
    tasks: TaskSet, tmp_path: Path
) -> None:
    result = run(tmp_path / "run", tasks, "react", model=f"{MODEL}tells_its_tools")
    assert ends(result, "react") == {("returned", None, "agent")}
    for episode in result.run.episodes():
        said = [s["message"] for s in steps(episode) if s["source"] == "agent"]
        assert said == ["level ask_operator reply"] * 3
        assert "hears nothing but tools" in [s["message"] for s in steps(episode)][-2]


def test_calls_that_break_a_schema_are_in_the_record(tasks: TaskSet, tmp_path: Path) -> None:
    result = run(tmp_path / "run", tasks, "react", model=f"{MODEL}calls_askew")
    for episode in result.run.episodes():
        bad = [e for e in read_session(episode) if isinstance(e, Bad)]
        assert [(e.tool, e.arguments) for e in bad] == [
            ("reply", {"metres": "much"}),
            ("shout", {"text": "hello"}),
            ("level", {}),
        ]
    assert scores(result) == {"react": {1.0}}


@pytest.mark.parametrize("name", ["own_loop", "own_solver"])
def test_code_of_somebodys_own_finds_the_tools(tasks: TaskSet, tmp_path: Path, name: str) -> None:
    result = run(tmp_path / "run", tasks, f"{OWN}@{name}", model=f"{MODEL}answers")
    shown = f"{OWN.name}@{name}"
    assert scores(result) == {shown: {1.0}}
    for episode in result.run.episodes():
        assert any(isinstance(e, Called) for e in read_session(episode))


@pytest.mark.parametrize(
    ("agent", "end", "why"),
    [
        ("breaks_the_gauge", ("error", "task", "error"), "task: level: OSError"),
        ("falls_over", ("error", "agent", "agent"), None),
        ("wants_a_folder", ("error", "agent", "agent"), None),
    ],
)
def test_what_broke_has_an_owner(
    tasks: TaskSet, tmp_path: Path, agent: str, end: tuple[str, str, str], why: str | None
) -> None:
    result = run(tmp_path / "run", tasks, agent)
    assert ends(result, agent) == {end}
    rows = read_rows(result.run.path)
    assert {r.value for r in rows} == ({None} if why else {0.0})
    assert all((r.reason or "").startswith(why or "") for r in rows)


def test_an_operator_that_breaks_costs_the_agent_nothing(tmp_path: Path) -> None:
    tasks = build(tmp_path / "tasks", patience=2)
    result = run(tmp_path / "run", tasks, "knows")
    assert ends(result, "knows") == {("error", "operator", "error")}
    assert {(r.value, r.status) for r in read_rows(result.run.path)} == {(None, "unscorable")}


def test_a_session_that_cannot_be_made_leaves_its_episode_owed(tmp_path: Path) -> None:
    tasks = build(tmp_path / "tasks")

    def broken(*_: object) -> Any:
        raise OSError("the store is gone")

    suite = Talk(session=broken)
    records = [agent_record(suite, "knows", None, "unneeded")]
    result = run_episodes(RunRequest(tasks, suite, records), tmp_path / "run")
    assert (result.ran, result.owed) == (0, 2)
    assert all("the store is gone" in problem for problem in result.problems)


def test_a_suite_without_operator_is_refused_before_anything_is_written(
    tasks: TaskSet, tmp_path: Path
) -> None:
    suite = Talk(session=None)
    records = [agent_record(suite, "knows", None, "unneeded")]
    with pytest.raises(TaskSetError, match="no operator"):
        run_episodes(RunRequest(tasks, suite, records), tmp_path / "run")
    assert not (tmp_path / "run").exists()
