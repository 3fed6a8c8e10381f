"""Managed sessions, Inspect logs, ATIF, Who&When, and what is none of them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import FormatError
from benchwright.trajectory.events import Begin, Call, Mark, Message, Result, Usage
from benchwright.trajectory.log import open_log
from tests.trajectory.readers.reading import calls, of, read, read_document


def managed(kind: str, **parts: Any) -> dict[str, Any]:
    raw = {"type": kind, "processed_at": "2026-01-01T00:00:00.123456Z", **parts}
    return {"role": "agent", "kind": "x", "raw": raw}


def test_managed_sessions_are_read_from_their_raw_events(tmp_path: Path) -> None:
    use = {"name": "bash", "input": {"command": "ls"}}
    events, log = read(
        tmp_path,
        managed("user.define_outcome", description="reproduce it"),
        managed("span.model_request_start", id="r1"),
        managed("agent.message", content=[{"type": "text", "text": "now"}]),
        managed("agent.tool_use", id="sevt_1", **use),
        managed("agent.tool_use", id="sevt_1", **use),
        managed("agent.tool_result", id="sevt_2", tool_use_id="sevt_1", is_error=False,
                content=[{"type": "text", "text": "f"}]),
        managed("span.model_request_end", id="r2", model_request_start_id="r1",
                model_usage={"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 5}),
        managed("span.outcome_evaluation_end", explanation="not yet"),
        managed("session.usage", usage={"active_seconds": 2.5, "input_tokens": 0,
                "list_cost": {"amount": "1.25", "currency": "USD"}}),
        managed("agent.someday"),
    )  # fmt: skip
    assert log.dialect.name == "managed"
    assert calls(events) == [("sevt_1", "bash", "ok", "f")]
    assert [m.source for m in of(Message, events)] == ["user", "agent"]
    step, run = of(Usage, events)
    assert (step.prompt, step.cached, step.completion) == (8, 5, 2)
    assert (run.prompt, run.cost_nano, run.duration_ms) == (None, 1_250_000_000, 2500)
    assert [m.kind for m in of(Mark, events)] == ["task", "opaque"]
    assert log.notes.counts == {"repeated": 1, "unknown": 1}


SAMPLE = {
    "id": "x", "epoch": 1, "attachments": {"h1": "long text"},
    "messages": [
        {"id": "a", "role": "user", "content": "do"},
        {"id": "b", "role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"},
                                                     {"type": "text", "text": "ok"}],
         "tool_calls": [{"id": "c", "function": "bash", "arguments": {"cmd": "ls"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "attachment://h1",
         "error": {"type": "timeout", "message": "slow"}},
    ],
    "events": [{"event": "model", "model": "m", "timestamp": "2026-01-01T00:00:00+00:00",
                "output": {"choices": [{"message": {"id": "b"}}],
                           "usage": {"input_tokens": 2, "input_tokens_cache_read": 5,
                                     "output_tokens": 1, "total_tokens": 8}}}],
}  # fmt: skip
HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "solver": "react"}}


def check_inspect(events: list[Any]) -> None:
    assert calls(events) == [("c", "bash", "failed", "long text")]
    spoken = of(Message, events)[1]
    assert (spoken.text, spoken.reasoning) == ("ok", "hm")
    assert spoken.time == "2026-01-01T00:00:00+00:00"
    assert [(u.prompt, u.cached, u.completion) for u in of(Usage, events)] == [(7, 5, 1)]


def test_an_inspect_document(tmp_path: Path) -> None:
    events, log = read_document(tmp_path, {**HEADER, "samples": [SAMPLE]})
    assert log.dialect.name == "inspect-json"
    check_inspect(events)


def test_an_inspect_archive_and_one_whose_run_was_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps(HEADER))
        archive.writestr("samples/x_epoch_1.json", json.dumps(SAMPLE))
    log = open_log(path)
    check_inspect(list(log))
    assert log.notes.counts == {"cut": 1}


def test_a_damaged_member_of_an_archive_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        archive.writestr("samples/x_epoch_1.json", "{")
        archive.writestr("samples/y_epoch_1.json", json.dumps(SAMPLE))
    log = open_log(path)
    check_inspect(list(log))
    assert log.notes.counts["cut"] == 1


@pytest.mark.parametrize("sample", ["{", f'{{"x": "{"0" * 70_000_000}"}}'], ids=["cut", "bomb"])
def test_an_archive_of_which_no_sample_can_be_read_is_refused(tmp_path: Path, sample: str) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        archive.writestr("samples/x_epoch_1.json", sample)
    with pytest.raises(FormatError, match="no sample of the archive can be read"):
        list(open_log(path))


def test_attachments_are_put_in_up_to_a_limit(tmp_path: Path) -> None:
    text = "x" * 1_000_000
    said = [{"role": "user", "content": "attachment://a"} for _ in range(100)]
    sample = {"id": "s", "messages": said, "attachments": {"a": text}}
    value = {"version": 2, "status": "success", "eval": {"model": "m"}, "samples": [sample]}
    events, log = read_document(tmp_path, value)
    assert log.dialect.name == "inspect-json"
    words = [message.text for message in of(Message, events)]
    assert words == [text] * 64 + ["attachment://a"] * 36
    assert log.notes.counts["attached"] == 36


ATIF = {
    "schema_version": "ATIF-v1.8", "session_id": "s", "agent": {"name": "a", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "do"},
        {"step_id": 2, "source": "agent", "message": "", "model_name": "m",
         "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {}},
                        {"tool_call_id": "d", "function_name": "bash", "arguments": {}}],
         "observation": {"results": [{"source_call_id": "c", "content": "x"}]},
         "metrics": {"prompt_tokens": 5, "completion_tokens": 1, "cost_usd": 0.001}},
    ],
    "final_metrics": {"total_prompt_tokens": 5, "total_steps": 2},
}  # fmt: skip


def test_an_atif_document_and_one_a_line(tmp_path: Path) -> None:
    events, log = read_document(tmp_path, ATIF)
    assert log.dialect.name == "atif"
    assert calls(events) == [("c", "bash", "unknown", "x"), ("d", "bash", "missing", None)]
    assert [u.scope for u in of(Usage, events)] == ["step", "run"]
    events, log = read(tmp_path, ATIF, ATIF)
    assert log.dialect.name == "atif-lines"
    assert len(of(Begin, events)) == 2
    assert len({call.call_id for call in of(Call, events)}) == 4
    assert len(of(Result, events)) == 2


def test_an_annotated_failure_keeps_its_label_apart(tmp_path: Path) -> None:
    value = {
        "question": "q", "mistake_agent": "Coder", "mistake_step": "1", "mistake_reason": "wrong",
        "history": [{"role": "human", "content": "q"}, {"role": "Coder (thought)", "content": "a"}],
    }  # fmt: skip
    events, log = read_document(tmp_path, value)
    assert log.dialect.name == "who-when"
    assert [(m.source, m.thread) for m in of(Message, events)] == [("user", ""), ("agent", "Coder")]
    assert of(Mark, events)[-1].extra["mistake_step"] == "1"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", "an empty file"),
        ("  \n\n", "an empty file"),
        ("hello\nworld\n", "no JSON object"),
        ('{"a": 1}\n{"b": 2}\n', "keys a, b"),
        ('{"type": "quux"}\n' * 3, "types quux"),
        ('{\n "a": {"b": 1}\n}\n', "members a"),
    ],
)
def test_what_is_no_log_is_an_error_that_says_what_was_seen(
    text: str, seen: str, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        open_log(path)
    assert seen in str(caught.value)


def test_a_zip_that_is_no_log_is_one_too(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(FormatError, match=r"a\.txt"):
        open_log(path)
