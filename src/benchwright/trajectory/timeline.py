"""What happened, one line each, in order: words, calls with how they ended, marks.

Grows with the number of entries; a long text is cut to its first words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Mark, Message, Result
from benchwright.trajectory.tools import argument

LONGEST = 160


@dataclass(slots=True)
class Entry:
    """One line of a timeline. `what` is begin, message, call or mark; unknown is None."""

    number: int
    what: str
    who: str
    """system, user, agent or, for a mark, its kind."""
    name: str
    text: str
    anchor: Anchor
    time: str | None
    thread: str
    call_id: str | None = None
    status: str | None = None
    """Of a call; `missing` until its result is seen."""
    exit_code: int | None = None
    duration_ms: int | None = None
    length: int | None = None
    """Characters of the whole text, or of the result of a call."""


class Timeline:
    """Fold: all entries in the order of the log."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._open: dict[str, Entry] = {}

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Message):
            if event.text or event.images:
                name = "" if not event.synthetic else "put there by the program"
                self._add("message", event.source, name, event.text, event)
        elif isinstance(event, Call):
            text = summary(event.kind, event.arguments)
            entry = self._add("call", "agent", event.name, text, event)
            entry.call_id, entry.status, entry.length = event.call_id, "missing", None
            self._open[event.call_id] = entry
        elif isinstance(event, Result):
            self._answer(event)
        elif isinstance(event, Mark):
            self._add("mark", event.kind, event.label, event.text, event)
        elif isinstance(event, Begin):
            said = ", ".join(part for part in (event.model, event.version, event.cwd) if part)
            self._add("begin", "system", event.agent, said, event)

    def end(self) -> None:
        """Calls that are still open stay `missing`."""
        self._open.clear()

    def _add(
        self, what: str, who: str, name: str, text: str, event: Begin | Message | Call | Mark
    ) -> Entry:
        entry = Entry(
            len(self.entries) + 1, what, who, name, short(text), event.anchor, event.time,
            event.thread, length=len(text),
        )  # fmt: skip
        self.entries.append(entry)
        return entry

    def _answer(self, result: Result) -> None:
        entry = self._open.pop(result.call_id, None)
        if entry is not None:
            entry.status, entry.exit_code = result.status, result.exit_code
            entry.duration_ms = result.duration_ms
            entry.length = None if result.text is None else len(result.text)


def short(text: str) -> str:
    """The first words on one line."""
    line = " ".join(text[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def summary(kind: str, arguments: Mapping[str, Any]) -> str:
    """What a call was about: its command, its path, its query, else its arguments."""
    parts = {
        "shell": "command", "python": "command", "read": "path", "write": "path", "edit": "path",
        "view": "path", "notebook": "path", "search": "query", "fetch": "query", "find": "query",
    }  # fmt: skip
    value = argument(arguments, parts[kind]) if kind in parts else None
    if isinstance(value, list):
        value = " ".join(str(part) for part in value)
    if isinstance(value, str):
        return value
    return json.dumps(dict(arguments), ensure_ascii=False, default=str)[: 4 * LONGEST]
