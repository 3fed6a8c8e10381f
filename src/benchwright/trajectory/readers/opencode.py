"""OpenCode: `opencode export` (one document) and `opencode run --format json` (lines).

Both hold the same parts; the lines lack the user's words, the model's name and the folder.
Transcripts of sub-agents are sessions of their own: a call names them (`Result.child`).
facts: log_formats 7.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.digests import Digests
from benchwright.trajectory.events import (
    Anchor,
    Begin,
    Call,
    Event,
    Mark,
    MarkKind,
    Message,
    Result,
    Source,
    Status,
    Usage,
)
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.parts import count, epoch, mapping, nano, shown, text, total
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of

_LINES = ("step_start", "text", "reasoning", "tool_use", "step_finish", "error")
_QUIET = ("step-start", "snapshot", "file", "agent", "patch")


def looks_export(members: Mapping[str, Any]) -> bool:
    """Whether the members are those of an export."""
    item = mapping(members.get("messages"))
    return isinstance(members.get("info"), Mapping) and (
        "parts" in item or "messages" not in members
    )


def looks_run(record: Mapping[str, Any]) -> bool:
    """Whether a line is an event of a run."""
    return record.get("type") in _LINES and "sessionID" in record


class OpenCode:
    """Reads parts, whichever way they come."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._begun = Digests()
        self._info: Mapping[str, Any] = {}
        self._calls, self._parts = Digests(), Digests()
        self._open: dict[str, None] = {}
        """Calls without an answer."""
        self._messages, self._steps = Digests(), array("I")
        """Messages, and how many answers of the model began in each."""

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of a line, of a message of an export, or of its header."""
        value, anchor = record.value, record.anchor
        if anchor.pointer == "/info":
            self._info = mapping(value)
            yield from self._header(anchor)
        elif anchor.pointer.startswith("/messages/"):
            yield from self._message(mapping(value), anchor)
        elif not anchor.pointer:
            yield from self._line(value, anchor)

    def end(self) -> Iterator[Event]:
        """The total that the session itself states; a count of what was never answered."""
        tokens = mapping(self._info.get("tokens"))
        if tokens:
            yield _usage(Anchor(0, -1, -1, "/info"), "run", None, self._info, None, None)
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)

    def _header(self, anchor: Anchor) -> Iterator[Event]:
        info, model = self._info, mapping(self._info.get("model"))
        self._begun.add(str(info.get("id")))
        yield Begin(
            anchor,
            text(info.get("id")),
            "opencode",
            text(info.get("version")),
            text(model.get("id")),
            text(info.get("directory")),
            epoch(mapping(info.get("time")).get("created")),
            extra={"parent": info.get("parentID"), "title": info.get("title")},
        )

    def _line(self, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        session, time = str(value.get("sessionID")), epoch(value.get("timestamp"))
        if session not in self._begun:
            if self._begun:
                self._notes.add("runs", anchor)
            self._begun.add(session)
            yield Begin(anchor, session, "opencode", time=time)
        if value.get("type") == "error":
            error = mapping(value.get("error"))
            said = text(mapping(error.get("data")).get("message")) or shown(value.get("error"))
            yield Mark(anchor, "error", text(error.get("name")) or "error", said, time)
            return
        part = mapping(value.get("part"))
        if value.get("type") not in _LINES or not part:
            self._notes.add("unknown", anchor, str(value.get("type")))
            yield Mark(anchor, "opaque", str(value.get("type")), time=time)
            return
        part = {**part, "time": None}  # words count from when they were printed, as in any stream
        yield from self._part(part, anchor, "agent", text(part.get("messageID")), None, time)

    def _message(self, message: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        info = mapping(message.get("info"))
        source: Source = "agent" if info.get("role") == "assistant" else "user"
        key = text(info.get("id")) if source == "agent" else None
        times, model = mapping(info.get("time")), text(info.get("modelID"))
        time, done = epoch(times.get("created")), epoch(times.get("completed"))
        parts = message.get("parts")
        for number, part in enumerate(parts if isinstance(parts, list) else ()):
            place = anchor.below(f"/parts/{number}")
            yield from self._part(mapping(part), place, source, key, model, time, done)
        if info.get("error"):
            error = mapping(info["error"])
            said = text(mapping(error.get("data")).get("message")) or shown(info["error"])
            yield Mark(anchor, "error", text(error.get("name")) or "error", said, time)

    def _part(
        self,
        part: Mapping[str, Any],
        anchor: Anchor,
        source: Source,
        key: str | None,
        model: str | None,
        time: str | None,
        done: str | None = None,
    ) -> Iterator[Event]:
        kind = str(part.get("type"))
        start = epoch(mapping(part.get("time")).get("start")) or time
        identity = text(part.get("id"))
        if kind != "tool" and identity is not None and not self._parts.add(identity):
            self._notes.add("repeated", anchor, identity)
            return
        key = self._answer(key, begins=kind == "step-start")
        words = text(part.get("text")) or ""
        if kind == "text":
            put = part.get("synthetic") is True
            yield Message(anchor, source, words, "", start, key, model=model, synthetic=put)
        elif kind == "reasoning":
            yield Message(anchor, source, "", words, start, key, model=model)
        elif kind == "tool":
            yield from self._tool(part, anchor, key, time)
        elif kind == "step-finish":
            yield _usage(anchor, "step", key or identity, part, model, done or time)
        elif kind in ("retry", "compaction"):
            mark: MarkKind = "retry" if kind == "retry" else "compaction"
            yield Mark(anchor, mark, kind, shown(part.get("error") or ""), time)
        elif kind not in (*_QUIET, "subtask"):
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind, time=time)

    def _answer(self, message: str | None, *, begins: bool) -> str | None:
        """Key of the answer that a part belongs to: its message, numbered from the second on."""
        if message is None:
            return None
        if begins:
            place = self._messages.number(message)
            self._steps.extend([0] * (place + 1 - len(self._steps)))
            self._steps[place] += 1
        known = self._messages.find(message)
        number = 1 if known is None else self._steps[known]
        return message if number == 1 else f"{message}#{number}"

    def _tool(
        self, part: Mapping[str, Any], anchor: Anchor, key: str | None, time: str | None
    ) -> Iterator[Event]:
        native = text(part.get("callID")) or text(part.get("id")) or anchor.text()
        name, state = str(part.get("tool")), mapping(part.get("state"))
        times = mapping(state.get("time"))
        if self._calls.add(native):
            self._open[native] = None
            yield Call(
                anchor, native, name, kind_of(name), mapping(state.get("input")), native,
                epoch(times.get("start")) or time, key or text(part.get("messageID")),
            )  # fmt: skip
        if state.get("status") not in ("completed", "error"):
            return
        if native not in self._open:
            self._notes.add("repeated", anchor, native)
            return
        del self._open[native]
        meta = mapping(state.get("metadata"))
        code = meta.get("exit")
        code = code if isinstance(code, int) and not isinstance(code, bool) else None
        start, end = count(times.get("start")), count(times.get("end"))
        output = state.get("output") if state.get("output") is not None else state.get("error")
        attachments = state.get("attachments")
        yield Result(
            anchor,
            native,
            _status(state, code),
            shown(output) if output is not None else None,
            epoch(end),
            end - start if start is not None and end is not None and end >= start else None,
            code,
            dict(meta) or None,
            len(attachments) if isinstance(attachments, list) else 0,
            meta.get("truncated") if isinstance(meta.get("truncated"), bool) else None,
            text(meta.get("sessionId")),
        )


def _status(state: Mapping[str, Any], code: int | None) -> Status:
    if state.get("status") == "error":
        said = str(state.get("error"))
        return "refused" if "rejected permission" in said or "denied" in said else "failed"
    return "failed" if code not in (None, 0) else "ok"


def _usage(
    anchor: Anchor,
    scope: Any,
    key: str | None,
    holder: Mapping[str, Any],
    model: str | None,
    time: str | None,
) -> Usage:
    tokens = mapping(holder.get("tokens"))
    cache = mapping(tokens.get("cache"))
    read, written = count(cache.get("read")), count(cache.get("write"))
    prompt = total(count(tokens.get("input")), read, written)
    output, thought = count(tokens.get("output")), count(tokens.get("reasoning"))
    stated = count(tokens.get("total"))
    inside = None not in (stated, prompt, output) and stated == total(prompt, output)
    completion = output if inside else total(output, thought)
    return Usage(
        anchor,
        scope,
        prompt,
        read,
        completion,
        reasoning=thought,
        cache_written=written,
        key=key,
        model=model,
        cost_nano=nano(holder["cost"]) if "cost" in holder else None,
        time=time,
    )


EXPORT = Dialect("opencode-export", "OpenCode export", "document", looks_export, OpenCode)
RUN = Dialect("opencode-run", "OpenCode `run --format json`", "lines", looks_run, OpenCode)
