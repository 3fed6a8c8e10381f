"""Codex `exec --json`: events of threads, turns and items. facts: log_formats 3.

There are no times, no texts of changed files, and no boundaries of model answers: a new answer is
taken to begin with the first words or reasoning after a tool.
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
from benchwright.trajectory.readers.parts import count, joined, mapping, shown, text
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of

_EVENTS = ("thread.started", "turn.started", "turn.completed", "turn.failed", "item.started",
           "item.updated", "item.completed")  # fmt: skip
_CALLS = ("command_execution", "file_change", "mcp_tool_call", "web_search", "collab_tool_call",
          "tool_call")  # fmt: skip
_WORDS = ("agent_message", "assistant_message", "reasoning")


def looks(record: Mapping[str, Any]) -> bool:
    """Whether a record has the type of a thread, turn or item event."""
    return record.get("type") in _EVENTS and "payload" not in record


class CodexExec:
    """Keeps which items are open, and numbers turns: item ids start over in each."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._threads: list[str] = []
        self._turn = 0
        self._answer = 0
        self._used_tool = False
        self._ids: dict[str, int] = {}
        """Id of an item: the turn that it was first seen in."""
        self._open: dict[str, str] = {}
        """Calls without a result: id here, type."""
        self._done: set[str] = set()
        self._unspoken: dict[str, tuple[Anchor, str, str]] = {}

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record."""
        value, anchor = record.value, record.anchor
        kind = str(value.get("type"))
        item = mapping(value.get("item"))
        if kind.startswith("item.") and item:
            yield from self._item(kind.removeprefix("item."), item, anchor)
        elif kind == "thread.started":
            yield self._thread(value, anchor)
        elif kind == "turn.started":
            self._turn += 1
            self._used_tool = True
        elif kind in ("turn.completed", "turn.failed", "error"):
            yield from self._turn_end(kind, value, anchor)
        else:
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind)

    def end(self) -> Iterator[Event]:
        """Words that were begun and never finished, and a count of what was never answered."""
        for anchor, kind, words in self._unspoken.values():
            yield self._words(anchor, kind, words)
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)

    def _thread(self, value: Mapping[str, Any], anchor: Anchor) -> Begin:
        thread = text(value.get("thread_id"))
        known = thread is not None and thread in self._threads
        if self._threads:
            self._notes.add("repeated" if known else "runs", anchor)
        self._threads.append(thread or "")
        return Begin(
            anchor, thread, "codex", text(value.get("cli_version")), text(value.get("model")),
            text(value.get("cwd")), continues=known,
        )  # fmt: skip

    def _turn_end(self, kind: str, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        usage = mapping(value.get("usage"))
        if usage:
            yield Usage(
                anchor,
                "turn",
                count(usage.get("input_tokens")),
                count(usage.get("cached_input_tokens")),
                count(usage.get("output_tokens")),
                reasoning=count(usage.get("reasoning_output_tokens")),
                key=f"turn {self._turn}",
            )
        said = text(value.get("message")) or text(mapping(value.get("error")).get("message")) or ""
        yield Mark(anchor, "end" if kind == "turn.completed" else "error", kind, said)

    def _item(self, stage: str, item: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        kind = str(item.get("type") or item.get("item_type"))
        if item.get("item_type") and item.get("type") in _WORDS:
            kind = str(item["type"])
        call_id = self._qualified(str(item.get("id", f"line {anchor.line}")))
        if kind in _WORDS:
            yield from self._speech(stage, call_id, kind, item, anchor)
        elif kind in _CALLS:
            yield from self._call(stage, call_id, kind, item, anchor)
        elif kind == "todo_list" and stage == "completed":
            yield Mark(anchor, "task", kind, shown(item.get("items")))
        elif kind == "error":
            yield Mark(anchor, "error", kind, text(item.get("message")) or "")
        elif kind != "todo_list" and stage == "completed":
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind)

    def _qualified(self, native: str) -> str:
        first = self._ids.setdefault(native, self._place())
        return native if first == self._place() else f"t{self._place()}.{native}"

    def _place(self) -> int:
        return max(self._turn, 1)

    def _speech(
        self, stage: str, call_id: str, kind: str, item: Mapping[str, Any], anchor: Anchor
    ) -> Iterator[Event]:
        words = text(item.get("text")) or ""
        if stage != "completed":
            self._unspoken[call_id] = (anchor, kind, words)
            return
        self._unspoken.pop(call_id, None)
        if self._repeated(call_id, anchor):
            return
        yield self._words(anchor, kind, words)

    def _words(self, anchor: Anchor, kind: str, words: str) -> Message:
        if self._used_tool:
            self._answer += 1
            self._used_tool = False
        thought = kind == "reasoning"
        return Message(
            anchor, "agent", "" if thought else words, words if thought else "", key=self._key()
        )

    def _key(self) -> str:
        return f"answer {self._answer}"

    def _repeated(self, call_id: str, anchor: Anchor) -> bool:
        if call_id in self._done:
            self._notes.add("repeated", anchor, call_id)
            return True
        self._done.add(call_id)
        return False

    def _call(
        self, stage: str, call_id: str, kind: str, item: Mapping[str, Any], anchor: Anchor
    ) -> Iterator[Event]:
        if stage == "completed" and self._repeated(call_id, anchor):
            return
        if call_id not in self._open and (stage == "completed" or call_id not in self._done):
            self._open[call_id] = kind
            self._used_tool = True
            name, arguments = _request(kind, item)
            yield Call(
                anchor, call_id, name, "mcp" if kind == "mcp_tool_call" else kind_of(name),
                arguments, str(item.get("id", "")), key=self._key(),
            )  # fmt: skip
        if stage == "completed":
            self._open.pop(call_id, None)
            code = item.get("exit_code")
            yield Result(
                anchor,
                call_id,
                _status(item),
                _output(kind, item),
                exit_code=code if isinstance(code, int) and not isinstance(code, bool) else None,
                structured=item.get("result") or None,
            )


def _request(kind: str, item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    if kind == "mcp_tool_call":
        name = f"{item.get('server')}.{item.get('tool')}"
        return name, dict(mapping(item.get("arguments")))
    if kind == "tool_call":
        return str(item.get("name")), dict(mapping(item.get("arguments")))
    wanted = {
        "command_execution": ("command",),
        "file_change": ("changes",),
        "web_search": ("query", "action"),
        "collab_tool_call": ("tool", "prompt", "receiver_thread_ids"),
    }[kind]
    return kind, {name: item[name] for name in wanted if name in item}


def _status(item: Mapping[str, Any]) -> Status:
    said, code = item.get("status"), item.get("exit_code")
    if said == "declined":
        return "refused"
    if said in ("failed", "error") or item.get("error"):
        return "failed"
    if isinstance(code, int) and code != 0:
        return "failed"
    return "ok" if said == "completed" or code == 0 else "unknown"


def _output(kind: str, item: Mapping[str, Any]) -> str | None:
    for name in ("aggregated_output", "output"):
        if isinstance(item.get(name), str):
            return str(item[name])
    error = item.get("error")
    if error:
        return text(mapping(error).get("message")) or shown(error)
    result = item.get("result")
    if result is None:
        return None
    content = mapping(result).get("content")
    return joined(content)[0] if content is not None else shown(result)


DIALECT = Dialect(
    "codex-exec", "Codex `exec --json`", "lines", looks, CodexExec, frozenset({"answers"})
)
