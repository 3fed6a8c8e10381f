"""Claude Code session files: envelope, bookkeeping, compaction, branches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Begin, Call, Mark, Message, Result
from tests.trajectory.readers.claude_records import assistant, kept, outcome, use, user, words
from tests.trajectory.readers.reading import calls, of, read


def system(subtype: str, uuid: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    return kept({"type": "system", "subtype": subtype, **more}, uuid, parent)


def test_the_first_record_in_the_tree_says_session_version_and_folder(tmp_path: Path) -> None:
    queued = {"type": "queue-operation", "operation": "enqueue", "sessionId": "s1", "content": "go"}
    queued["timestamp"] = "2025-12-31T23:59:59.000Z"
    events, log = read(tmp_path, queued, kept(user("go"), "u1", "u0"))
    begin, notice, _ = events
    assert log.dialect.name == "claude-session"
    assert isinstance(begin, Begin)
    assert (begin.session, begin.version, begin.cwd) == ("s1", "2.1.96", "/w")
    assert begin.model is None
    assert begin.time == "2026-01-01T00:00:00.000Z"
    assert begin.extra == {"branch": "main", "parent": "u0"}
    assert isinstance(notice, Mark)
    assert (notice.kind, notice.label, notice.text) == ("notice", "queue-operation", "go")


def test_an_answer_is_what_shares_message_and_request(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        kept(assistant(words("a")), "u1", requestId="r1"),
        kept(assistant(use("c1")), "u2", "u1", requestId="r1"),
        kept(assistant(words("b")), "u3", "u2", requestId="r2"),
    )
    assert [m.key for m in of(Message, events)] == ["m1 r1", "m1 r2"]
    assert [c.key for c in of(Call, events)] == ["m1 r1"]
    assert {m.model for m in of(Message, events)} == {"claude-x"}


def test_every_record_has_its_time(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path, kept(assistant(use("c1")), "u1"), kept(user(outcome("c1")), "u2", "u1")
    )
    assert {e.time for e in of(Call, events) + of(Result, events)} == {"2026-01-01T00:00:00.000Z"}


def test_a_compaction_is_a_mark_and_its_summary_is_copied(tmp_path: Path) -> None:
    boundary = system("compact_boundary", "u2", None, compactMetadata={"trigger": "auto"})
    summary = kept(user("In short: ..."), "u3", "u2", isCompactSummary=True)
    events, _ = read(tmp_path, kept(user("go"), "u1"), boundary, summary)
    assert [(m.kind, m.extra) for m in of(Mark, events)] == [
        ("compaction", {"compactMetadata": {"trigger": "auto"}})
    ]
    assert [(m.synthetic, m.copied) for m in of(Message, events)] == [(False, False), (True, True)]


def test_history_that_a_fork_took_over_is_copied(tmp_path: Path) -> None:
    record = kept(user("go"), "u1", forkedFrom={"sessionId": "s0", "messageUuid": "x"})
    (message,) = of(Message, read(tmp_path, record)[0])
    assert (message.copied, message.synthetic) == (True, False)


@pytest.mark.parametrize("flag", ["isMeta", "isVisibleInTranscriptOnly"])
def test_records_that_the_program_flags_as_its_own_are_synthetic(tmp_path: Path, flag: str) -> None:
    events, _ = read(tmp_path, kept(user("go"), "u1", **{flag: True}), kept(user("on"), "u2"))
    assert [m.synthetic for m in of(Message, events)] == [True, False]


def test_what_a_person_typed_into_a_shell_is_theirs_and_what_it_printed_is_not(
    tmp_path: Path,
) -> None:
    events, _ = read(
        tmp_path,
        kept(user("<bash-input>ls</bash-input>"), "u1"),
        kept(user("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"), "u2", "u1"),
        kept(user("<command-name>/clear</command-name>"), "u3", "u2"),
        kept(user("<local-command-stdout></local-command-stdout>"), "u4", "u3"),
    )
    assert [m.synthetic for m in of(Message, events)] == [False, True, False, True]
    assert of(Call, events) == []


def test_an_answer_that_failed_is_an_error_and_says_nothing(tmp_path: Path) -> None:
    failed = kept(assistant(words("API Error: 500")), "u1", isApiErrorMessage=True, error="server")
    events, _ = read(tmp_path, failed)
    assert of(Message, events) == []
    assert [(m.kind, m.label, m.text) for m in of(Mark, events)] == [
        ("error", "server", "API Error: 500")
    ]


def test_an_answer_that_was_stopped_is_kept_and_marked(tmp_path: Path) -> None:
    events, _ = read(tmp_path, kept(assistant(words("I wi")), "u1", isAbortedMidStream=True))
    assert [m.text for m in of(Message, events)] == ["I wi"]
    assert [m.kind for m in of(Mark, events)] == ["abort"]


def test_retries_hooks_and_turns_are_marks(tmp_path: Path) -> None:
    hook = {"type": "hook_progress", "hookEvent": "Stop", "hookName": "Stop"}
    bash = {"type": "bash_progress", "output": "", "elapsedTimeSeconds": 2}
    events, log = read(
        tmp_path,
        kept(assistant(use("c1")), "u1"),
        system("api_error", "u2", "u1", retryAttempt=1, retryInMs=500, error={"message": "busy"}),
        kept({"type": "progress", "data": hook}, "u3", "u2"),
        kept({"type": "progress", "data": bash}, "u4", "u2", parentToolUseID="c1"),
        system("turn_duration", "u5", "u4", durationMs=1200),
        system("novelty", "u6", "u5"),
    )
    marks = of(Mark, events)
    assert [(m.kind, m.label) for m in marks] == [
        ("retry", "api_error"),
        ("notice", "hook_progress"),
        ("notice", "bash_progress"),
        ("notice", "turn_duration"),
        ("opaque", "novelty"),
    ]
    assert marks[0].text == "busy"
    assert marks[2].extra == {"call": "c1"}
    assert marks[3].extra["durationMs"] == 1200
    assert log.notes.counts == {"unanswered": 1, "unknown": 1}


def test_bookkeeping_without_words_or_time_is_counted(tmp_path: Path) -> None:
    events, log = read(
        tmp_path,
        {"type": "summary", "summary": "Pumps", "leafUuid": "u9"},
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        {"type": "permission-mode", "permissionMode": "plan", "sessionId": "s1"},
        kept(user("go"), "u1"),
        {"type": "novelty", "sessionId": "s1"},
    )
    assert [(m.kind, m.label, m.text) for m in of(Mark, events)] == [
        ("notice", "summary", "Pumps"),
        ("mode", "plan", ""),
        ("opaque", "novelty", ""),
    ]
    assert log.notes.counts == {"aside": 1, "unknown": 1}


def test_attachments_are_words_of_the_program_and_queued_words_those_of_a_person(
    tmp_path: Path,
) -> None:
    def attached(uuid: str, **attachment: Any) -> dict[str, Any]:
        return kept({"type": "attachment", "attachment": attachment}, uuid)

    events, _ = read(
        tmp_path,
        attached("u1", type="skill_listing", content="- loop: ..."),
        attached("u2", type="queued_command", prompt="and the pumps", commandMode="prompt"),
        attached("u3", type="hook_success", stdout="{}", content="", exitCode=0),
        attached("u4", type="auto_mode"),
    )
    assert [(m.source, m.synthetic, m.text) for m in of(Message, events)] == [
        ("system", True, "- loop: ..."),
        ("user", False, "and the pumps"),
    ]
    assert [(m.kind, m.label) for m in of(Mark, events)] == [
        ("notice", "hook_success"),
        ("notice", "auto_mode"),
    ]


def test_a_replayed_session_counts_once_even_under_another_session(tmp_path: Path) -> None:
    records = [
        kept(user("go"), "u1"),
        kept(assistant(words("hi"), use("c1")), "u2", "u1"),
        kept(user(outcome("c1")), "u3", "u2"),
        system("turn_duration", "u4", "u3", durationMs=1),
    ]
    once, _ = read(tmp_path, *records)
    again, log = read(tmp_path, *records, *({**r, "sessionId": "s2"} for r in records))
    assert [e for e in again if not isinstance(e, Begin)] == once[1:]
    assert [b.session for b in of(Begin, again)] == ["s1", "s2"]
    assert log.notes.counts == {"repeated": 4, "runs": 1}


def test_calls_without_ids_are_named_and_answered_in_order(tmp_path: Path) -> None:
    call = {"type": "tool_use", "name": "Bash", "input": {}}
    events, log = read(
        tmp_path,
        kept(assistant(call, call, id=None), "u1"),
        kept(user({"type": "tool_result", "content": "a"}), "u2", "u1"),
        kept(user({"type": "tool_result", "content": "b"}), "u3", "u2"),
        kept(user({"type": "tool_result", "content": "c"}), "u4", "u3"),
    )
    names = [c.call_id for c in of(Call, events)]
    assert len(set(names)) == 2
    assert [text for _, _, _, text in calls(events)] == ["a", "b"]
    assert len({r.call_id for r in of(Result, events)}) == 3
    assert log.notes.counts == {"orphan": 1}


def branches(events: list[Any]) -> list[Any]:
    return [m.extra["left"] for m in of(Mark, events) if m.label == "branch"]


def test_a_rewind_keeps_what_was_done_and_marks_where_it_was_left(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        kept(user("start"), "u1"),
        kept(assistant(words("a")), "u2", "u1"),
        kept(user("left"), "u3", "u2"),
        kept(assistant(use("c1"), id="m2"), "u4", "u3"),
        kept(user(outcome("c1")), "u5", "u4"),
        kept(user("instead"), "u6", "u2"),
    )
    assert [m.text for m in of(Message, events)] == ["start", "a", "left", "instead"]
    assert len(calls(events)) == 1
    assert branches(events) == [3]


def test_bookkeeping_between_the_branches_does_not_hide_them(tmp_path: Path) -> None:
    events, _ = read(
        tmp_path,
        kept(assistant(words("a")), "u1"),
        system("turn_duration", "u2", "u1", durationMs=1),
        kept({"type": "attachment", "attachment": {"type": "auto_mode"}}, "u3", "u2"),
        kept(user("left"), "u4", "u3"),
        kept(user("instead"), "u5", "u1"),
        kept(user("or"), "u6", "u2"),
    )
    assert branches(events) == [4, 4]


def test_parallel_results_and_replays_are_no_branches(tmp_path: Path) -> None:
    prompt = kept(user("on"), "u6", "u5")
    events, _ = read(
        tmp_path,
        kept(user("go"), "u1"),
        kept(assistant(use("c1")), "u2", "u1"),
        kept(assistant(use("c2")), "u3", "u2"),
        kept(user(outcome("c1")), "u4", "u2"),
        kept(user(outcome("c2")), "u5", "u3"),
        prompt,
        prompt,
    )
    assert branches(events) == []
