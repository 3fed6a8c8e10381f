"""Session events of hosted research agents: JSON lines, one event a line. facts: log_formats 14.

The event itself stands in `raw`; without it the line is taken as the event. The verdict of an
outside grader is in the log too: it is a mark, never the agent's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.events import (
    Anchor,
    Begin,
    Call,
    Event,
    Mark,
    Message,
    Result,
    Status,
    Usage,
)
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.parts import (
    count,
    joined,
    mapping,
    milliseconds,
    nano,
    shown,
    text,
    total,
)
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of

_FAMILIES = ("agent.", "user.", "span.", "session.")


def looks(record: Mapping[str, Any]) -> bool:
    """Whether a record is a session event, bare or wrapped."""
    kind = mapping(record.get("raw")).get("type", record.get("type"))
    return isinstance(kind, str) and kind.startswith(_FAMILIES)


class Managed:
    """Keeps open calls, and which answer of the model is being read."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._begun = False
        self._answer = 0
        self._started: dict[str, str] = {}
        """Request to the model: key of its answer."""
        self._open: dict[str, str] = {}
        self._seen: set[str] = set()
        self._model: str | None = None

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record."""
        anchor = record.anchor
        event = mapping(record.value.get("raw")) or record.value
        kind = str(event.get("type"))
        time = text(event.get("processed_at")) or text(record.value.get("time"))
        identity = text(event.get("id"))
        if identity is not None:
            if identity in self._seen:
                self._notes.add("repeated", anchor, identity)
                return
            self._seen.add(identity)
        if not self._begun:
            self._begun = True
            yield Begin(anchor, text(event.get("session_id")), "managed-agent", time=time)
        yield from self._event(kind, event, anchor, time)

    def end(self) -> Iterator[Event]:
        """A count of what was never answered."""
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)
        yield from ()

    def _event(
        self, kind: str, event: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        if kind in ("agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"):
            yield self._call(event, anchor, time)
        elif kind in ("agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result"):
            yield from self._result(event, anchor, time)
        elif kind == "agent.message":
            words, images = joined(event.get("content"))
            yield Message(anchor, "agent", words, "", time, self._key(), images=images)
        elif kind in ("user.message", "user.define_outcome"):
            words = text(event.get("description")) or joined(event.get("content"))[0]
            yield Message(anchor, "user", words, time=time)
        elif kind == "span.model_request_start":
            self._answer += 1
            self._started[str(event.get("id"))] = f"answer {self._answer}"
        elif kind == "span.model_request_end":
            yield from self._spent(event, anchor, time)
        elif kind == "session.usage":
            yield _session(mapping(event.get("usage")), anchor)
        else:
            yield from self._other(kind, event, anchor, time)

    def _key(self) -> str | None:
        return f"answer {self._answer}" if self._answer else None

    def _call(self, event: Mapping[str, Any], anchor: Anchor, time: str | None) -> Call:
        native = text(event.get("id")) or anchor.text()
        name = str(event.get("name"))
        self._open[native] = name
        arguments = mapping(event.get("input"))
        return Call(anchor, native, name, kind_of(name), arguments, native, time, self._key())

    def _result(
        self, event: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        names = ("tool_use_id", "mcp_tool_use_id", "custom_tool_use_id")
        native = next((str(event[name]) for name in names if event.get(name)), "")
        if self._open.pop(native, None) is None:
            self._notes.add("repeated" if native in self._seen else "orphan", anchor, native)
            return
        words, images = joined(event.get("content"))
        failed = event.get("is_error")
        status: Status = "unknown"
        if isinstance(failed, bool):
            status = "failed" if failed else "ok"
        yield Result(anchor, native, status, words, time, images=images)

    def _spent(self, event: Mapping[str, Any], anchor: Anchor, time: str | None) -> Iterator[Event]:
        usage = mapping(event.get("model_usage"))
        read = count(usage.get("cache_read_input_tokens"))
        written = count(usage.get("cache_creation_input_tokens"))
        if usage:
            yield Usage(
                anchor,
                "step",
                total(count(usage.get("input_tokens")), read, written),
                read,
                count(usage.get("output_tokens")),
                cache_written=written,
                key=self._started.get(str(event.get("model_request_start_id"))) or self._key(),
            )
        if event.get("is_error") is True:
            yield Mark(anchor, "retry", "span.model_request_end", shown(event.get("error")), time)

    def _other(
        self, kind: str, event: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        if kind == "agent.thinking":
            return
        if kind == "user.interrupt":
            yield Mark(anchor, "abort", kind, time=time)
        elif kind.startswith("span.outcome_evaluation"):
            yield Mark(anchor, "task", kind, text(event.get("explanation")) or "", time)
        elif kind.startswith(("session.status", "session.thread_status")):
            stop = event.get("stop_reason")
            yield Mark(anchor, "end" if stop else "mode", kind, shown(stop or ""), time)
        elif kind == "session.error":
            said = text(mapping(event.get("error")).get("message")) or shown(event.get("error"))
            yield Mark(anchor, "error", kind, said, time)
        else:
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind, time=time)


def _session(usage: Mapping[str, Any], anchor: Anchor) -> Usage:
    """Cost and active time of the whole session. Its token counts can be 0 where they are not."""
    cost = mapping(usage.get("list_cost"))
    dollars = cost.get("amount") if cost.get("currency") in ("USD", "usd") else None
    return Usage(
        anchor,
        "run",
        None,
        None,
        None,
        cost_nano=nano(dollars),
        duration_ms=milliseconds(usage.get("active_seconds"), 1000),
    )


DIALECT = Dialect("managed", "managed-agent session events", "lines", looks, Managed)
