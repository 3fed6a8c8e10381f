"""Claude Code `--output-format stream-json`, also as the array of the GitHub action.

One file can hold several runs, told apart by their session; a run that goes on after its result
keeps its session. facts: log_formats 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.events import Anchor, Begin, Event, Mark, Usage
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.claude_blocks import AGENT, Blocks, Place
from benchwright.trajectory.readers.claude_denials import Denials, ids_of
from benchwright.trajectory.readers.claude_system import kind_of_record, mark_of
from benchwright.trajectory.readers.claude_usage import Runs
from benchwright.trajectory.readers.parts import shown, text
from benchwright.trajectory.records import Record

_NOTICES = ("rate_limit_event", "tool_use_summary", "auth_status", "prompt_suggestion")
_ASIDE = ("stream_event", "tool_progress", "keep_alive", "control_request", "control_response",
          "control_cancel_request")  # fmt: skip
_OF_END = ("is_error", "num_turns", "errors", "stop_reason", "terminal_reason", "api_error_status",
           "ttft_ms", "usage", "modelUsage", "structured_output")  # fmt: skip
_INIT = ("tools", "permissionMode", "mcp_servers", "apiKeySource", "output_style")
_MOST_HELD = 256


def looks(record: Mapping[str, Any]) -> bool:
    """Whether a record has the shape of a stream record and not that of a session file."""
    kind = record.get("type")
    if "sessionId" in record or "parentUuid" in record:
        return False
    if kind in ("assistant", "user"):
        message = record.get("message")
        return isinstance(message, dict) and "content" in message
    if kind == "system":
        return isinstance(record.get("subtype"), str)
    return kind == "result" and ("total_cost_usd" in record or "num_turns" in record)


class ClaudeStream:
    """Keeps which sessions there were, and what came before the first one was announced."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self._notes = notes
        self._blocks = Blocks(notes, Denials(path))
        self._runs = Runs()
        self._scopes: dict[str, int] = {}
        self._scope = 1
        self._held: list[Event] = []
        self._ended: dict[str, Mapping[str, Any]] = {}
        """The last result record of each session."""

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record."""
        value, anchor = record.value, record.anchor
        if not isinstance(value, dict):
            self._notes.add("scalar", anchor, f"a JSON {type(value).__name__}")
            return
        kind = text(value.get("type")) or "unknown"
        init = kind == "system" and value.get("subtype") == "init"
        if init or kind in ("assistant", "user", "result"):
            begin = self._open(value, anchor, init=init)
            if begin is not None:
                yield begin
                yield from self._flush()
        if kind in ("assistant", "user"):
            yield from self._message(kind, value, anchor)
        elif init and begin is not None:
            self._blocks.repeated(self._place(value, anchor), "init")
        elif kind == "system":
            yield from self._system(value, anchor)
        elif kind == "result":
            yield from self._end_of_run(value, anchor)
        elif kind in _ASIDE:
            self._notes.add("aside", anchor, kind)
        elif kind in _NOTICES:
            yield from self._hold(mark_of(value, anchor, kind="notice"), value)
        else:
            self._notes.add("unknown", anchor, kind)
            yield from self._hold(Mark(anchor, "opaque", kind), value)

    def end(self) -> Iterator[Event]:
        """What was held back, runs without their total, a count of what was never answered."""
        yield from self._flush()
        yield from self._runs.unstated()
        self._blocks.calls.end()

    def _open(self, value: Mapping[str, Any], anchor: Anchor, *, init: bool) -> Begin | None:
        """The beginning of a run, at its first record that is more than a hook."""
        session = text(value.get("session_id"))
        if session in self._scopes:
            self._scope = self._scopes[session]
            return None
        if session is None and self._scopes:
            return None
        if self._scopes:
            self._notes.add("runs", anchor, session or "")
        self._scope = self._scopes[session or ""] = len(self._scopes) + 1
        return Begin(
            anchor, session, AGENT, text(value.get("claude_code_version")),
            text(value.get("model")) if init else None, text(value.get("cwd")),
            text(value.get("timestamp")),
            extra={name: value[name] for name in _INIT if name in value} if init else {},
        )  # fmt: skip

    def _hold(self, event: Event, value: Mapping[str, Any]) -> Iterator[Event]:
        """Hooks report before the run begins: what they say waits for it."""
        session = text(value.get("session_id"))
        begun = self._scopes if session is None else session in self._scopes
        if begun or len(self._held) >= _MOST_HELD:
            yield from self._flush()
            yield event
        else:
            self._held.append(event)

    def _flush(self) -> Iterator[Event]:
        yield from self._held
        self._held = []

    def _message(self, kind: str, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        place = self._place(value, anchor)
        parent = text(value.get("parent_tool_use_id"))
        if parent is not None:
            place.thread = self._blocks.calls.name_of(self._scope, parent)
            session = text(value.get("session_id"))
            yield from self._blocks.enter(place, call=place.thread, session=session)
        if kind == "user":
            yield from self._blocks.user(value.get("message"), place)
            return
        for event in self._blocks.assistant(value.get("message"), place):
            if isinstance(event, Usage):
                self._runs.spent(anchor, self._scope)
            yield event
        failure = text(value.get("error"))
        if failure is not None:
            yield Mark(anchor, "error", failure, time=place.time, thread=place.thread)

    def _place(self, value: Mapping[str, Any], anchor: Anchor) -> Place:
        session = text(value.get("session_id"))
        return Place(
            anchor,
            scope=self._scopes.get(session, len(self._scopes) + 1) if session else self._scope,
            time=text(value.get("timestamp")),
            uuid=text(value.get("uuid")),
            twin=value.get("tool_use_result"),
            synthetic=value.get("isSynthetic") is True or value.get("isMeta") is True,
        )

    def _session(self, value: Mapping[str, Any]) -> str:
        return text(value.get("session_id")) or str(self._scope)

    def _system(self, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        kind = kind_of_record(value)
        label = text(value.get("subtype")) or "unknown"
        if self._blocks.repeated(self._place(value, anchor), label):
            return
        if kind is None:
            self._notes.add("unknown", anchor, f"system {label}")
        mark = mark_of(value, anchor, kind=kind or "opaque")
        call = text(value.get("tool_use_id"))
        if call is not None:
            name = self._blocks.calls.name_of(self._scope, call)
            mark = replace(mark, extra={**mark.extra, "call": name})
        yield from self._hold(mark, value)

    def _end_of_run(self, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        label = text(value.get("subtype")) or "result"
        place = self._place(value, anchor)
        if self._blocks.repeated(place, "result"):
            return
        session = self._session(value)
        if place.uuid is None and value == self._ended.get(session):
            self._notes.add("repeated", anchor, "result")
            return
        self._ended[session] = value
        self._runs.ended(self._scope)
        yield self._runs.usage(anchor, value, session)
        denied = ids_of(value.get("permission_denials"))
        extra = {name: value[name] for name in _OF_END if name in value}
        extra["denials"] = _length(value.get("permission_denials"))
        extra["denied"] = sorted(self._blocks.calls.name_of(self._scope, one) for one in denied)
        said = (
            text(value.get("result")) or text(value.get("error")) or shown(value.get("errors", ""))
        )
        yield Mark(anchor, "end", label, said, place.time, extra=extra)


def _length(value: Any) -> int | None:
    return len(value) if isinstance(value, list) else None


DIALECT = Dialect("claude-stream", "Claude Code stream-json", "lines", looks, ClaudeStream)
