"""Claude Code stream-json: what its records come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.trajectory.events import Begin, Call, Mark, Message, Result, Usage
from tests.trajectory.readers.claude_records import (
    assistant,
    closing,
    init,
    outcome,
    use,
    user,
    words,
)
from tests.trajectory.readers.reading import calls, of, read, read_document


def hook(session: str = "s1", **more: object) -> dict[str, object]:
    return {"type": "system", "subtype": "hook_response", "session_id": session, **more}


def test_init_says_session_version_model_and_folder(tmp_path: Path) -> None:
    events, log = read(tmp_path, init(), user("go"))
    (begin,) = of(Begin, events)
    assert log.dialect.name == "claude-stream"
    assert (begin.session, begin.agent, begin.version) == ("s1", "claude-code", "2.1.143")
    assert (begin.model, begin.cwd) == ("claude-x", "/w")
    assert begin.extra["permissionMode"] == "default"


def test_init_of_old_versions_leaves_unknown_what_it_does_not_say(tmp_path: Path) -> None:
    old = {"type": "system", "subtype": "init", "session_id": "s1", "cwd": "/w", "model": "x"}
    (begin,) = of(Begin, read(tmp_path, old)[0])
    assert begin.version is None


def test_hooks_before_init_come_after_the_beginning_of_their_run(tmp_path: Path) -> None:
    records = [hook(output="a" * 9), init(), user("go"), hook("s2"), init("s2"), user("on")]
    events, log = read(tmp_path, *records)
    kinds = [type(e).__name__ for e in events]
    assert kinds == ["Begin", "Mark", "Message"] * 2
    assert [e.anchor.line for e in events] == [2, 1, 3, 5, 4, 6]
    assert log.notes.counts == {"runs": 1}


def test_a_log_with_nothing_but_hooks_is_read(tmp_path: Path) -> None:
    events, _ = read(tmp_path, hook(), hook())
    assert [e.label for e in of(Mark, events)] == ["hook_response"] * 2


def test_a_run_without_init_begins_at_its_first_record(tmp_path: Path) -> None:
    (begin,) = of(Begin, read(tmp_path, assistant(words("hi")), closing())[0])
    assert (begin.session, begin.model, begin.version) == ("s1", None, None)


def test_blocks_in_records_of_one_message_share_a_key(tmp_path: Path) -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    events, _ = read(
        tmp_path,
        init(),
        assistant(thought),
        assistant(words("let us see")),
        assistant(use("c1", command="ls")),
        user(outcome("c1")),
        assistant(words("done"), id="m2"),
    )
    said = [(m.reasoning, m.text, m.key) for m in of(Message, events)]
    assert said == [("hm", "", "m1"), ("", "let us see", "m1"), ("", "done", "m2")]
    assert [c.key for c in of(Call, events)] == ["m1"]


def test_a_call_keeps_name_kind_arguments_and_place(tmp_path: Path) -> None:
    events, log = read(tmp_path, init(), assistant(words("x"), use("c1", command="ls")))
    (call,) = of(Call, events)
    assert (call.name, call.kind, call.arguments, call.native_id) == (
        "Bash",
        "shell",
        {"command": "ls"},
        "c1",
    )
    raw = log.path.read_bytes()[call.anchor.start : call.anchor.end]
    assert call.anchor.pointer == "/message/content/1"
    assert json.loads(raw)["message"]["content"][1]["id"] == "c1"


def test_reasoning_that_is_not_readable_is_counted(tmp_path: Path) -> None:
    sealed = [
        {"type": "thinking", "thinking": "", "signature": "a"},
        {"type": "redacted_thinking", "data": "b"},
    ]
    events, log = read(tmp_path, init(), assistant(*sealed), assistant(words("hi")))
    assert [m.text for m in of(Message, events)] == ["hi"]
    assert log.notes.counts == {"aside": 2}


def test_parallel_calls_are_answered_in_any_order(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        init(),
        assistant(use("slow")),
        assistant(use("fast")),
        user(outcome("fast", "f")),
        assistant(use("late")),
        user(outcome("late", "l"), outcome("slow", "s")),
    )
    assert [(name, text) for name, _, _, text in calls(events)] == [
        ("slow", "s"),
        ("fast", "f"),
        ("late", "l"),
    ]


def test_a_result_before_its_call_finds_it_and_one_without_is_an_orphan(tmp_path: Path) -> None:
    events, log = read(
        tmp_path, init(), user(outcome("c1", "early")), assistant(use("c1")), user(outcome("zz"))
    )
    assert [(name, text) for name, _, _, text in calls(events)] == [("c1", "early")]
    assert [r.call_id for r in of(Result, events)] == ["c1", "zz"]
    assert log.notes.counts == {"orphan": 1}


def test_a_call_without_a_result_is_counted_and_answered_by_nobody(tmp_path: Path) -> None:
    events, log = read(tmp_path, init(), assistant(use("c1"), use("c2")), user(outcome("c2")))
    assert [status for _, _, status, _ in calls(events)] == ["missing", "ok"]
    assert log.notes.counts == {"unanswered": 1}


def test_texts_of_a_result_are_joined_and_its_images_counted(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
    content = [words("a"), image, words("b")]
    events, _ = read(tmp_path, init(), assistant(use("c1")), user(outcome("c1", content)))
    (result,) = of(Result, events)
    assert (result.text, result.images) == ("a\nb", 1)


def test_content_that_the_log_does_not_keep_is_unknown_and_empty_content_is_empty(
    tmp_path: Path,
) -> None:
    bare = {"type": "tool_result", "tool_use_id": "c1"}
    events, _ = read(tmp_path, init(), assistant(use("c1"), use("c2")), user(bare))
    assert of(Result, events)[0].text is None
    events, _ = read(tmp_path, init(), assistant(use("c1")), user(outcome("c1", "")))
    assert of(Result, events)[0].text == ""


def test_words_that_the_program_put_in_are_synthetic(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        init(),
        user("the task"),
        user(words("Stop hook feedback"), isSynthetic=True),
        user(words("<system-reminder>be nice</system-reminder>"), words("go on")),
        user("This session is being continued from a previous conversation. So far: ..."),
    )
    assert [(m.synthetic, m.copied, m.text[:8]) for m in of(Message, events)] == [
        (False, False, "the task"),
        (True, False, "Stop hoo"),
        (True, False, "<system-"),
        (False, False, "go on"),
        (True, True, "This ses"),
    ]


def test_images_of_a_person_are_counted(tmp_path: Path) -> None:
    image = {"type": "image", "source": {}}
    events, _ = read(tmp_path, init(), user(words("look"), image, image))
    assert [(m.text, m.images) for m in of(Message, events)] == [("look", 2)]


def test_an_interruption_is_a_mark_beside_the_words_of_the_program(tmp_path: Path) -> None:
    events, _ = read(tmp_path, init(), user(words("[Request interrupted by user]")))
    assert [m.synthetic for m in of(Message, events)] == [True]
    assert [(m.kind, m.label) for m in of(Mark, events)] == [("abort", "interrupted")]


def test_retries_compaction_tasks_and_notices_are_marks_with_what_they_say(tmp_path: Path) -> None:
    system = {"type": "system", "session_id": "s1"}
    retry = {"subtype": "api_retry", "attempt": 2, "error_status": 429, "error": "rate_limit"}
    started = {"subtype": "task_started", "task_id": "b1", "tool_use_id": "c1", "description": "t"}
    ended = {"subtype": "task_notification", "task_id": "b1", "tool_use_id": "c1", "summary": "t"}
    compact = {"subtype": "compact_boundary", "compact_metadata": {"pre_tokens": 9}}
    events, log = read(
        tmp_path,
        init(),
        assistant(use("c1", run_in_background=True)),
        *({**system, **more} for more in (retry, started, ended, compact)),
        {"type": "rate_limit_event", "message": "slow down"},
    )
    marks = of(Mark, events)
    assert [(m.kind, m.label, m.text) for m in marks] == [
        ("retry", "api_retry", "rate_limit"),
        ("task", "task_started", "t"),
        ("task", "task_notification", "t"),
        ("compaction", "compact_boundary", ""),
        ("notice", "rate_limit_event", "slow down"),
    ]
    assert (marks[0].extra["attempt"], marks[0].extra["error_status"]) == (2, 429)
    assert marks[1].extra["call"] == marks[2].extra["call"] == "c1"
    assert log.notes.counts == {"unanswered": 1}


def test_kinds_that_are_not_known_are_kept_as_opaque_and_counted(tmp_path: Path) -> None:
    events, log = read(
        tmp_path,
        init(),
        {"type": "novelty", "session_id": "s1"},
        {"type": "system", "subtype": "novelty", "session_id": "s1"},
        assistant({"type": "hologram"}),
        {"type": "stream_event", "event": {}, "session_id": "s1"},
    )
    assert [m.label for m in of(Mark, events)] == ["novelty", "novelty", "block hologram"]
    assert log.notes.counts == {"unknown": 3, "aside": 1}


def test_the_end_says_how_it_ended_and_what_was_denied(tmp_path: Path) -> None:
    denials = [{"tool_name": "Bash", "tool_use_id": "c1", "tool_input": {}}]
    end = closing(subtype="error_max_turns", is_error=True, permission_denials=denials, result="")
    del end["result"]
    records = [init(), assistant(use("c1")), user(outcome("c1", "no")), {**end, "errors": ["e"]}]
    (mark,) = of(Mark, read(tmp_path, *records)[0])
    assert (mark.kind, mark.label, mark.text) == ("end", "error_max_turns", '["e"]')
    assert (mark.extra["denials"], mark.extra["denied"]) == (1, ["c1"])
    assert mark.extra["is_error"] is True


def test_a_second_session_is_a_second_run_with_ids_of_its_own(tmp_path: Path) -> None:
    def run(session: str) -> list[dict[str, object]]:
        more = {"session_id": session}
        return [
            init(session, uuid="u0"),
            assistant(use("call_0"), uuid="u1", **more),
            user(outcome("call_0"), uuid="u2", **more),
            closing(session, uuid="u3"),
        ]

    events, log = read(tmp_path, *run("s1"), *run("s2"), *run("s1"))
    assert [b.session for b in of(Begin, events)] == ["s1", "s2"]
    assert [(c.call_id, c.native_id, c.key) for c in of(Call, events)] == [
        ("call_0", "call_0", "m1"),
        ("call_0@2", "call_0", "m1@2"),
    ]
    assert [r.call_id for r in of(Result, events)] == ["call_0", "call_0@2"]
    assert [u.key for u in of(Usage, events)] == ["s1", "s2"]
    assert log.notes.counts == {"runs": 1, "repeated": 4}


def test_an_id_that_comes_again_with_another_answer_is_another_call(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        init(),
        assistant(use("call_0", command="a"), id="m1"),
        user(outcome("call_0", "1")),
        assistant(use("call_0", command="b"), id="m2"),
        user(outcome("call_0", "2")),
    )
    assert [(name, text) for name, _, _, text in calls(events)] == [
        ("call_0", "1"),
        ("call_0#2", "2"),
    ]


def test_a_second_turn_of_the_same_session_is_no_second_run(tmp_path: Path) -> None:
    events, log = read(tmp_path, init(uuid="a"), user("1"), closing(), init(uuid="b"), user("2"))
    assert len(of(Begin, events)) == 1
    assert [(m.kind, m.label) for m in of(Mark, events)] == [("end", "success"), ("mode", "init")]
    assert not log.notes.counts


@pytest.mark.parametrize("times", [2, 3])
def test_a_replayed_stream_counts_once(tmp_path: Path, times: int) -> None:
    records = [
        init(uuid="u0"),
        user("go", uuid="u1"),
        assistant(words("hi"), use("c1")),
        user(outcome("c1"), uuid="u3"),
        closing(uuid="u4"),
    ]
    once, _ = read(tmp_path, *records)
    again, log = read(tmp_path, *records * times)
    assert again == once
    assert log.notes.counts == {"repeated": 5 * (times - 1)}


def test_records_that_share_a_uuid_and_say_other_things_are_not_repeated(tmp_path: Path) -> None:
    events, log = read(
        tmp_path, init(), assistant(words("a"), uuid="u"), assistant(words("b"), uuid="u")
    )
    assert [m.text for m in of(Message, events)] == ["a", "b"]
    assert not log.notes.counts


def test_the_array_of_the_github_action_gives_the_same_events(tmp_path: Path) -> None:
    records = [init(), user("go"), assistant(use("c1")), user(outcome("c1", "x")), closing()]
    lines, _ = read(tmp_path, *records)
    array, log = read_document(tmp_path, [*records, None, "text", 42, []])
    assert calls(array) == calls(lines)
    assert [type(e) for e in array] == [type(e) for e in lines]
    assert of(Call, array)[0].anchor.pointer == "/2/message/content/0"
    assert log.notes.counts == {"scalar": 4}


def test_the_older_name_of_the_cost_is_read(tmp_path: Path) -> None:
    end = closing()
    end["cost_usd"] = end.pop("total_cost_usd")
    assert of(Usage, read(tmp_path, init(), end)[0])[0].cost_nano == 500_000_000


def test_messages_that_are_text_and_contents_that_hold_text_are_read(tmp_path: Path) -> None:
    events, log = read(
        tmp_path,
        init(),
        {"type": "assistant", "session_id": "s1", "message": "plain"},
        {"type": "user", "session_id": "s1", "message": "also plain"},
        assistant("bare", 7, None),
        user("one", words("two")),
        user(),
        {"type": "assistant", "session_id": "s1"},
    )
    assert [(m.source, m.text) for m in of(Message, events)] == [
        ("agent", "plain"),
        ("user", "also plain"),
        ("agent", "bare"),
        ("user", "one\ntwo"),
    ]
    assert log.notes.counts == {"shape": 2}


def test_arguments_that_are_no_object_are_wrapped(tmp_path: Path) -> None:
    block = {"type": "tool_use", "id": "c1", "name": "apply", "input": "*** Begin Patch"}
    events, _ = read(tmp_path, init(), assistant(block, {"type": "tool_use", "id": "c2"}))
    assert [(c.name, c.arguments) for c in of(Call, events)] == [
        ("apply", {"input": "*** Begin Patch"}),
        ("unknown", {}),
    ]


def test_tools_that_the_provider_runs_are_calls_too(tmp_path: Path) -> None:
    search = {"type": "server_tool_use", "id": "w1", "name": "web_search", "input": {"query": "q"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "w1", "content": [words("hit")]}
    events, _ = read(tmp_path, init(), assistant(search), assistant(found))
    assert calls(events) == [("w1", "web_search", "ok", "hit")]


def test_a_failed_answer_is_an_error_and_no_words_of_the_model(tmp_path: Path) -> None:
    record = assistant(words("Invalid API key"), error="authentication_failed")
    record["message"]["model"] = "<synthetic>"
    events, _ = read(tmp_path, init(), record)
    assert [(m.synthetic, m.key) for m in of(Message, events)] == [(True, None)]
    assert [(m.kind, m.label) for m in of(Mark, events)] == [("error", "authentication_failed")]
    assert of(Usage, events) == []
