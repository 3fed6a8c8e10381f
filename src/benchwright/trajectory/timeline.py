"""What happened, one line each, in order: words, calls with how they ended, marks.

Entries wait in a temporary file: 16 bytes of memory each. A long text is cut to its first words.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Mark, Message, Result
from benchwright.trajectory.spool import Spooled
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


class Entries(Spooled[Entry]):
    """The entries of a timeline."""

    def __init__(self) -> None:
        super().__init__()
        self._answers = array("Q")
        """Of each entry 1 more than where its answer stands, else 0."""

    def _made(self, number: int) -> Entry:
        what, who, name, said, anchor, time, thread, call_id, *end = self._get(self._places[number])
        place = self._answers[number]
        if place:
            end = self._get(place - 1)
        anchor = Anchor(*anchor)
        return Entry(number + 1, what, who, name, said, anchor, time, thread, call_id, *end)

    def add(self, *fields: Any) -> None:
        """Keep what is known of one when it comes: the fields of `Entry` behind its number."""
        self._places.append(self._put(fields))
        self._answers.append(0)

    def answer(self, number: int, *fields: Any) -> None:
        """Keep the last four fields of a call that has its answer; number: from 0."""
        self._answers[number] = self._put(fields) + 1


class Timeline:
    """Fold: all entries in the order of the log."""

    def __init__(self) -> None:
        self.entries = Entries()
        self._open: dict[str, int] = {}

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Message):
            if event.text or event.images:
                name = "" if not event.synthetic else "put there by the program"
                self._add("message", event.source, name, event.text, event)
        elif isinstance(event, Call):
            self._open[event.call_id] = len(self.entries)
            self._call(event)
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
        self, what: str, who: str, name: str, text: str, event: Begin | Message | Mark
    ) -> None:
        self.entries.add(
            what, who, name, short(text), tuple(event.anchor), event.time, event.thread,
            None, None, None, None, len(text),
        )  # fmt: skip

    def _call(self, call: Call) -> None:
        text = short(summary(call.kind, call.arguments))
        self.entries.add(
            "call", "agent", call.name, text, tuple(call.anchor), call.time, call.thread,
            call.call_id, "missing", None, None, None,
        )  # fmt: skip

    def _answer(self, result: Result) -> None:
        number = self._open.pop(result.call_id, None)
        if number is not None:
            length = None if result.text is None else len(result.text)
            self.entries.answer(number, result.status, result.exit_code, result.duration_ms, length)


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
