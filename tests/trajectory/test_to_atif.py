"""Any log becomes valid ATIF v1.8; nothing is invented, and what is lost is listed."""

from __future__ import annotations

import io
import json
from typing import Any

import atif

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Mark, Message, Result, Usage
from benchwright.trajectory.to_atif.convert import Conversion, write_atif

A = Anchor(1, 0, 1)
BEGIN = Begin(A, "s", "claude-code", cwd="/w")


def convert(*events: Event) -> tuple[list[dict[str, Any]], Conversion]:
    out = io.StringIO()
    conversion = write_atif(events, out)
    documents = [json.loads(line) for line in out.getvalue().split("\n") if line]
    for document in documents:
        atif.Trajectory.model_validate(document)
    return documents, conversion


def steps(*events: Event) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = convert(BEGIN, *events)[0][0]["steps"]
    return found


def call(call_id: str, key: str | None = "k", thread: str = "") -> Call:
    return Call(A, call_id, "Bash", "shell", {"command": "ls"}, key=key, thread=thread)


def test_parts_of_one_answer_are_one_step() -> None:
    parts = [Message(A, "agent", "a", "r", key="k"), call("c1"), call("c2")]
    found = steps(
        Message(A, "user", "do"), *parts, Result(A, "c2", "ok", "2"), Result(A, "c1", "ok", "1")
    )
    assert [step["step_id"] for step in found] == [1, 2]
    assert [item["tool_call_id"] for item in found[1]["tool_calls"]] == ["c1", "c2"]
    given = found[1]["observation"]["results"]
    assert [(r["source_call_id"], r["content"]) for r in given] == [("c2", "2"), ("c1", "1")]


def test_results_between_the_parts_of_an_answer_do_not_part_it() -> None:
    usage = Usage(A, "step", 10, 4, 2, key="k")
    mixed = [call("c1"), usage, Result(A, "c1", "ok", "1"), call("c2"), Result(A, "c2", "ok", "2")]
    (found,) = steps(*mixed)
    assert [item["tool_call_id"] for item in found["tool_calls"]] == ["c1", "c2"]
    assert [r["content"] for r in found["observation"]["results"]] == ["1", "2"]
    assert found["metrics"]["prompt_tokens"] == 10


def test_an_answer_that_a_mark_parts_states_its_tokens_once() -> None:
    usage = Usage(A, "step", 10, 4, 2, key="k")
    found = steps(call("c1"), usage, Mark(A, "retry", "api_retry"), call("c2"))
    assert [step.get("metrics", {}).get("prompt_tokens") for step in found] == [10, None, None]


def test_a_result_that_comes_late_stands_with_its_call() -> None:
    found = steps(call("c1"), Message(A, "agent", "b", key="k2"), Result(A, "c1", "ok", "late"))
    assert found[0]["observation"]["results"][0]["content"] == "late"
    assert "observation" not in found[1]


def test_a_call_without_an_answer_and_one_that_failed_are_kept() -> None:
    found = steps(call("c1"), call("c2"), Result(A, "c1", "failed", "no", exit_code=3))
    results = found[0]["observation"]["results"]
    assert [r["extra"]["status"] for r in results] == ["failed", "missing"]
    assert results[0]["extra"]["exit_code"] == 3
    assert "content" not in results[1]


def test_what_the_log_does_not_say_is_absent() -> None:
    step = steps(Message(A, "agent", "a", key="k"))[0]
    assert set(step) == {"step_id", "source", "message", "extra"}
    document = convert(BEGIN, Message(A, "agent", "a", key="k"))[0][0]
    assert document["final_metrics"] == {"total_steps": 1}
    assert document["agent"] == {"name": "claude-code", "version": "unknown"}


def test_a_total_that_the_run_states_wins_over_the_sum_of_its_parts() -> None:
    parts = [Usage(A, "step", 10, 1, 2, key="k"), Usage(A, "step", 20, 2, 3, key="k2")]
    said = [Message(A, "agent", "a", key="k"), Message(A, "agent", "b", key="k2")]
    totals = convert(BEGIN, *said, *parts)[0][0]["final_metrics"]
    assert (totals["total_prompt_tokens"], totals["total_completion_tokens"]) == (30, 5)
    run = Usage(A, "run", 31, 3, 6, cost_nano=1_230_000_000)
    totals = convert(BEGIN, *said, *parts, run)[0][0]["final_metrics"]
    assert (totals["total_prompt_tokens"], totals["total_cost_usd"]) == (31, 1.23)


def test_counts_of_an_answer_replace_each_other() -> None:
    counts = [Usage(A, "step", 10, 0, 1, key="k"), Usage(A, "step", 10, 0, 9, key="k")]
    assert steps(Message(A, "agent", "a", key="k"), *counts)[0]["metrics"]["completion_tokens"] == 9


def test_sub_agents_are_trajectories_of_their_own() -> None:
    document = convert(
        BEGIN,
        call("c1"),
        Message(A, "agent", "below", key="k", thread="agent-1"),
        Result(A, "c1", "ok", "done", child="agent-1"),
    )[0][0]
    child = document["subagent_trajectories"][0]
    assert (child["trajectory_id"], child["steps"][0]["message"]) == ("agent-1", "below")
    result = document["steps"][0]["observation"]["results"][0]
    assert result["subagent_trajectory_ref"] == [{"trajectory_id": "agent-1"}]
    assert len(document["steps"]) == 1


def test_runs_of_one_log_are_documents_of_their_own() -> None:
    said = Message(A, "user", "x")
    documents, conversion = convert(BEGIN, said, Begin(A, "s2", "claude-code"), said, BEGIN)
    assert [document["session_id"] for document in documents] == ["s", "s2"]
    assert (conversion.documents, conversion.steps) == (2, 2)
    assert [loss.what for loss in conversion.losses] == ["a run without any step"]


def test_what_atif_has_no_place_for_is_listed() -> None:
    result = Result(A, "c1", "ok", "x", structured={"a": 1}, images=2)
    _, conversion = convert(
        BEGIN, call("c1"), result, Mark(A, "opaque", "someday"), Message(A, "user", "", images=1)
    )
    assert {loss.what: loss.count for loss in conversion.losses} == {
        "images in messages": 1,
        "images in results": 2,
        "marks of kind opaque": 1,
        "structured results of tools": 1,
    }


def test_compactions_retries_and_errors_are_steps_of_the_system() -> None:
    found = steps(Message(A, "user", "x"), Mark(A, "retry", "api_retry", "429"))
    assert (found[1]["source"], found[1]["message"]) == ("system", "api_retry: 429")


def test_a_time_that_is_no_iso_time_is_kept_beside() -> None:
    step = steps(Message(A, "user", "x", time="yesterday"))[0]
    assert "timestamp" not in step
    assert step["extra"]["timestamp"] == "yesterday"


def test_a_log_that_outgrows_the_memory_keeps_results_and_counts_with_their_steps() -> None:
    number, late = 4000, 700
    events: list[Event] = [BEGIN]
    for n in range(number):
        events += [Message(A, "agent", "word " * 80, key=f"k{n}"), call(f"c{n}", f"k{n}")]
        events.append(Usage(A, "step", 1, 0, 0, key=f"k{n}"))
        if n >= late:
            events.append(Result(A, f"c{n - late}", "ok", f"text {n - late}"))
            events.append(Usage(A, "step", n, 1, 2, key=f"k{n - late}", cost_nano=10**9))
    (document,), _ = convert(*events)
    assert len(document["steps"]) == number
    for n, step in enumerate(document["steps"]):
        (given,) = step["observation"]["results"]
        assert step["tool_calls"][0]["tool_call_id"] == given["source_call_id"] == f"c{n}"
        answered = n < number - late
        assert given.get("content") == (f"text {n}" if answered else None)
        assert step["metrics"]["prompt_tokens"] == (n + late if answered else 1)
    totals = document["final_metrics"]
    assert totals["total_prompt_tokens"] == sum(range(late, number)) + late
    assert "total_cost_usd" not in totals
