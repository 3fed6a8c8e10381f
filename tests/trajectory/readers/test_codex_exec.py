"""Codex `exec --json`: every item that is a call is one, once, with how it ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Begin, Call, Mark, Message, Result, Usage
from tests.trajectory.readers.reading import calls, of, read

START = {"type": "thread.started", "thread_id": "t1"}
TURN = {"type": "turn.started"}


def item(stage: str, **parts: Any) -> dict[str, Any]:
    return {"type": f"item.{stage}", "item": {"id": "item_0", **parts}}


def command(stage: str, **parts: Any) -> dict[str, Any]:
    return item(stage, type="command_execution", command="ls", **parts)


def test_a_command_is_one_call_with_its_exit_code(tmp_path: Path) -> None:
    done = command("completed", aggregated_output="a\n", exit_code=2, status="failed")
    events, _ = read(tmp_path, START, TURN, command("started", status="in_progress"), done)
    assert calls(events) == [("item_0", "command_execution", "failed", "a\n")]
    assert of(Result, events)[0].exit_code == 2
    assert of(Call, events)[0].arguments == {"command": "ls"}


def test_a_command_that_was_only_started_is_missing(tmp_path: Path) -> None:
    events, log = read(tmp_path, START, TURN, command("started", status="in_progress"))
    assert calls(events) == [("item_0", "command_execution", "missing", None)]
    assert log.notes.counts == {"unanswered": 1}


def test_file_changes_searches_and_mcp_calls_are_calls_too(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        START,
        {"type": "item.completed", "item": {"id": "1", "type": "file_change", "changes": []}},
        {"type": "item.completed", "item": {"id": "2", "type": "web_search", "query": "q"}},
        {
            "type": "item.completed",
            "item": {"id": "3", "type": "mcp_tool_call", "server": "s", "tool": "t",
                     "status": "completed", "result": {"content": [{"text": "r"}]}},
        },
    )  # fmt: skip
    assert [name for _, name, _, _ in calls(events)] == ["file_change", "web_search", "s.t"]
    assert calls(events)[2][2:] == ("ok", "r")


def test_words_and_reasoning_are_no_calls(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        START,
        item("completed", type="reasoning", text="why"),
        {"type": "item.completed", "item": {"id": "b", "type": "agent_message", "text": "hi"}},
    )
    assert calls(events) == []
    assert [(m.text, m.reasoning) for m in of(Message, events)] == [("", "why"), ("hi", "")]


def test_ids_that_start_over_in_a_second_turn_stay_apart(tmp_path: Path) -> None:
    done = command("completed", exit_code=0, status="completed")
    events, _ = read(tmp_path, START, TURN, done, TURN, done)
    assert [call_id for call_id, *_ in calls(events)] == ["item_0", "t2.item_0"]


def test_a_repeated_item_counts_once(tmp_path: Path) -> None:
    done = command("completed", exit_code=0, status="completed")
    events, log = read(tmp_path, START, TURN, done, done)
    assert len(calls(events)) == 1
    assert log.notes.counts == {"repeated": 1}


def test_a_declined_command_was_refused(tmp_path: Path) -> None:
    events, _ = read(tmp_path, START, command("completed", status="declined"))
    assert calls(events)[0][2] == "refused"


def test_tokens_are_of_the_turn_and_include_the_cached_ones(tmp_path: Path) -> None:
    usage = {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 3}
    events, _ = read(tmp_path, START, TURN, {"type": "turn.completed", "usage": usage})
    found = of(Usage, events)[0]
    assert (found.scope, found.prompt, found.cached, found.completion) == ("turn", 10, 4, 3)


def test_a_failed_turn_an_unknown_event_and_a_second_thread_are_said(tmp_path: Path) -> None:
    events, log = read(
        tmp_path,
        START,
        {"type": "turn.failed", "error": {"message": "no"}},
        {"type": "turn.someday"},
        {"type": "thread.started", "thread_id": "t2"},
    )
    assert [(m.kind, m.text) for m in of(Mark, events)] == [("error", "no"), ("opaque", "")]
    assert [b.session for b in of(Begin, events)] == ["t1", "t2"]
    assert log.notes.counts == {"unknown": 1, "runs": 1}
