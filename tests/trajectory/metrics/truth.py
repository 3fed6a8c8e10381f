"""The figures that were counted by hand, and the texts that they are about, from the real logs."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.log import open_log

HAND = Path(__file__).resolve().parent.parent / "hand"


def hand(name: str) -> list[dict[str, Any]]:
    """The entries of one file of `hand/`."""
    document = json.loads((HAND / name).read_text())
    entries: list[dict[str, Any]] = document.get("outputs") or document["logs"]
    return entries


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def output(logs: Path, entry: dict[str, Any]) -> tuple[str, Call | None, Result | None]:
    """The text of one output as it was read by hand, with its call where a reader gives one."""
    path = logs / entry["path"]
    if entry["dialect"] in ("whowhen", "openhands-events"):
        return _unread(path, entry["anchor"]), None, None
    for result, call in answered(path):
        if result.call_id in (entry["call_id"], f"1_1.{entry['call_id']}"):
            return _whole(path, entry, result), call, result
    raise AssertionError(f"no result of {entry['call_id']} in {path}")


@cache
def answered(path: Path) -> list[tuple[Result, Call | None]]:
    """The results of a log with their calls."""
    calls: dict[str, Call] = {}
    found = []
    for event in open_log(path):
        if isinstance(event, Call):
            calls[event.call_id] = event
        elif isinstance(event, Result):
            found.append((event, calls.get(event.call_id)))
    return found


def _whole(path: Path, entry: dict[str, Any], result: Result) -> str:
    """The text with what the tool put around it, which readers of Codex take off."""
    if not result.wrapper:
        return result.text or ""
    line = path.read_text().split("\n")[result.anchor.line - 1]
    text: str = json.loads(line)["payload"]["output"]
    assert len(text) == len(result.text or "") + result.wrapper
    return text


def _unread(path: Path, anchor: str) -> str:
    """The text in a log that has no calls, or no reader."""
    document = json.loads(path.read_text())
    number = int(anchor.partition("[")[2].rstrip("]"))
    entries = document["history"] if anchor.startswith("history") else document
    text: str = entries[number]["content"]
    return text
