"""Codex session files (`rollout-*.jsonl`). facts: log_formats 4.

The same fact stands twice, as a response item and as an event: the events here come from response
items, and what only the events know (status, changes of files, token counts) is added to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.digests import Digests, keyed
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
from benchwright.trajectory.readers.codex_outputs import read_output
from benchwright.trajectory.readers.parts import count, joined, mapping, shown, text
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of

_ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted",
              "world_state", "inter_agent_communication_metadata")  # fmt: skip
_ITEMS = ("message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
          "custom_tool_call_output", "local_shell_call", "web_search_call", "tool_search_call",
          "image_generation_call", "tool_call", "tool_result", "ghost_snapshot")  # fmt: skip
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call",
          "tool_search_call", "image_generation_call", "tool_call")  # fmt: skip
_MARKS: dict[str, MarkKind] = {
    "turn_aborted": "abort",
    "error": "error",
    "stream_error": "retry",
    "task_complete": "end",
    "entered_review_mode": "mode",
    "exited_review_mode": "mode",
}
_PUT_THERE = ("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md",
              "<INSTRUCTIONS>", "<turn_aborted>", "<skills")  # fmt: skip


def looks(record: Mapping[str, Any]) -> bool:
    """Whether a record is an envelope, or a bare item of the oldest files."""
    if "payload" in record:
        return record.get("type") in _ENVELOPES
    return record.get("type") in _ITEMS[2:6] and ("call_id" in record or "name" in record)


class CodexRollout:
    """Keeps open calls, what events said of them, and which answer of the model is being read."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._session: str | None = None
        self._model: str | None = None
        self._answer, self._closed, self._counted = 0, True, False
        self._total: Any = None
        self._open: dict[str, str] = {}
        """Calls without a result: id, name."""
        self._named: dict[str, dict[str, None]] = {}
        """Name: the calls without a result that have it."""
        self._seen: set[str] = set()
        self._past = Digests()
        """Words and counts with their times, to know them again where the file repeats itself."""
        self._replays = False
        """Whether it does: its beginning or a call came a second time."""
        self._told: dict[str, Mapping[str, Any]] = {}
        """What events said of open calls."""
        self._spoken = False
        self._events: list[Message] | None = []
        """Messages that only events hold, until an item shows that items hold them."""
        self._compacted = False

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record."""
        value, anchor = record.value, record.anchor
        kind, body = str(value.get("type")), value.get("payload")
        time = text(value.get("timestamp"))
        if not isinstance(body, Mapping):
            kind, body = ("response_item" if kind in _ITEMS else "session_meta"), value
        if kind == "response_item":
            yield from self._item(body, anchor, time)
        elif kind == "event_msg":
            yield from self._event(body, anchor, time)
        elif kind == "session_meta":
            yield from self._meta(body, anchor, time)
        elif kind == "turn_context":
            yield from self._context(body, anchor, time)
        elif kind == "compacted":
            self._compacted = True
            yield Mark(anchor, "compaction", kind, text(body.get("message")) or "", time)
        elif kind not in _ENVELOPES:
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind, time=time)

    def end(self) -> Iterator[Event]:
        """Messages that stood in events alone, and a count of what was never answered."""
        yield from self._flush()
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)

    def _flush(self) -> Iterator[Event]:
        """Messages that stood in events alone: an item of the same would stand before a call."""
        if self._events:
            yield from self._events
            self._events = []

    def _meta(self, body: Mapping[str, Any], anchor: Anchor, time: str | None) -> Iterator[Event]:
        session = text(body.get("id"))
        if session is None and "cwd" not in body and "instructions" not in body:
            self._notes.add("unknown", anchor, ", ".join(list(body)[:4]))
            return
        if self._session is not None:
            self._notes.add("repeated" if session == self._session else "runs", anchor)
            if session == self._session:
                self._replays = True
                return
        self._session = session or ""
        yield Begin(
            anchor, session, "codex", text(body.get("cli_version")), None, text(body.get("cwd")),
            time or text(body.get("timestamp")), extra={"originator": body.get("originator")},
        )  # fmt: skip

    def _context(
        self, body: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        model = text(body.get("model"))
        if model != self._model:
            self._model = model
            extra = {name: body.get(name) for name in ("model", "effort", "cwd")}
            yield Mark(anchor, "mode", "turn_context", model or "", time, extra=extra)

    def _item(self, body: Mapping[str, Any], anchor: Anchor, time: str | None) -> Iterator[Event]:
        kind = str(body.get("type"))
        if kind in _CALLS:
            yield from self._flush()
            yield from self._call(kind, body, anchor, time)
        elif kind.endswith("_output") or kind == "tool_result":
            yield from self._output(body, anchor, time)
        elif kind in ("message", "reasoning"):
            yield from self._message(kind, body, anchor, time)
        elif kind != "ghost_snapshot":
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind, time=time)

    def _message(
        self, kind: str, body: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        if self._came_before(anchor, time, kind, body.get("content") or body.get("summary")):
            return
        if kind == "reasoning":
            thought = joined(body.get("summary"))[0] or joined(body.get("content"))[0]
            self._speak()
            yield Message(anchor, "agent", "", thought, time, self._key(), model=self._model)
            return
        words, images = joined(body.get("content"))
        self._events = None
        if body.get("role") == "assistant":
            self._speak()
            yield Message(
                anchor, "agent", words, "", time, self._key(), model=self._model, images=images
            )
            return
        self._closed = True
        source: Source = "user" if body.get("role") == "user" else "system"
        put = source == "user" and words.lstrip().startswith(_PUT_THERE)
        yield Message(
            anchor,
            source,
            words,
            time=time,
            synthetic=put,
            images=images,
        )

    def _came_before(self, anchor: Anchor, time: str | None, kind: str, said: Any) -> bool:
        """Whether a file that repeats itself had this at the same time before."""
        if time is None:
            return False
        new = self._past.add(keyed(time, kind, shown(said)))
        if new or not self._replays:
            return False
        self._notes.add("repeated", anchor, kind)
        return True

    def _speak(self) -> None:
        """A part of an answer of the model begins or goes on."""
        if self._closed:
            self._answer += 1
            self._closed = self._counted = False

    def _key(self) -> str:
        return f"answer {self._answer}"

    def _call(
        self, kind: str, body: Mapping[str, Any], anchor: Anchor, time: str | None
    ) -> Iterator[Event]:
        native = text(body.get("call_id")) or text(body.get("id")) or f"line {anchor.line}"
        if native in self._seen:
            self._replays = True
            self._notes.add("repeated", anchor, native)
            return
        self._seen.add(native)
        self._speak()
        name, arguments = _request(kind, body)
        self._open[native] = name
        self._named.setdefault(name, {})[native] = None
        yield Call(anchor, native, name, kind_of(name), arguments, native, time, self._key())
        if kind in ("web_search_call", "image_generation_call"):
            self._close(native)
            status: Status = "ok" if body.get("status") == "completed" else "unknown"
            yield Result(anchor, native, status, None, time)

    def _output(self, body: Mapping[str, Any], anchor: Anchor, time: str | None) -> Iterator[Event]:
        call_id = text(body.get("call_id")) or self._only(text(body.get("name")))
        self._closed = True
        if call_id is None or call_id not in self._open:
            known = call_id in self._seen
            self._notes.add("repeated" if known else "orphan", anchor, call_id or "")
            return
        self._close(call_id)
        told = self._told.pop(call_id, {})
        found = read_output(body.get("output", body.get("result")))
        code = found.exit_code if found.exit_code is not None else count(told.get("exit_code"))
        yield Result(
            anchor,
            call_id,
            _status(found.status, code, told),
            found.text,
            time,
            found.duration_ms,
            code,
            told or None,
            found.images,
            found.truncated,
            wrapper=found.wrapper,
        )

    def _close(self, call_id: str) -> None:
        self._named[self._open.pop(call_id)].pop(call_id)

    def _only(self, name: str | None) -> str | None:
        """Old items link by nothing: the open call of that name, where there is one only."""
        fitting = self._named.get(name or "", {})
        return next(iter(fitting)) if len(fitting) == 1 else None

    def _event(self, body: Mapping[str, Any], anchor: Anchor, time: str | None) -> Iterator[Event]:
        kind = str(body.get("type"))
        call_id = text(body.get("call_id"))
        if kind == "token_count":
            info = mapping(body.get("info"))
            if not self._came_before(anchor, time, kind, body.get("info")):
                yield from self._tokens(info, anchor)
        elif kind == "turn.completed":
            usage = mapping(body.get("usage"))
            yield _usage(anchor, "turn", f"line {anchor.line}", usage, None)
        elif kind.endswith("_end") and call_id in self._open:
            self._told[str(call_id)] = body
        elif kind in ("user_message", "agent_message") and self._events is not None:
            source: Source = "user" if kind == "user_message" else "agent"
            words = text(body.get("message")) or ""
            self._events.append(Message(anchor, source, words, time=time))
        elif kind == "context_compacted" and not self._compacted:
            yield Mark(anchor, "compaction", kind, time=time)
        elif kind in _MARKS:
            said = text(body.get("message")) or text(body.get("reason"))
            said = said or text(mapping(body.get("error")).get("message")) or ""
            yield Mark(anchor, _MARKS[kind], kind, said, time)

    def _tokens(self, info: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        run, last = mapping(info.get("total_token_usage")), mapping(info.get("last_token_usage"))
        if not run or run == self._total:
            return
        last = last or _difference(run, mapping(self._total))
        self._total = dict(run)
        if self._counted or self._closed:  # counts that come before the parts of their answer
            self._answer += 1
            self._closed = False
        self._counted = True
        # Totals start over in resumed sessions: the sum of the single counts is what was used.
        yield _usage(anchor, "step", self._key(), last, self._model)


def _difference(now: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Counts since the last total, for files that state totals alone."""
    found = {}
    for name in ("input_tokens", "cached_input_tokens", "output_tokens"):
        new, old = count(now.get(name)), count(before.get(name)) or 0
        found[name] = new - old if new is not None and new >= old else new
    return found


def _usage(
    anchor: Anchor, scope: Any, key: str | None, counts: Mapping[str, Any], model: str | None
) -> Usage:
    return Usage(
        anchor,
        scope,
        count(counts.get("input_tokens")),
        count(counts.get("cached_input_tokens")),
        count(counts.get("output_tokens")),
        reasoning=count(counts.get("reasoning_output_tokens")),
        key=key,
        model=model,
    )


def _request(kind: str, body: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    if kind == "local_shell_call":
        action = mapping(body.get("action"))
        kept = {k: v for k, v in action.items() if k != "type"}
        return "local_shell", {**kept, "workdir": action.get("working_directory")}
    if kind == "web_search_call":
        return "web_search", dict(mapping(body.get("action")))
    if kind == "custom_tool_call":
        return str(body.get("name")), {"input": shown(body.get("input"))}
    name = body.get("name") or mapping(body.get("function")).get("name") or kind
    return str(name), _arguments(body.get("arguments"))


def _arguments(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"input": value}
    return dict(value) if isinstance(value, Mapping) else {"input": shown(value)}


def _status(said: Status, code: int | None, told: Mapping[str, Any]) -> Status:
    success = told.get("success")
    if isinstance(success, bool):
        return "ok" if success else "failed"
    if said != "unknown":
        return said
    return "unknown" if code is None else "ok" if code == 0 else "failed"


DIALECT = Dialect("codex-rollout", "Codex session file", "lines", looks, CodexRollout)
