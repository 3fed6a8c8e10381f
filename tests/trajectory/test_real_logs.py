"""Every real log is read whole: no crash, no silent nothing, each call and result once."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import atif
import pytest

from benchwright.errors import FormatError
from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.log import open_log
from benchwright.trajectory.searches import Searches
from benchwright.trajectory.timeline import Timeline
from benchwright.trajectory.to_atif.convert import write_atif

NO_LOGS = {
    "0001-trajectory-format_mini-swe-agent-trajectory.json",
    "0001-trajectory-format_openhands_trajectory.json",
}
"""Formats of other agents that lie beside the ATIF samples: known to nobody, and said so."""


@pytest.fixture(scope="module")
def files(shared: Path) -> list[Path]:
    found = [
        p for p in sorted((shared / "logs").rglob("*")) if p.suffix in (".jsonl", ".json", ".eval")
    ]
    assert len(found) > 100
    return found


def test_every_file_is_read_or_its_error_says_what_was_seen(files: list[Path]) -> None:
    refused = set()
    for path in files:
        try:
            log = open_log(path)
        except FormatError:
            refused.add(path.name)
            continue
        timeline, searches, changes = Timeline(), Searches(), FileChanges()
        run_folds(log, timeline, searches, changes)
        assert timeline.entries or log.notes.counts, path
    assert refused == NO_LOGS


def test_every_log_converts_to_valid_atif(files: list[Path]) -> None:
    for path in files:
        if path.name in NO_LOGS:
            continue
        out = io.StringIO()
        conversion = write_atif(open_log(path), out)
        for line in out.getvalue().split("\n"):
            if line:
                atif.Trajectory.model_validate_json(line)
        assert conversion.documents or conversion.losses, path


def ids(value: Any, names: tuple[str, ...]) -> Iterator[str]:
    """Ids of calls, found by their keys alone wherever they stand."""
    if isinstance(value, dict):
        if value.get("type") in names and isinstance(value.get("call_id"), str):
            yield value["call_id"]
        if value.get("type") in names and isinstance(value.get("tool_id"), str):
            yield value["tool_id"]
        for inner in value.values():
            yield from ids(inner, names)
    elif isinstance(value, list):
        for inner in value:
            yield from ids(inner, names)


@pytest.mark.parametrize(
    ("folder", "asked", "answered"),
    [
        (
            "codex_rollout",
            ("function_call", "custom_tool_call", "local_shell_call"),
            ("function_call_output", "custom_tool_call_output"),
        ),
        ("recorded/gemini", ("tool_use",), ("tool_result",)),
        ("recorded/codex", ("function_call",), ("function_call_output",)),
    ],
)
def test_calls_and_results_are_those_that_a_plain_search_finds(
    shared: Path, folder: str, asked: tuple[str, ...], answered: tuple[str, ...]
) -> None:
    for path in sorted((shared / "logs" / folder).glob("*.jsonl")):
        values = []
        for line in path.read_bytes().split(b"\n"):
            try:
                values.append(json.loads(line))
            except ValueError:
                continue
        events = list(open_log(path))
        linked = {name for v in values for name in ids(v, asked)}
        got = Counter(e.call_id for e in events if isinstance(e, Call))
        assert {name for name in got if name in linked} == linked, path
        assert max(got.values(), default=1) == 1
        results = {name for v in values for name in ids(v, answered)} & linked
        assert {e.call_id for e in events if isinstance(e, Result)} >= results, path
