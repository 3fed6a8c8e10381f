"""OpenCode: the export and the lines of a run hold the same parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Begin, Mark, Message, Result, Usage
from tests.trajectory.readers.reading import calls, of, read, read_document

TOOL = {
    "id": "p2", "messageID": "m1", "type": "tool", "tool": "bash", "callID": "c1",
    "state": {"status": "completed", "input": {"command": "ls"}, "output": "a",
              "metadata": {"exit": 0, "truncated": False}, "time": {"start": 1000, "end": 1250}},
}  # fmt: skip
FINISH = {
    "id": "p3", "messageID": "m1", "type": "step-finish", "cost": 0.0123,
    "tokens": {"input": 10, "output": 2, "reasoning": 3, "cache": {"read": 4, "write": 1}},
}  # fmt: skip
TEXT = {"id": "p1", "messageID": "m1", "type": "text", "text": "hi"}


def line(kind: str, part: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": kind, "timestamp": 1_700_000_000_000, "sessionID": "s", "part": part, **more}


def test_a_run_of_lines(tmp_path: Path) -> None:
    events, log = read(
        tmp_path, line("text", TEXT), line("tool_use", TOOL), line("step_finish", FINISH)
    )
    assert log.dialect.name == "opencode-run"
    assert calls(events) == [("c1", "bash", "ok", "a")]
    assert of(Begin, events)[0].time == "2023-11-14T22:13:20.000Z"
    assert of(Result, events)[0].duration_ms == 250
    usage = of(Usage, events)[0]
    assert (usage.prompt, usage.cached, usage.completion) == (15, 4, 5)
    assert usage.cost_nano == 12_300_000


def test_an_export_says_the_same_and_its_own_total(tmp_path: Path) -> None:
    info = {
        "id": "s",
        "version": "1",
        "directory": "/w",
        "cost": 0.5,
        "tokens": {"input": 1, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}},
    }
    message = {"info": {"id": "m1", "role": "assistant", "modelID": "x"},
               "parts": [TEXT, TOOL, FINISH]}  # fmt: skip
    events, log = read_document(tmp_path, {"info": info, "messages": [message]})
    assert log.dialect.name == "opencode-export"
    assert calls(events) == [("c1", "bash", "ok", "a")]
    assert [u.scope for u in of(Usage, events)] == ["step", "run"]
    assert of(Message, events)[0].model == "x"


def test_the_words_before_an_export_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text('Exporting session: ses_1\n{"info": {"id": "s"}, "messages": []}\n')
    from benchwright.trajectory.log import open_log

    log = open_log(path)
    assert len(of(Begin, list(log))) == 1
    assert log.notes.counts == {"text": 1}


def test_a_tool_that_failed_or_was_not_allowed(tmp_path: Path) -> None:
    failed = {**TOOL, "state": {"status": "error", "input": {}, "error": "boom"}}
    denied = {
        **TOOL,
        "callID": "c2",
        "state": {"status": "error", "input": {}, "error": "The user rejected permission to use"},
    }
    code = {**TOOL, "callID": "c3", "state": {**TOOL["state"], "metadata": {"exit": 7}}}  # type: ignore[dict-item]
    events, _ = read(tmp_path, *(line("tool_use", part) for part in (failed, denied, code)))
    assert [status for _, _, status, _ in calls(events)] == ["failed", "refused", "failed"]


def test_a_sub_agent_is_named_by_its_session(tmp_path: Path) -> None:
    state = {**TOOL["state"], "metadata": {"sessionId": "child"}}  # type: ignore[dict-item]
    events, _ = read(tmp_path, line("tool_use", {**TOOL, "tool": "task", "state": state}))
    assert of(Result, events)[0].child == "child"


def test_a_part_that_comes_again_counts_once(tmp_path: Path) -> None:
    events, log = read(
        tmp_path,
        line("tool_use", TOOL),
        line("tool_use", TOOL),
        line("text", TEXT),
        line("text", TEXT),
    )
    assert (len(calls(events)), len(of(Message, events))) == (1, 1)
    assert log.notes.counts == {"repeated": 2}


def test_an_error_of_the_run_is_a_mark(tmp_path: Path) -> None:
    error = {
        "type": "error",
        "sessionID": "s",
        "error": {"name": "APIError", "data": {"message": "no"}},
    }
    events, _ = read(tmp_path, line("text", TEXT), error)
    assert [(m.kind, m.label, m.text) for m in of(Mark, events)] == [("error", "APIError", "no")]
