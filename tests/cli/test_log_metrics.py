"""`log metrics`: figures for people and as one document; the evaluator's hard rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code as run

COMMAND = "python -c 'import numpy; print(5)'"


def record(number: int, kind: str, content: Any, **message: Any) -> dict[str, Any]:
    body = {"role": kind, "content": content, **message}
    return {"type": kind, "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "s", "cwd": "/w", "version": "2.1.0", "message": body,
            "timestamp": f"2026-01-01T00:00:0{number}.000Z"}  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A session with one word of a user, one call and its result."""
    usage = {"input_tokens": 1000, "output_tokens": 20, "cache_read_input_tokens": 0}
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": COMMAND}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "5 6\n"}
    answer = {"id": "m1", "model": "claude-opus-4-6", "stop_reason": "tool_use", "usage": usage}
    records = [
        record(0, "user", "find it \x1b[31m"),
        record(1, "assistant", [call], **answer),
        record(2, "user", [result]),
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in records))
    return path


def test_the_figures_are_one_document(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["log", "metrics", str(log), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "benchwright.log.metrics/1"
    figures = document["metrics"]["together"]
    assert (figures["tool_calls"], figures["python_calls"], figures["numeric_values"]) == (1, 1, 2)
    assert figures["tokens"]["prompt"] == 1000
    assert figures["tokens"]["reasoning"] is None
    assert figures["cost"] == {"nano_usd": 1000 * 5000 + 20 * 25_000, "source": "prices"}
    assert document["metrics"]["python"]["libraries"] == {"numpy": 1}
    assert document["violations"] == []


def test_people_see_figures_unknowns_and_what_a_dash_stands_for(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["log", "metrics", str(log)]) == 0
    rows = dict(line.rsplit(None, 1) for line in capsys.readouterr().out.splitlines()[1:19])
    assert rows["tool calls"] == "1"
    assert rows["numeric values printed"] == "2"
    assert rows["  reasoning"] == "unknown"


def test_strict_asks_for_the_hard_rules_and_names_what_is_broken(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["log", "metrics", str(log), "--strict"]) == 0
    log.write_text(log.read_text() + json.dumps(record(3, "user", "go on")) + "\n")
    assert run(["log", "metrics", str(log)]) == 0
    assert "broken" not in capsys.readouterr().err
    assert run(["log", "metrics", str(log), "--strict"]) == 1
    assert "broken: 2 user steps; there must be 1" in capsys.readouterr().err


def test_images_that_the_run_left_are_the_plots(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.png").write_bytes(b"")
    assert run(["log", "metrics", str(log), "--artifacts", str(tmp_path / "out"), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["metrics"]["together"]
    assert (figures["plots_generated"], figures["plots_inspected"]) == (1, 0)


def test_a_folder_of_artifacts_that_is_not_there_is_refused(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["log", "metrics", str(log), "--artifacts", str(tmp_path / "none")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "none" in said.err


def test_more_cached_than_prompt_tokens_are_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = {"input_tokens": 5, "cached_input_tokens": 6, "output_tokens": 1}
    records = [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"},
               {"type": "turn.completed", "usage": usage}]  # fmt: skip
    path = tmp_path / "log"
    path.write_text("".join(json.dumps(item) + "\n" for item in records))
    assert run(["log", "metrics", str(path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "more cached than input tokens" in said.err


def test_a_cost_that_is_unknown_says_why(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["log", "metrics", str(log)]) == 0
    assert "cost unknown" not in capsys.readouterr().err
    log.write_text(log.read_text().replace("claude-opus-4-6", "nobody-1"))
    assert run(["log", "metrics", str(log)]) == 0
    (note,) = [n for n in capsys.readouterr().err.splitlines() if "cost unknown" in n]
    assert "claude-opus-4.6" in note
    assert "lacks nobody-1" in note
    log.write_text(log.read_text().replace("nobody-1", "gpt-5.5").replace("cache_read", "other"))
    assert run(["log", "metrics", str(log)]) == 0
    assert "not all token counts" in capsys.readouterr().err
