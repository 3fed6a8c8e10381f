"""Claude Code session files, with the files of their sub-agents. facts: log_formats 2.

The records form a tree: a person can go back and say something else. They are given in the order
of the file all the same, because what was done on a branch that was left was done; a mark of kind
`mode` and label `branch` stands where a new branch begins, and names the line where the one that
was left began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.events import Anchor, Begin, Event, Mark, Message
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.claude_blocks import AGENT, Blocks, Place
from benchwright.trajectory.readers.claude_companions import companions
from benchwright.trajectory.readers.claude_system import kind_of_record, mark_of, words_of
from benchwright.trajectory.readers.claude_tree import Tree
from benchwright.trajectory.readers.parts import mapping, text
from benchwright.trajectory.records import Record, read_lines

_SPOKEN = ("assistant", "user")
_MODES = ("mode", "permission-mode")
_BOOKS = (
    "file-history-snapshot", "queue-operation", "last-prompt", "ai-title", "custom-title",
    "agent-name", "agent-color", "agent-setting", "pr-link", "worktree-state", "bridge-session",
    "relocated", "frame-link", "atis-latch", "tag", "task-summary", "content-replacement",
    "attribution-snapshot", "started", "result", "summary",
)  # fmt: skip
_MOST_HELD = 256


def looks(record: Mapping[str, Any]) -> bool:
    """Whether a record has the envelope of a session file, or is one of its bookkeeping kinds."""
    kind = record.get("type")
    if "sessionId" in record and isinstance(kind, str):
        return "parentUuid" in record or kind in _SPOKEN or kind in _BOOKS or kind in _MODES
    return (kind == "summary" and "leafUuid" in record) or (
        kind == "file-history-snapshot" and "snapshot" in record
    )


class ClaudeSession:
    """Keeps the shape of the tree, and which sub-agents were met and named."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self._path, self._notes = path, notes
        self._blocks = Blocks(notes)
        self._tree = Tree(self._blocks)
        self._sessions: dict[str, None] = {}
        self._session: str | None = "none yet"
        self._held: list[Event] = []
        self._file_of: str | None = None

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record."""
        value, anchor = record.value, record.anchor
        if not isinstance(value, dict):
            self._notes.add("scalar", anchor, f"a JSON {type(value).__name__}")
            return
        kind = text(value.get("type")) or "unknown"
        if value.get("sessionId") != self._session and ("uuid" in value or kind in _SPOKEN):
            yield from self._open(value, anchor)
        if kind in _SPOKEN:
            yield from self._message(kind, value, anchor)
        elif kind == "progress":
            yield from self._progress(value, anchor)
        else:
            place = self._place(value, anchor)
            what = f"{kind} {text(value.get('subtype'))}"
            if not self._blocks.repeated(place, what):
                yield from self._other(kind, value, place)

    def end(self) -> Iterator[Event]:
        """The sub-agents that have files of their own, then counts of what is missing."""
        yield from self._flush()
        session = next(iter(self._sessions), None)
        root = self._path.parent
        for agent, path in companions(self._path, session, self._blocks.children):
            self._file_of = agent
            with path.open("rb") as file:
                name = path.relative_to(root).as_posix()
                for record in read_lines(file, self._notes, name=name):
                    yield from self.feed(record)
        for agent, (_, anchor) in self._blocks.children.items():
            if agent not in self._blocks.threads and agent != self._tree.main:
                self._notes.add("companion", anchor, f"agent-{agent}.jsonl")
        self._blocks.calls.end()

    def _open(self, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        """The beginning of a session, at its first record in the tree."""
        session = text(value.get("sessionId"))
        if session is None and self._sessions:
            return
        self._session = session or ""
        if session in self._sessions:
            return
        if self._sessions:
            self._notes.add("runs", anchor, session or "")
        else:
            self._tree.first(value)
        self._sessions[session or ""] = None
        names = {"gitBranch": "branch", "parentUuid": "parent", "entrypoint": "entrypoint"}
        yield Begin(
            anchor, session, AGENT, text(value.get("version")), None, text(value.get("cwd")),
            text(value.get("timestamp")),
            extra={said: value[name] for name, said in names.items() if value.get(name)},
            continues=value.get("parentUuid") is not None,
        )  # fmt: skip
        yield from self._flush()

    def _hold(self, event: Event) -> Iterator[Event]:
        """What is written down before the session begins waits for its beginning."""
        if self._sessions or len(self._held) >= _MOST_HELD:
            yield from self._flush()
            yield event
        else:
            self._held.append(event)

    def _flush(self) -> Iterator[Event]:
        yield from self._held
        self._held = []

    def _place(self, value: Mapping[str, Any], anchor: Anchor) -> Place:
        summary = value.get("isCompactSummary") is True
        made = value.get("isMeta") is True or value.get("isVisibleInTranscriptOnly") is True
        return Place(
            anchor,
            time=text(value.get("timestamp")),
            uuid=text(value.get("uuid")),
            request=text(value.get("requestId")),
            twin=value.get("toolUseResult"),
            synthetic=summary or made,
            copied=summary or "forkedFrom" in value,
            refused="toolDenialKind" in value and value["toolDenialKind"] is not None,
        )

    def _message(self, kind: str, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        place = self._place(value, anchor)
        message = value.get("message")
        place.thread = self._tree.thread(value, self._file_of)
        if place.thread:
            yield from self._enter(place, value)
        if kind == "user":
            left = self._tree.branch(value, anchor, place)
            if left is not None:
                yield left
            yield from self._blocks.user(message, place)
            return
        if value.get("isApiErrorMessage") is True:
            yield from self._failure(value, place)
            return
        yield from self._blocks.assistant(message, place)
        if value.get("isAbortedMidStream") is True:
            yield Mark(anchor, "abort", "isAbortedMidStream", time=place.time, thread=place.thread)

    def _enter(self, place: Place, value: Mapping[str, Any]) -> Iterator[Event]:
        call = self._tree.call_of(place.thread)
        return self._blocks.enter(place, call=call, session=text(value.get("sessionId")))

    def _failure(self, value: Mapping[str, Any], place: Place) -> Iterator[Event]:
        """Words that the program put in the place of an answer that never came."""
        if self._blocks.repeated(place, "failure"):
            return
        label = text(value.get("error")) or "isApiErrorMessage"
        words = [
            event.text
            for event in self._blocks.assistant(value.get("message"), place)
            if isinstance(event, Message)
        ]
        yield Mark(place.anchor, "error", label, "\n".join(words), place.time, place.thread)

    def _progress(self, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        """Copies of what a sub-agent says and does; else the progress of a tool or a hook."""
        data = mapping(value.get("data"))
        inner = mapping(data.get("message"))
        kind = text(inner.get("type"))
        self._tree.aside(value)
        call = text(value.get("parentToolUseID"))
        if kind not in _SPOKEN or "message" not in inner:
            label = text(data.get("type")) or "progress"
            extra = {} if call is None else {"call": self._blocks.calls.name_of(1, call)}
            time = text(value.get("timestamp"))
            yield from self._hold(Mark(anchor, "notice", label, time=time, extra=extra))
            return
        place = self._place({"timestamp": value.get("timestamp"), **inner}, anchor)
        place.below = "/data/message"
        name = None if call is None else self._blocks.calls.name_of(1, call)
        place.thread = text(data.get("agentId")) or name or "agent"
        self._tree.calls.setdefault(place.thread, name)
        yield from self._enter(place, value)
        said = self._blocks.user if kind == "user" else self._blocks.assistant
        yield from said(inner.get("message"), place)

    def _other(self, kind: str, value: Mapping[str, Any], place: Place) -> Iterator[Event]:
        anchor = place.anchor
        self._tree.aside(value)
        thread = self._tree.thread(value, self._file_of)
        if kind == "system":
            known = kind_of_record(value)
            if known is None:
                self._notes.add("unknown", anchor, f"system {text(value.get('subtype'))}")
            yield from self._hold(mark_of(value, anchor, kind=known or "opaque", thread=thread))
        elif kind == "attachment":
            yield from self._attachment(value, place, thread)
        elif kind in _MODES:
            label = text(value.get("permissionMode")) or text(value.get("mode")) or kind
            yield from self._hold(Mark(anchor, "mode", label, time=place.time, thread=thread))
        elif kind in _BOOKS:
            words = text(value.get("summary")) or words_of(value)
            if place.time is None and not words:
                self._notes.add("aside", anchor, kind)
                return
            yield from self._hold(Mark(anchor, "notice", kind, words, place.time, thread))
        else:
            self._notes.add("unknown", anchor, kind)
            yield from self._hold(Mark(anchor, "opaque", kind, time=place.time, thread=thread))

    def _attachment(self, value: Mapping[str, Any], place: Place, thread: str) -> Iterator[Event]:
        """What the program adds to the context: reminders, listings, and queued words."""
        data = mapping(value.get("attachment"))
        label = text(data.get("type")) or "attachment"
        queued = label == "queued_command" and data.get("commandMode") in (None, "prompt")
        words = text(data.get("prompt")) if label == "queued_command" else words_of(data)
        if label.startswith("hook_") or not words:
            mark = mark_of(data, place.anchor, kind="notice", thread=thread)
            yield Mark(mark.anchor, "notice", label, mark.text, place.time, thread, mark.extra)
            return
        yield Message(
            place.anchor, "user" if queued else "system", words, time=place.time, thread=thread,
            synthetic=not queued,
        )  # fmt: skip


DIALECT = Dialect("claude-session", "Claude Code session file", "lines", looks, ClaudeSession)
