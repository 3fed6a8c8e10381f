"""Who&When: annotated failures of teams of agents; turns without tools. facts: log_formats 10.

The annotation (who went wrong, at which turn, why) is a mark of kind `task`; it is a label, not a
part of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.events import Anchor, Begin, Event, Mark, Message, Source
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.parts import joined, text
from benchwright.trajectory.records import Record

LABEL = "annotation"
_USERS = ("human", "user")


def looks(members: Mapping[str, Any]) -> bool:
    """Whether the members are those of an annotated failure."""
    return "history" in members and "mistake_agent" in members and "mistake_step" in members


class WhoWhen:
    """Every turn is a message; whose it is stands in `thread`."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._members: dict[str, Any] = {}
        self._begun = False

    def feed(self, record: Record) -> Iterator[Event]:
        """One turn, or one member beside them."""
        pointer, anchor = record.anchor.pointer, record.anchor
        if not pointer.startswith("/history/"):
            self._members[pointer.removeprefix("/")] = record.value
            return
        yield from self._begin(anchor)
        if not isinstance(record.value, Mapping):
            self._notes.add("shape", anchor)
            return
        turn = record.value
        role = str(turn.get("role", ""))
        who = text(turn.get("name")) or role.partition(" (")[0]
        source: Source = "user" if role in _USERS and not turn.get("name") else "agent"
        thread = "" if source == "user" else who
        key = None if source == "user" else pointer
        yield Message(anchor, source, joined(turn.get("content"))[0], key=key, thread=thread)

    def end(self) -> Iterator[Event]:
        """The annotation."""
        place = Anchor(0, -1, -1)
        yield from self._begin(place)
        names = ("mistake_agent", "mistake_step", "mistake_reason", "mistake_type", "level",
                 "question", "ground_truth", "is_correct", "is_corrected")  # fmt: skip
        extra = {name: self._members[name] for name in names if name in self._members}
        yield Mark(place, "task", LABEL, text(extra.get("mistake_reason")) or "", extra=extra)

    def _begin(self, anchor: Anchor) -> Iterator[Event]:
        if not self._begun:
            self._begun = True
            session = text(self._members.get("question_ID"))
            yield Begin(anchor, session, "team")


DIALECT = Dialect(
    "who-when", "Who&When annotated failure", "document", looks, WhoWhen,
    frozenset({"answers", "calls", "failures"}),
)  # fmt: skip
