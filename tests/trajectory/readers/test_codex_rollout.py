"""Codex session files: response items make the calls, events say how they ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Begin, Call, Mark, Message, Result, Usage
from benchwright.trajectory.readers.codex_outputs import read_output
from tests.trajectory.readers.reading import calls, of, read

META = {"type": "session_meta", "payload": {"id": "s", "cwd": "/w", "cli_version": "0.1"}}


def response(kind: str, **parts: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item",
            "payload": {"type": kind, **parts}}  # fmt: skip


def event(kind: str, **parts: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": kind, **parts}}


def called(call_id: str = "c1", **arguments: Any) -> dict[str, Any]:
    return response("function_call", name="shell", call_id=call_id, arguments=json.dumps(arguments))


def output(text: Any, call_id: str = "c1") -> dict[str, Any]:
    return response("function_call_output", call_id=call_id, output=text)


def tokens(total: int, last: int | None) -> dict[str, Any]:
    counts = {"total_token_usage": {"input_tokens": total, "output_tokens": 1}}
    if last is not None:
        counts["last_token_usage"] = {"input_tokens": last, "output_tokens": 1}
    return event("token_count", info=counts)


def test_the_wrapper_of_an_output_is_taken_off(tmp_path: Path) -> None:
    wrapped = json.dumps({"output": "a\n", "metadata": {"exit_code": 1, "duration_seconds": 0.5}})
    events, _ = read(tmp_path, META, called(command=["ls"]), output(wrapped))
    assert calls(events) == [("c1", "shell", "failed", "a\n")]
    assert (of(Result, events)[0].exit_code, of(Result, events)[0].duration_ms) == (1, 500)


DENIED = (
    "failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, "
    "exit code: 2, stdout: , stderr: not permitted"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exit code: 0\nWall time: 1.5 seconds\nOutput:\nhi\n", ("hi\n", 0, 1500, "ok")),
        ("Exit code: 3\nWall time: 0 seconds\nTotal output lines: 9\nOutput:\nx",
         ("x", 3, 0, "failed")),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\n"
         "Original token count: 5\nOutput:\nx", ("x", 0, 100, "ok")),
        ("Chunk ID: 1\nWall time: 9.0 seconds\nProcess running with session ID 4\n"
         "Output:\nx", ("x", None, 9000, "unknown")),
        ("Plan updated", ("Plan updated", None, None, "unknown")),
        ("exec command rejected by user", ("exec command rejected by user", None, None, "refused")),
        (DENIED, (DENIED, 2, None, "failed")),
        ("execution error: No such file or directory (os error 2)",
         ("execution error: No such file or directory (os error 2)", None, None, "failed")),
    ],
)  # fmt: skip
def test_every_form_of_an_output_is_read(text: str, expected: tuple[Any, ...]) -> None:
    found = read_output(text)
    assert (found.text, found.exit_code, found.duration_ms, found.status) == expected


def test_what_an_event_says_of_a_patch_decides_its_status(tmp_path: Path) -> None:
    patch = response("custom_tool_call", name="apply_patch", call_id="p", input="*** Begin Patch")
    events, _ = read(
        tmp_path,
        META,
        patch,
        event("patch_apply_end", call_id="p", success=False, changes={}),
        response("custom_tool_call_output", call_id="p", output="done"),
    )
    assert calls(events) == [("p", "apply_patch", "failed", "done")]
    assert of(Call, events)[0].arguments == {"input": "*** Begin Patch"}


def test_words_that_stand_twice_count_once(tmp_path: Path) -> None:
    said = response("message", role="assistant", content=[{"type": "output_text", "text": "hi"}])
    events, _ = read(tmp_path, META, event("agent_message", message="hi"), said)
    assert [m.text for m in of(Message, events)] == ["hi"]


def test_words_that_stand_in_events_alone_are_kept(tmp_path: Path) -> None:
    events, _ = read(tmp_path, META, event("user_message", message="do it"))
    assert [(m.source, m.text) for m in of(Message, events)] == [("user", "do it")]


def test_what_the_program_put_there_is_no_word_of_the_user(tmp_path: Path) -> None:
    text = "<environment_context>x</environment_context>"
    put = response("message", role="user", content=[{"type": "input_text", "text": text}])
    events, _ = read(tmp_path, META, put)
    assert of(Message, events)[0].synthetic


def test_counts_that_repeat_are_taken_once_and_totals_that_start_over_are_summed(
    tmp_path: Path,
) -> None:
    records = [META, tokens(10, 10), tokens(10, 10), tokens(30, 20), tokens(5, 5), tokens(12, None)]
    events, _ = read(tmp_path, *records)
    assert [u.prompt for u in of(Usage, events)] == [10, 20, 5, 7]


def test_counts_before_and_after_an_answer_go_to_that_answer(tmp_path: Path) -> None:
    said = response("message", role="assistant", content=[{"type": "output_text", "text": "a"}])
    after, _ = read(tmp_path, META, said, tokens(10, 10))
    before, _ = read(tmp_path, META, tokens(10, 10), said)
    for events in (after, before):
        assert of(Usage, events)[0].key == of(Message, events)[0].key


def test_a_compaction_stands_once(tmp_path: Path) -> None:
    compacted = {"type": "compacted", "payload": {"message": "so far"}}
    events, _ = read(tmp_path, META, compacted, event("context_compacted"))
    assert [m.kind for m in of(Mark, events)] == ["compaction"]


def test_an_output_without_a_call_and_one_that_repeats_are_counted(tmp_path: Path) -> None:
    events, log = read(tmp_path, META, output("x", "no"), called(), output("y"), output("y"))
    assert len(calls(events)) == 1
    assert log.notes.counts == {"orphan": 1, "repeated": 1}


def test_the_oldest_files_have_no_envelope(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        {"id": "s", "timestamp": "2025-01-01T00:00:00Z", "instructions": None},
        {"type": "function_call", "name": "shell", "call_id": "c", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "x"},
    )
    assert of(Begin, events)[0].session == "s"
    assert calls(events) == [("c", "shell", "unknown", "x")]


def test_arguments_that_are_no_json_are_kept_as_text(tmp_path: Path) -> None:
    odd = response("function_call", name="shell", call_id="c", arguments="ls -l")
    events, _ = read(tmp_path, META, odd)
    assert of(Call, events)[0].arguments == {"input": "ls -l"}


def test_words_that_only_events_hold_stand_before_the_call_that_follows(tmp_path: Path) -> None:
    asked, said = event("user_message", message="go"), event("agent_message", message="done")
    events, _ = read(tmp_path, META, asked, called(command=["ls"]), output("a"), said)
    kinds = [e for e in events if isinstance(e, Message | Call | Result)]
    assert [type(e) for e in kinds] == [Message, Call, Result, Message]
    assert [m.text for m in of(Message, events)] == ["go", "done"]


def test_words_that_items_hold_too_come_once(tmp_path: Path) -> None:
    item = response("message", role="user", content=[{"type": "input_text", "text": "go"}])
    events, _ = read(tmp_path, META, event("user_message", message="go"), item, called())
    assert [m.text for m in of(Message, events)] == ["go"]
