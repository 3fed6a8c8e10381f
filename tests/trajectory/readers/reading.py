"""Reading a log that a test writes: lines in, events and notes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from benchwright.trajectory.events import Call, Event, Result
from benchwright.trajectory.log import Log, open_log

E = TypeVar("E")


def read(folder: Path, *records: Any, name: str = "log.jsonl") -> tuple[list[Event], Log]:
    """The events of a log of these records, one a line; text is written as it is."""
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    log = open_log(path)
    return list(log), log


def read_document(folder: Path, value: Any) -> tuple[list[Event], Log]:
    """The events of a log that is one JSON document."""
    path = folder / "log.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    log = open_log(path)
    return list(log), log


def of(kind: type[E], events: list[Event]) -> list[E]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def calls(events: list[Event]) -> list[tuple[str, str, str, str | None]]:
    """(id, name, status, text) of every call; status `missing` where it has no result."""
    answers = {r.call_id: r for r in of(Result, events)}
    found = []
    for call in of(Call, events):
        answer = answers.get(call.call_id)
        status, text = (answer.status, answer.text) if answer else ("missing", None)
        found.append((call.call_id, call.name, status, text))
    return found
