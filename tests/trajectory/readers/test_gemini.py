"""Gemini CLI: the stream and the chat recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Begin, Mark, Message, Result, Usage
from benchwright.trajectory.log import open_log
from tests.trajectory.readers.reading import calls, of, read, read_document

INIT = {"type": "init", "session_id": "s", "model": "m", "timestamp": "2026-01-01T00:00:00Z"}
USE = {"type": "tool_use", "tool_name": "write_file", "tool_id": "w1", "parameters": {"a": 1}}


def said(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": words, "delta": True, **more}


def test_streamed_parts_are_one_message(tmp_path: Path) -> None:
    events, _ = read(tmp_path, INIT, said("a "), said("b"), USE, said("c"))
    assert [m.text for m in of(Message, events)] == ["a b", "c"]


def test_a_result_without_output_is_still_an_answer(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path, INIT, USE, {"type": "tool_result", "tool_id": "w1", "status": "success"}
    )
    assert calls(events) == [("w1", "write_file", "ok", None)]


def test_an_error_keeps_its_words_and_a_refusal_is_told_from_a_failure(tmp_path: Path) -> None:
    failed = {"type": "tool_result", "tool_id": "w1", "status": "error",
              "error": {"type": "invalid_tool_params", "message": "no path"}}  # fmt: skip
    events, _ = read(tmp_path, INIT, USE, failed)
    assert calls(events) == [("w1", "write_file", "failed", "no path")]
    refused = {**failed, "error": {"type": "policy", "message": "Tool execution denied by policy"}}
    events, _ = read(tmp_path, INIT, USE, refused)
    assert calls(events)[0][2] == "refused"


def test_lines_before_the_stream_are_counted(tmp_path: Path) -> None:
    events, log = read(tmp_path, "Loaded cached credentials.", "[WARN] x", INIT, USE)
    assert log.dialect.name == "gemini-stream"
    assert log.notes.counts == {"text": 2, "unanswered": 1}
    assert len(calls(events)) == 1


def test_line_separators_inside_text_do_not_end_a_record(tmp_path: Path) -> None:
    record = '{"type":"message","role":"user","content":"a\u2028b\u2029c\u0085d"}'
    events, log = read(tmp_path, INIT, record)
    assert of(Message, events)[0].text == "a\u2028b\u2029c\u0085d"
    assert log.notes.counts == {}


def test_thoughts_are_in_the_total_of_the_stream_only(tmp_path: Path) -> None:
    stats = {"total_tokens": 20, "input_tokens": 12, "output_tokens": 3, "cached": 2}
    events, _ = read(tmp_path, INIT, {"type": "result", "status": "success", "stats": stats})
    usage = of(Usage, events)[0]
    assert (usage.scope, usage.prompt, usage.cached, usage.completion) == ("run", 12, 2, 8)
    assert of(Mark, events)[0].kind == "end"


MESSAGE = {
    "id": "m1", "type": "gemini", "content": "hi", "model": "g",
    "thoughts": [{"subject": "Plan", "description": "look"}],
    "tokens": {"input": 10, "output": 2, "cached": 1, "thoughts": 3, "total": 15},
    "toolCalls": [
        {"id": "c1", "name": "read_file", "args": {"file_path": "f"}, "status": "success",
         "result": [{"functionResponse": {"response": {"output": "text"}}}]},
        {"id": "c2", "name": "run_shell_command", "args": {"command": "x"}, "status": "cancelled",
         "result": [{"functionResponse": {"response": {"error": "cancelled by user"}}}]},
    ],
}  # fmt: skip
CHAT = {"sessionId": "s", "projectHash": "h", "startTime": "t", "messages": [MESSAGE]}


def test_calls_and_results_of_a_chat_stand_in_one_object(tmp_path: Path) -> None:
    events, log = read_document(tmp_path, CHAT)
    assert log.dialect.name == "gemini-chat"
    assert calls(events) == [
        ("c1", "read_file", "ok", "text"),
        ("c2", "run_shell_command", "refused", "cancelled by user"),
    ]
    assert of(Message, events)[0].reasoning == "Plan: look"
    usage = of(Usage, events)[0]
    assert (usage.prompt, usage.cached, usage.completion, usage.reasoning) == (10, 1, 5, 3)


def test_texts_before_and_after_in_a_display_are_kept(tmp_path: Path) -> None:
    display = {"fileName": "f", "originalContent": "a", "newContent": "b"}
    call = {**MESSAGE["toolCalls"][0], "name": "replace", "resultDisplay": display}  # type: ignore[index]
    events, _ = read_document(tmp_path, {**CHAT, "messages": [{**MESSAGE, "toolCalls": [call]}]})
    assert of(Result, events)[0].structured == display


def test_a_chat_of_lines_takes_patches_and_repeated_messages_once(tmp_path: Path) -> None:
    head = {"sessionId": "s", "projectHash": "h", "kind": "main"}
    early = {**MESSAGE, "toolCalls": []}
    events, log = read(tmp_path, head, early, {"$set": {"lastUpdated": "t"}}, MESSAGE, {**MESSAGE})
    assert log.dialect.name == "gemini-chat-lines"
    assert len(of(Message, events)) == 1
    assert len(calls(events)) == 2
    assert of(Begin, events)[0].session == "s"


def test_one_message_alone_is_a_log_too(tmp_path: Path) -> None:
    events, _ = read_document(tmp_path, MESSAGE)
    assert len(calls(events)) == 2


def test_a_member_that_is_text_first_and_a_list_later_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    said = '{"sessionId": "s", "directories": "d", "directories": ["a", "b"], "messages": ['
    path.write_text(f'{said}{{"type": "user", "content": "hello", "id": "m"}}]}}')
    events = list(open_log(path, "gemini-chat"))
    assert [event.text for event in of(Message, events)] == ["hello"]
