"""The twenty cases that the public log reader gets wrong (facts: log_reader_baseline 2).

Each is a whole log in the format of its agent, read from the file to the answer.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import Answer, matching, reconstruct
from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.log import Log, open_log
from benchwright.trajectory.timeline import Timeline

Lines = list[Any]


def save(folder: Path, lines: Lines) -> Log:
    path = folder / "log.jsonl"
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    return open_log(path)


def answer(folder: Path, name: str, lines: Lines) -> Answer:
    log, fold = save(folder, lines), FileChanges()
    run_folds(log, fold)
    (path,) = matching(fold.paths(), name)
    return reconstruct(log, fold.changes, path)


def held(folder: Path, lines: Lines, name: str = "f") -> tuple[str, str | None]:
    found = answer(folder, name, lines)
    return found.certainty, found.text


def entries(folder: Path, lines: Lines) -> list[tuple[str, str | None]]:
    fold = Timeline()
    run_folds(save(folder, lines), fold)
    return [(entry.name, entry.status) for entry in fold.entries if entry.what == "call"]


def claude(*calls: tuple[str, dict[str, Any], Any]) -> Lines:
    """A stream: each call as (tool, input, result); a result that is an error is a string."""
    lines: Lines = [
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/w", "model": "m",
         "tools": [], "uuid": "u0"},
    ]  # fmt: skip
    for number, (name, given, result) in enumerate(calls):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
        failed = isinstance(result, str)
        back = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "is_error": failed,
                "content": result if failed else "done"}  # fmt: skip
        lines.append(
            {"type": "assistant", "session_id": "s", "uuid": f"a{number}",
             "message": {"id": f"m{number}", "role": "assistant", "content": [block]}}
        )  # fmt: skip
        lines.append(
            {"type": "user", "session_id": "s", "uuid": f"r{number}", "tool_use_result": result,
             "message": {"role": "user", "content": [back]}}
        )  # fmt: skip
    return lines


def wrote(text: str, path: str = "/w/f") -> tuple[str, dict[str, Any], Any]:
    result = {"type": "create", "filePath": path, "content": text}
    return "Write", {"file_path": path, "content": text}, result


def bashed(command: str) -> tuple[str, dict[str, Any], Any]:
    return "Bash", {"command": command}, {"stdout": "", "stderr": "", "interrupted": False}


def codex(*commands: str) -> Lines:
    lines: Lines = [{"type": "thread.started", "thread_id": "t", "cwd": "/w"}]
    for number, command in enumerate(commands):
        item = {"id": f"item_{number}", "type": "command_execution", "aggregated_output": "",
                "command": command, "exit_code": 0, "status": "completed"}  # fmt: skip
        lines.append({"type": "item.completed", "item": item})
    return lines


GEMINI = {"type": "init", "session_id": "s", "model": "m"}
_ids = count()


def gemini(name: str, given: dict[str, Any], status: str = "success") -> Lines:
    call = f"{name}-{next(_ids)}"
    return [
        {"type": "tool_use", "tool_name": name, "tool_id": call, "parameters": given},
        {"type": "tool_result", "tool_id": call, "status": status},
    ]


def test_01_a_write_of_nothing_is_an_empty_file(tmp_path: Path) -> None:
    assert held(tmp_path, claude(wrote(""))) == ("exact", "")


def test_02_a_write_that_was_rejected_is_not_replayed(tmp_path: Path) -> None:
    name, given, _ = wrote("rejected")
    assert held(tmp_path, claude(wrote("first"), (name, given, "Error: not read"))) == (
        "exact",
        "first",
    )


def test_03_an_edit_that_was_rejected_is_not_applied(tmp_path: Path) -> None:
    edit = ("Edit", {"file_path": "/w/f", "old_string": "a", "new_string": "b"}, "Error: 2 matches")
    assert held(tmp_path, claude(wrote("aa"), edit)) == ("exact", "aa")


def test_04_several_edits_are_applied_and_an_editor_in_the_shell_is_flagged(tmp_path: Path) -> None:
    edits = [{"old_string": "a", "new_string": "b"}]
    several = ("MultiEdit", {"file_path": "/w/f", "edits": edits}, {"filePath": "/w/f"})
    assert held(tmp_path, claude(wrote("a"), several)) == ("exact", "b")
    assert held(tmp_path, claude(wrote("a"), several, bashed("sed -i s/b/c/ f"))) == (
        "partial",
        "b",
    )


def test_05_a_file_of_a_here_document_in_bash_is_exact(tmp_path: Path) -> None:
    assert held(tmp_path, claude(bashed("cat > f <<'EOF'\na\nEOF"))) == ("exact", "a\n")


def test_06_a_name_is_not_the_end_of_another_name(tmp_path: Path) -> None:
    lines = claude(wrote("1", "/w/data.py"), wrote("2", "/w/a.py"))
    assert held(tmp_path, lines, "a.py") == ("exact", "2")


def test_07_a_first_record_of_any_length_is_detected(tmp_path: Path) -> None:
    lines = codex("true")
    lines.insert(
        1,
        {"type": "item.completed", "item": {"id": "x", "type": "reasoning", "text": "y" * 99_999}},
    )
    lines[0], lines[1] = lines[1], lines[0]
    assert save(tmp_path, lines).dialect.name == "codex-exec"


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("cat <<'EOF' > f\na\nEOF", id="08_here_document_before_the_redirect"),
        pytest.param("tee f <<'EOF'\na\nEOF", id="09_tee"),
        pytest.param("cat > ./f <<'EOF'\na\nEOF", id="10_a_name_with_a_dot"),
        pytest.param("bash -lc 'printf \"a\\n\" > f'", id="11_wrapped"),
        pytest.param("bash -lc \"cat > f <<'EOF'\na\nEOF\"", id="14_last_line_end"),
    ],
)
def test_writers_in_a_shell_command_are_exact(script: str, tmp_path: Path) -> None:
    assert held(tmp_path, codex(script)) == ("exact", "a\n")


def test_10_names_that_start_with_a_digit_or_a_dot(tmp_path: Path) -> None:
    for name in ("1.txt", ".env"):
        assert held(tmp_path, codex(f"cat > {name} <<'E'\na\nE"), name) == ("exact", "a\n")


def test_11_quotes_inside_a_wrapped_command_are_undone(tmp_path: Path) -> None:
    script = """bash -lc 'cat > f <<"EOF"\nit'"'"'s\nEOF'"""
    assert held(tmp_path, codex(script)) == ("exact", "it's\n")


def test_12_a_later_change_in_the_shell_is_not_missed(tmp_path: Path) -> None:
    first = "cat > f <<'E'\na\nE"
    assert held(tmp_path, codex(first, "sed -i s/a/b/ f"))[0] == "partial"
    assert held(tmp_path, codex(first, "echo b > f")) == ("exact", "b\n")


def test_13_an_append_joins_to_what_was_there(tmp_path: Path) -> None:
    lines = codex("cat > f <<'E'\na\nE", "cat >> f <<'E'\nb\nE")
    assert held(tmp_path, lines) == ("exact", "a\nb\n")


def test_15_every_kind_of_item_is_an_entry(tmp_path: Path) -> None:
    items = [
        {"id": "1", "type": "file_change", "changes": [], "status": "completed"},
        {"id": "2", "type": "web_search", "query": "q"},
        {"id": "3", "type": "mcp_tool_call", "server": "s", "tool": "t", "status": "completed"},
    ]
    lines = [*codex(), *({"type": "item.completed", "item": item} for item in items)]
    started = {"id": "4", "type": "command_execution", "command": "x", "status": "in_progress"}
    assert entries(tmp_path, [*lines, {"type": "item.started", "item": started}]) == [
        ("file_change", "ok"),
        ("web_search", "unknown"),
        ("s.t", "ok"),
        ("command_execution", "missing"),
    ]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_16_line_separators_inside_text_lose_no_record(mark: str, tmp_path: Path) -> None:
    lines = [json.dumps(line, ensure_ascii=False) for line in codex(f"echo 'a{mark}b' > f")]
    assert held(tmp_path, lines) == ("exact", f"a{mark}b\n")


def test_17_a_replacement_counts_what_it_expects(tmp_path: Path) -> None:
    write = gemini("write_file", {"file_path": "f", "content": "aaa"})
    given = {"file_path": "f", "old_string": "a", "new_string": "b", "expected_replacements": 3}
    assert held(tmp_path, [GEMINI, *write, *gemini("replace", given)]) == ("exact", "bbb")


def test_18_a_replacement_that_failed_is_ignored(tmp_path: Path) -> None:
    write = gemini("write_file", {"file_path": "f", "content": "a"})
    given = {"file_path": "f", "old_string": "a", "new_string": "b"}
    assert held(tmp_path, [GEMINI, *write, *gemini("replace", given, "error")]) == ("exact", "a")


def test_19_and_20_words_before_a_log_hide_nothing(tmp_path: Path) -> None:
    write = gemini("write_file", {"file_path": "f", "content": "a"})
    for words in ("YOLO mode is enabled.", "A long preface\nwith lines\nand { braces"):
        assert entries(tmp_path, [words, GEMINI, *write]) == [("write_file", "ok")]
