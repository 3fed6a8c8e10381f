"""What a set keeps from its agents, as the audit reads it; canaries are passed over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.thresholds import Scope


def json_file(path: Path) -> Any:
    """One JSON document; refuses a missing or broken one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnusableInput(f"a file of the set cannot be read: {error} ({path})") from error


def rows(held: Path) -> Iterator[tuple[str, Path]]:
    """Task ids and the files of their rows, by name."""
    for path in sorted(held.glob("*/gold.json")):
        yield path.parent.name, path


def selection(shared: Path) -> list[tuple[str, str]]:
    """Split and canonical identity of every line, in order."""
    try:
        lines = (shared / "selection.txt").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UnusableInput(f"a set without a selection: {error}") from error
    made = []
    for line in lines:
        if line and not line.startswith("#"):
            split, _, identity = line.partition("\t")
            made.append((split, identity))
    return made


def thresholds(path: Path) -> dict[tuple[str, Scope | str], tuple[float, int]]:
    """Values and counts by name and scope; a season is a scope of one word."""
    stated = json_file(path)
    records = stated["thresholds"] if isinstance(stated, dict) else stated
    return {(r["name"], _scope(r["scope"])): (r["value"], r["count"]) for r in records}


def _scope(text: Any) -> Scope | str:
    words = json.loads(text) if isinstance(text, str) and text.startswith("{") else text
    return tuple(sorted(words.items())) if isinstance(words, dict) else str(words)
