"""What holds for every log: repeated records change nothing, a cut never adds."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchwright.errors import BenchwrightError
from benchwright.trajectory.log import open_log
from benchwright.trajectory.metrics.fold import measure
from benchwright.trajectory.metrics.summary import Metrics

COMMANDS = ("ls", "python -c 'x = 1'", "echo 5 > a.txt", "cat > b.py <<'E'\ny = 2\nE\npython b.py")


def records(steps: list[tuple[int, bool, int]]) -> Iterator[dict[str, Any]]:
    """A Claude session: answers with a call each, answered or not, and their counts."""
    parent = None
    for number, (command, answered, tokens) in enumerate(steps):
        name, time = f"u{number}", f"2026-01-01T00:00:{number:02}.000Z"
        common = {"sessionId": "s", "cwd": "/w", "version": "2.1.0", "timestamp": time}
        block = {"type": "tool_use", "id": f"c{number}", "name": "Bash",
                 "input": {"command": COMMANDS[command]}}  # fmt: skip
        usage = {"input_tokens": tokens, "output_tokens": 1}
        message = {"id": f"m{number}", "role": "assistant", "model": "m", "content": [block],
                   "stop_reason": "tool_use", "usage": usage}  # fmt: skip
        yield {
            "type": "assistant",
            "uuid": name,
            "parentUuid": parent,
            "message": message,
            **common,
        }
        parent = name
        if answered:
            result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "5 6"}
            body = {"role": "user", "content": [result]}
            parent = f"r{number}"
            yield {"type": "user", "uuid": parent, "parentUuid": name, "message": body, **common}


step = st.tuples(st.integers(0, len(COMMANDS) - 1), st.booleans(), st.integers(1, 9))
logs = st.lists(step, min_size=1, max_size=6).map(lambda steps: list(records(steps)))


def measured(path: Path, data: bytes, dialect: str = "claude-session") -> Metrics:
    path.write_bytes(data)
    return measure(open_log(path, dialect))


def lines(items: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(item) + "\n" for item in items).encode()


def counts(found: Metrics) -> dict[str, int | None]:
    """Counts that a cut must not raise."""
    part, tokens = found.together, found.together.tokens
    asked, open_calls = part.tool_calls, part.unanswered_calls
    return {
        "answered": None if asked is None or open_calls is None else asked - open_calls,
        "calls": asked,
        "iterations": part.iterations,
        "prompt": tokens.prompt,
        "completion": tokens.completion,
        "values": part.numeric_values,
        "python": part.python_calls,
        "statements": part.python_statements,
        "plots": part.plots_generated,
        "created": len(found.files.created),
        "console": part.console.console_characters if part.console else None,
    }


def raised(short: Metrics, whole: Metrics) -> dict[str, tuple[int, int]]:
    pairs = {name: (n, counts(whole)[name]) for name, n in counts(short).items()}
    return {k: (a, b) for k, (a, b) in pairs.items() if a is not None and b is not None and a > b}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(items=logs, data=st.data())
def test_a_record_with_an_id_that_comes_again_changes_no_figure(
    tmp_path: Path, items: list[dict[str, Any]], data: st.DataObject
) -> None:
    again = data.draw(st.integers(0, len(items) - 1))
    where = data.draw(st.integers(again, len(items)))
    plain = measured(tmp_path / "log", lines(items))
    repeated = measured(tmp_path / "log", lines([*items[:where], items[again], *items[where:]]))
    assert repeated == plain


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(items=logs, data=st.data())
def test_a_cut_raises_no_count(
    tmp_path: Path, items: list[dict[str, Any]], data: st.DataObject
) -> None:
    raw = lines(items)
    cut = data.draw(st.integers(0, len(raw)))
    whole = measured(tmp_path / "log", raw)
    assert raised(measured(tmp_path / "log", raw[:cut]), whole) == {}


REAL = (
    "recorded",
    "claude_stream",
    "codex_rollout",
    "codex_exec",
    "opencode_run",
    "gemini_session",
)


def real_logs(shared: Path) -> Iterator[tuple[Path, str, Metrics]]:
    for folder in REAL:
        for path in sorted((shared / "logs" / folder).rglob("*.json*")):
            if path.stat().st_size < 120_000:
                try:
                    log = open_log(path)
                except BenchwrightError:
                    continue
                yield path, log.dialect.name, measure(log)


def test_a_cut_of_a_real_log_raises_no_count(shared: Path, tmp_path: Path) -> None:
    checked = 0
    for path, dialect, whole in real_logs(shared):
        raw = path.read_bytes()
        for part in (3, 5, 8):
            short = measured(tmp_path / "log", raw[: len(raw) * part // 9], dialect)
            assert raised(short, whole) == {}, path
            checked += 1
    assert checked > 100


def test_every_real_log_is_measured_or_refused_in_one_line(shared: Path) -> None:
    measured_logs = 0
    for path in sorted((shared / "logs").rglob("*")):
        if path.is_file() and path.name != "INDEX.md" and path.stat().st_size < 300_000:
            try:
                measure(open_log(path))
                measured_logs += 1
            except BenchwrightError as error:
                assert "\n" not in str(error)
    assert measured_logs > 80


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(items=logs, data=st.data())
def test_mutated_bytes_never_crash(
    tmp_path: Path, items: list[dict[str, Any]], data: st.DataObject
) -> None:
    raw = bytearray(lines(items))
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BenchwrightError):
        measured(tmp_path / "log", bytes(raw))


@pytest.mark.parametrize("command", ["'", "$(((", "cat <<", "python -c", "a | | b", "\x00\ud83d"])
def test_a_broken_script_is_counted_and_no_crash(tmp_path: Path, command: str) -> None:
    (item, *_) = records([(0, False, 1)])
    item["message"]["content"][0]["input"]["command"] = command
    assert measured(tmp_path / "log", lines([item])).together.tool_calls == 1
