"""Inspect's ReAct agent, driven by a scripted model through whole episodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.episodes.model import Episode
from benchwright.scoring.rows import read_rows
from tests.running.conftest import Runner


def acted(run_agents: Runner, out: Path, policy: str) -> list[Episode]:
    model = f"scripted/tests.running.policies:{policy}"
    result = run_agents(out, "react", model=model)
    assert (result.owed, result.problems) == (0, ())
    return list(result.run.episodes())


@pytest.fixture(scope="module")
def answered(run_agents: Runner, tmp_path_factory: pytest.TempPathFactory) -> list[Episode]:
    return acted(run_agents, tmp_path_factory.mktemp("react") / "run", "answers_all_the_same")


def test_what_the_model_wrote_in_the_sandbox_is_scored(answered: list[Episode]) -> None:
    rows = read_rows(answered[0].folder.parent.parent)
    direct = [r for r in rows if r.metric == "top1" and r.axes["mode"] == "direct"]
    assert [(r.value, r.status) for r in direct] == [(0.2, "scored")]


def test_the_trajectory_holds_every_call_with_its_result(answered: list[Episode]) -> None:
    document = json.loads((answered[0].folder / "trajectory.json").read_text())
    calls = [call for step in document["steps"] for call in step.get("tool_calls", ())]
    results = [
        r["content"] for s in document["steps"] for r in s.get("observation", {}).get("results", ())
    ]
    assert [call["function_name"] for call in calls] == ["bash", "python", "submit"]
    assert any("10 answers written" in text for text in results)
    assert calls[-1]["arguments"] == {"answer": "results.json is there"}
    assert results[-1] == "results.json is there"
    assert answered[0].usage.tool_calls == len(calls) == len(results) == 3


def test_usage_is_the_sum_of_the_steps_and_an_unknown_price_stays_unknown(
    answered: list[Episode],
) -> None:
    for episode in answered:
        document = json.loads((episode.folder / "trajectory.json").read_text())
        metrics = [s["metrics"] for s in document["steps"] if "metrics" in s]
        assert episode.usage.model_calls == len(metrics) == 3
        assert episode.usage.input_tokens == sum(m["prompt_tokens"] for m in metrics)
        assert episode.usage.output_tokens == sum(m["completion_tokens"] for m in metrics)
        assert episode.usage.cost_nano_usd is None


def test_a_model_that_never_stops_meets_the_message_limit(
    run_agents: Runner, tmp_path: Path
) -> None:
    for episode in acted(run_agents, tmp_path / "run", "never_stops"):
        assert (episode.end.kind, episode.owner) == ("message_limit", "agent")
        document = json.loads((episode.folder / "trajectory.json").read_text())
        assert len(document["steps"]) > 50


def test_a_broken_provider_costs_no_score(run_agents: Runner, tmp_path: Path) -> None:
    episodes = acted(run_agents, tmp_path / "run", "breaks")
    assert {(e.end.kind, e.owner) for e in episodes} == {("error", "provider")}
    rows = read_rows(tmp_path / "run")
    assert {(r.value, r.status) for r in rows} == {(None, "unscorable")}
    assert all("hung up" in (r.reason or "") for r in rows)


def test_half_a_character_of_a_model_is_written_out(run_agents: Runner, tmp_path: Path) -> None:
    for episode in acted(run_agents, tmp_path / "run", "says_half_a_character"):
        assert (episode.end.kind, episode.owner) == ("returned", None)
        document = json.loads((episode.folder / "trajectory.json").read_text())
        first, last = (s for s in document["steps"] if s["source"] == "agent")
        assert first["message"] == "half \\ud83d of it"
        assert first["observation"]["results"][0]["content"] == "a\\ud83db\n"
        assert last["tool_calls"][0]["arguments"] == {"answer": "\\udcff"}


def test_half_a_character_in_a_complaint_leaves_the_fault_with_the_provider(
    run_agents: Runner, tmp_path: Path
) -> None:
    episodes = acted(run_agents, tmp_path / "run", "fails_with_half_a_character")
    assert {e.owner for e in episodes} == {"provider"}
    assert {e.end.reason for e in episodes} == {"ConnectionError: half \\ud83d of it"}


def test_a_request_that_is_refused_is_the_providers(run_agents: Runner, tmp_path: Path) -> None:
    episodes = acted(run_agents, tmp_path / "run", "refuses")
    assert {(e.owner, e.end.reason) for e in episodes} == {
        ("provider", "Refused: 400: no such option")
    }


def test_killing_everything_in_the_sandbox_ends_nothing_outside(
    run_agents: Runner, tmp_path: Path
) -> None:
    for episode in acted(run_agents, tmp_path / "run", "kills_the_box"):
        assert episode.end.kind == "returned" or episode.owner == "sandbox"
