"""Gemini CLI `--output-format stream-json`. facts: log_formats 5.

Streamed parts of one answer are joined. Tokens are stated once, at the end; there is no cost.
"""

from __future__ import annotations

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
    Message,
    Result,
    Source,
    Usage,
)
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.gemini_outputs import read_output
from benchwright.trajectory.readers.parts import (
    count,
    joined,
    mapping,
    milliseconds,
    shown,
    text,
)
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of


def looks(record: Mapping[str, Any]) -> bool:
    """Whether a record has the keys that only this format has in its type."""
    kind = record.get("type")
    if kind == "init":
        return "session_id" in record and "model" in record
    if kind == "tool_use":
        return "tool_name" in record and "tool_id" in record
    if kind == "tool_result":
        return "tool_id" in record
    if kind == "message":
        return record.get("role") in ("user", "assistant") and "content" in record
    return kind == "result" and "stats" in record


class GeminiStream:
    """Keeps open calls and the parts of the answer that is being streamed."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._session: str | None = None
        self._runs = 0
        self._model: str | None = None
        self._answer, self._closed = 0, True
        self._parts: list[str] = []
        self._first: tuple[Anchor, str | None] | None = None
        self._open: dict[str, str] = {}
        self._seen = Digests()

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record."""
        value, anchor = record.value, record.anchor
        kind, time = str(value.get("type")), text(value.get("timestamp"))
        streamed = kind == "message" and value.get("role") == "assistant"
        if not streamed:
            yield from self._spoken()
        if streamed:
            self._part(value, anchor, time)
        elif kind == "message":
            yield from self._message(value, anchor, time)
        elif kind == "tool_use":
            yield from self._call(value, anchor, time)
        elif kind == "tool_result":
            yield from self._result(value, anchor, time)
        elif kind == "init":
            yield self._begin(value, anchor, time)
        elif kind == "result":
            yield from self._finish(value, anchor, time)
        elif kind == "error":
            yield Mark(anchor, "error", kind, text(value.get("message")) or "", time)
        else:
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind, time=time)

    def end(self) -> Iterator[Event]:
        """Words that were being streamed, and a count of what was never answered."""
        yield from self._spoken()
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)

    def _begin(self, value: Mapping[str, Any], anchor: Anchor, time: str | None) -> Begin:
        self._runs += 1
        if self._runs > 1:
            self._notes.add("runs", anchor)
        self._model = text(value.get("model"))
        session = text(value.get("session_id"))
        return Begin(anchor, session, "gemini-cli", None, self._model, time=time)

    def _part(self, value: Mapping[str, Any], anchor: Anchor, time: str | None) -> None:
        if self._first is None:
            self._first = (anchor, time)
        self._parts.append(joined(value.get("content"))[0])
        if value.get("delta") is not True:
            self._parts.append("\n")

    def _spoken(self) -> Iterator[Event]:
        if self._first is not None:
            self._speak()
            anchor, time = self._first
            words = "".join(self._parts).removesuffix("\n")
            yield Message(anchor, "agent", words, "", time, self._key(), model=self._model)
            self._parts, self._first = [], None

    def _speak(self) -> None:
        if self._closed:
            self._answer += 1
            self._closed = False

    def _key(self) -> str:
        return f"answer {self._answer}"

    def _message(
        self, value: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        self._closed = True
        words, images = joined(value.get("content"))
        source: Source = "user" if value.get("role") == "user" else "system"
        yield Message(anchor, source, words, time=time, images=images)

    def _call(self, value: Mapping[str, Any], anchor: Anchor, time: str | None) -> Iterator[Event]:
        native = text(value.get("tool_id")) or f"line {anchor.line}"
        call_id = native if self._runs < 2 else f"r{self._runs}.{native}"
        if not self._seen.add(call_id):
            self._notes.add("repeated", anchor, native)
            return
        self._speak()
        name = str(value.get("tool_name"))
        self._open[call_id] = name
        arguments = mapping(value.get("parameters"))
        yield Call(anchor, call_id, name, kind_of(name), arguments, native, time, self._key())

    def _result(
        self, value: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        native = str(value.get("tool_id"))
        call_id = native if self._runs < 2 else f"r{self._runs}.{native}"
        self._closed = True
        name = self._open.pop(call_id, None)
        if name is None:
            self._notes.add("repeated" if call_id in self._seen else "orphan", anchor, native)
            return
        error = mapping(value.get("error"))
        output = value.get("output")
        said = text(error.get("message")) if error else None
        words = said if output is None else shown(output)
        found = read_output(name, words, value.get("status"), text(error.get("type")))
        yield Result(
            anchor, call_id, found.status, found.text, time, None, found.exit_code,
            dict(error) or None, wrapper=found.wrapper,
        )  # fmt: skip

    def _finish(
        self, value: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        stats = mapping(value.get("stats"))
        if stats:
            whole, prompt = count(stats.get("total_tokens")), count(stats.get("input_tokens"))
            completion = count(stats.get("output_tokens"))
            if whole is not None and prompt is not None and whole >= prompt:
                completion = whole - prompt  # thoughts are in the total only
            yield Usage(
                anchor,
                "run",
                prompt,
                count(stats.get("cached")),
                completion,
                key=f"run {self._runs}",
                model=self._model,
                duration_ms=milliseconds(stats.get("duration_ms")),
            )
        said = text(mapping(value.get("error")).get("message")) or ""
        ended = value.get("status") == "success"
        label = str(value.get("status"))
        yield Mark(anchor, "end" if ended else "error", f"result {label}", said, time)


DIALECT = Dialect("gemini-stream", "Gemini CLI stream-json", "lines", looks, GeminiStream)
