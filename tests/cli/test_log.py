"""`log`: each verb on one small log, for people and as one document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import atif
import pytest

from benchwright.cli import exit_code as run

Capture = pytest.CaptureFixture[str]
PAGE = "p" * 700


def codex(*items: dict[str, Any]) -> str:
    lines: list[dict[str, Any]] = [
        {"type": "thread.started", "thread_id": "t", "cwd": "/w"},
        {"type": "turn.started"},
    ]
    lines += [
        {"type": "item.completed", "item": {"id": f"item_{number}", **item}}
        for number, item in enumerate(items)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def ran(command: str, output: str = "", code: int = 0) -> dict[str, Any]:
    status = "failed" if code else "completed"
    return {"type": "command_execution", "command": command, "aggregated_output": output,
            "exit_code": code, "status": status}  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A file written twice, two pages fetched of which one failed, a search, and last words."""
    path = tmp_path / "log.jsonl"
    path.write_text(
        codex(
            ran("echo a > f"),
            ran("curl -s https://example.com/p", PAGE),
            ran("curl https://example.com/none", "not found", 22),
            {"type": "web_search", "query": "drag of a sphere"},
            ran("echo b >> f"),
            {"type": "agent_message", "text": "It was the drag."},
        )
    )
    return path


def document(capsys: Capture, *arguments: str) -> dict[str, Any]:
    run(["log", *arguments, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["format"] == f"benchwright.log.{arguments[0]}/1"
    return found


def test_searches_have_query_source_status_length_and_first_600_characters(
    log: Path, capsys: Capture
) -> None:
    found = document(capsys, "searches", str(log))["searches"]
    assert [item["query"] for item in found] == [
        "curl -s https://example.com/p",
        "curl https://example.com/none",
        "drag of a sphere",
    ]
    assert [item["source"] for item in found] == [
        "command_execution",
        "command_execution",
        "web_search",
    ]
    assert [item["status"] for item in found] == ["ok", "failed", "unknown"]
    assert [item["length"] for item in found[:2]] == [700, len("not found")]
    assert found[0]["head"] == PAGE[:600]


def test_text_is_what_the_agent_said_whole(log: Path, capsys: Capture) -> None:
    (message,) = document(capsys, "text", str(log))["messages"]
    assert message["text"] == "It was the drag."
    assert run(["log", "text", str(log)]) == 0
    assert "It was the drag." in capsys.readouterr().out


def test_the_timeline_has_every_call_with_how_it_ended(log: Path, capsys: Capture) -> None:
    entries = document(capsys, "timeline", str(log))["entries"]
    calls = [(item["name"], item["status"]) for item in entries if item["what"] == "call"]
    shell = "command_execution"
    assert calls == [
        (shell, "ok"), (shell, "ok"), (shell, "failed"), ("web_search", "unknown"), (shell, "ok")
    ]  # fmt: skip


def test_files_are_listed_with_their_changes(log: Path, capsys: Capture) -> None:
    found = document(capsys, "files", str(log))
    (path,) = found["paths"]
    changes = [item for item in found["changes"] if item["path"] == path]
    assert [(item["kind"], item["status"]) for item in changes] == [
        ("write", "ok"),
        ("append", "ok"),
    ]


def test_a_file_is_rebuilt_on_stdout_and_its_certainty_told_on_stderr(
    log: Path, capsys: Capture
) -> None:
    assert run(["log", "reconstruct", str(log), "f"]) == 0
    said = capsys.readouterr()
    assert said.out == "a\nb\n"
    assert "exact" in said.err
    assert run(["log", "reconstruct", str(log), "g"]) == 1
    assert "never changed" in capsys.readouterr().err


def test_a_line_before_the_end_and_the_folder_at_the_end_exclude_each_other(
    log: Path, capsys: Capture
) -> None:
    asked = ["log", "reconstruct", str(log), "f", "--before", "3", "--workspace", str(log.parent)]
    assert run(asked) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_atif_is_valid_and_is_written_only_where_there_is_a_step(
    log: Path, tmp_path: Path, capsys: Capture
) -> None:
    out, none = tmp_path / "run.json", tmp_path / "none.json"
    assert run(["log", "atif", str(log), "--out", str(out)]) == 0
    assert atif.Trajectory.model_validate_json(out.read_text()).schema_version == "ATIF-v1.8"
    log.write_text(codex())
    assert run(["log", "atif", str(log), "--out", str(none)]) == 1
    assert not none.exists()
    assert run(["log", "atif", str(log)]) == 1
    assert "nothing was written" in capsys.readouterr().err


def test_the_conversion_to_atif_tells_its_losses_in_one_document(
    log: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "run.json"
    assert run(["log", "atif", str(log), "--json", "--out", str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["format"], told["out"], told["documents"]) == (
        "benchwright.log.atif/1",
        str(out),
        1,
    )
    assert run(["log", "atif", str(log), "--out", str(out)]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "not in ATIF" in line]
    assert said == [f"not in ATIF: {loss['count']} x {loss['what']}" for loss in told["losses"]]
    assert run(["log", "atif", str(log), "--json"]) == 2
    assert "--out" in capsys.readouterr().err
    log.write_text(codex())
    assert run(["log", "atif", str(log), "--json", "--out", str(tmp_path / "none")]) == 1
    assert json.loads(capsys.readouterr().out)["out"] is None


def test_names_of_files_cannot_steer_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "codex.jsonl"
    path.write_text(codex(ran("echo a > $'/w/\x1b[31mf'")), encoding="utf-8")
    assert run(["log", "reconstruct", str(path), "other"]) == 1
    assert "\x1b" not in "".join(capsys.readouterr())


def test_notices_without_words_are_counted_and_not_shown(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "log.jsonl"
    records: list[dict[str, Any]] = [
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/w", "model": "m"},
        {"type": "system", "subtype": "hook_started", "session_id": "s"},
        {"type": "system", "subtype": "notification", "session_id": "s", "text": "told"},
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    entries = document(capsys, "timeline", str(path))["entries"]
    silent = [e for e in entries if e["who"] == "notice" and not e["text"]]
    assert run(["log", "timeline", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(entries) - len(silent)
    assert silent
    assert f"{len(silent)} of them notices without words" in lines[0]
    assert "told" in lines[-1]


def test_a_call_that_changed_nothing_is_said_once(tmp_path: Path, capsys: Capture) -> None:
    use = {"type": "tool_use", "id": "a", "name": "Write", "input": {"file_path": "/w/f",
           "content": "x"}}  # fmt: skip
    gave = {"type": "tool_result", "tool_use_id": "a", "content": "no", "is_error": True}
    records: list[dict[str, Any]] = [
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/w", "model": "m"},
        {"type": "assistant", "session_id": "s", "uuid": "1",
         "message": {"id": "m", "role": "assistant", "content": [use]}},
        {"type": "user", "session_id": "s", "uuid": "2",
         "message": {"role": "user", "content": [gave]}},
    ]  # fmt: skip
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert run(["log", "files", str(path)]) == 0
    assert "no change by Write, failed\n" in capsys.readouterr().out


def test_files_that_no_call_changed_are_told_apart(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "log.jsonl"
    lines: list[dict[str, Any]] = [
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/w", "model": "m",
         "tools": ["Write"], "uuid": "u"},
    ]  # fmt: skip
    for name in ("f", "g"):
        wrote = {"type": "tool_use", "id": name, "name": "Write",
                 "input": {"file_path": f"/w/{name}", "content": "a\n"}}  # fmt: skip
        back = {"type": "tool_result", "tool_use_id": name, "content": "", "is_error": name == "g"}
        lines.append(
            {
                "type": "assistant",
                "session_id": "s",
                "uuid": f"a{name}",
                "message": {"id": name, "role": "assistant", "content": [wrote]},
            }
        )
        lines.append(
            {
                "type": "user",
                "session_id": "s",
                "uuid": f"r{name}",
                "message": {"role": "user", "content": [back]},
            }
        )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["log", "files", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("1 path changed")
    assert "1 path not changed: every call that was to change it failed or was refused:" in said
    assert said.index("/w/f") < said.index("/w/g")
    assert document(capsys, "files", str(path))["paths"] == ["/w/f"]
    assert run(["log", "reconstruct", str(path), "other"]) == 1
    assert capsys.readouterr().out == "/w/f\n"


def test_where_no_file_was_changed_there_is_a_next_step(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(codex(ran("ls")))
    assert run(["log", "reconstruct", str(path), "f"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"benchwright log files {path}" in said.err
