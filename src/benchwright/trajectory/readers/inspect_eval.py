"""Inspect AI logs: `.eval` archives and `.json` documents. facts: log_formats 9.

Read as plain JSON, one sample at a time: Inspect's own reader loads a whole log. Each sample is a
run; what the agent did comes from its messages, times and tokens from its model events.
"""

from __future__ import annotations

import json
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright.errors import FormatError
from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.events import (
    Anchor,
    Begin,
    Call,
    Event,
    Mark,
    Message,
    Result,
    Source,
    Status,
    Usage,
)
from benchwright.trajectory.lines import LONGEST_LINE
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.inspect_events import SampleEvents, counts
from benchwright.trajectory.readers.parts import joined, mapping, milliseconds, shown, text
from benchwright.trajectory.records import Record, parse
from benchwright.trajectory.tools import kind_of

_ATTACHED = "attachment://"
_LARGEST = 64_000_000
"""Characters of attachments that are put into one sample."""
_SOURCES: dict[str, Source] = {"assistant": "agent", "user": "user", "system": "system"}


def looks_document(members: Mapping[str, Any]) -> bool:
    """Whether the members are those of a log."""
    return "eval" in members and "version" in members and "status" in members


def looks_archive(names: Mapping[str, Any]) -> bool:
    """Whether the names are those of an `.eval` archive."""
    return "_journal/start.json" in names or "header.json" in names


class InspectLog:
    """Header first, then samples, each complete."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self._path, self._notes = path, notes
        self._eval: Mapping[str, Any] = {}
        self._samples = 0

    def feed(self, record: Record) -> Iterator[Event]:
        """A member of a document; a sample gives its events."""
        pointer = record.anchor.pointer
        if pointer == "/eval":
            self._eval = mapping(record.value)
        elif pointer.startswith("/samples/"):
            yield from self._sample(record.value, record.anchor)

    def end(self) -> Iterator[Event]:
        """The samples of an archive; a mark where a log has none."""
        if zipfile.is_zipfile(self._path):
            yield from self._archive()
        if not self._samples:
            yield Mark(Anchor(0, -1, -1), "end", "no samples")

    def _archive(self) -> Iterator[Event]:
        _unreadable()
        with zipfile.ZipFile(self._path) as archive:
            names = archive.namelist()
            for name in ("header.json", "_journal/start.json"):
                if name in names and not self._eval:
                    self._eval = mapping(mapping(self._member(archive, name)).get("eval"))
            if "header.json" not in names:
                self._notes.add("cut", None, "no header.json: the run was not finished")
            for name in dict.fromkeys(names):
                if name.startswith("samples/") and name.endswith(".json"):
                    place = Anchor(0, -1, -1, file=name)
                    yield from self._sample(self._member(archive, name), place)
        if not self._samples and (broken := self._notes.counts.get("shape")):
            raise FormatError(
                "no sample of the archive can be read",
                value=broken,
                where=str(self._path),
                hint="Its samples are damaged or larger than one can be; copy the log again.",
            )

    def _member(self, archive: zipfile.ZipFile, name: str) -> Any:
        place = Anchor(0, -1, -1, file=name)
        try:
            with archive.open(name) as file:
                data = file.read(LONGEST_LINE + 1)
            if len(data) > LONGEST_LINE:
                self._notes.add("long", place)
                return None
            return parse(data, place, self._notes)
        except _unreadable() as error:
            self._notes.add("cut", place, str(error))
            return None

    def _sample(self, value: Any, anchor: Anchor) -> Iterator[Event]:
        if not isinstance(value, Mapping):
            self._notes.add("shape", anchor)
            return
        self._samples += 1
        yield from _Sample(value, anchor, self._eval, self._notes, self._samples).events()


def _unreadable() -> tuple[type[Exception], ...]:
    """What a damaged member raises. Inspect packs with Zstandard, which `zipfile` then knows."""
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdError
    else:
        import zipfile_zstd  # noqa: F401  # teaches `zipfile`, as Inspect has it do
        from zstandard import ZstdError
    known = (ValueError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
    return (*known, EOFError, OSError, ZstdError)


class _Sample:
    def __init__(
        self,
        value: Mapping[str, Any],
        anchor: Anchor,
        about: Mapping[str, Any],
        notes: Notes,
        number: int,
    ) -> None:
        self._value = _attached(value, anchor, notes)
        self._anchor, self._eval, self._notes = anchor, about, notes
        self._run = f"{value.get('id')}.{value.get('epoch', 1)}"
        self._many = number > 1
        self._open: set[str] = set()
        self._events = SampleEvents(self._value)

    def events(self) -> Iterator[Event]:
        value = self._value
        model = text(self._eval.get("model"))
        solver = text(self._eval.get("solver")) or "inspect"
        session = text(value.get("uuid")) or self._run
        extra = {"task": self._eval.get("task"), "sample": value.get("id")}
        yield Begin(
            self._anchor, session, solver, None, model, time=self._events.first, extra=extra
        )
        messages = value.get("messages")
        for number, message in enumerate(messages if isinstance(messages, list) else ()):
            yield from self._message(mapping(message), self._at(f"/messages/{number}"))
        yield from self._usage()
        if value.get("error"):
            said = text(mapping(value["error"]).get("message")) or shown(value["error"])
            yield Mark(self._at("/error"), "error", "sample", said)
        limit = mapping(value.get("limit"))
        label = f"limit {limit.get('type')}" if limit else "sample"
        yield Mark(
            self._anchor, "end", label, time=self._events.last,
            extra={"scores": value.get("scores")},
        )  # fmt: skip
        for call_id in sorted(self._open):
            self._notes.add("unanswered", None, call_id)

    def _at(self, pointer: str) -> Anchor:
        anchor = self._anchor
        return Anchor(
            anchor.line, anchor.start, anchor.end, f"{anchor.pointer}{pointer}", anchor.file
        )

    def _message(self, message: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        role = str(message.get("role"))
        words, images = joined(message.get("content"))
        if role == "tool":
            yield from self._result(message, anchor, words, images)
            return
        source = _SOURCES.get(role, "system")
        native = text(message.get("id"))
        key = f"{self._run} {native or anchor.pointer}" if source == "agent" else None
        time = self._events.answered(native)
        model = text(message.get("model"))
        thought = _reasoning(message.get("content"))
        yield Message(anchor, source, words, thought, time, key, model=model, images=images)
        yield from self._events.usage(native, key, self._anchor)
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            item = mapping(call)
            own = text(item.get("id")) or anchor.pointer
            name = str(item.get("function"))
            call_id = self._qualified(own)
            self._open.add(call_id)
            arguments = item.get("arguments")
            given = arguments if isinstance(arguments, Mapping) else {"input": shown(arguments)}
            yield Call(anchor, call_id, name, kind_of(name), given, own, time, key)

    def _qualified(self, native: str) -> str:
        return f"{self._run}.{native}" if self._many else native

    def _result(
        self, message: Mapping[str, Any], anchor: Anchor, words: str, images: int
    ) -> Iterator[Event]:
        native = str(message.get("tool_call_id"))
        call_id = self._qualified(native)
        if call_id not in self._open:
            self._notes.add("orphan", anchor, call_id)
            return
        self._open.discard(call_id)
        error = mapping(message.get("error"))
        status: Status = "ok" if not error else "failed"
        if error.get("type") in ("approval", "permission"):
            status = "refused"
        yield Result(
            anchor, call_id, status, words or text(error.get("message")) or words,
            *self._events.ran(native), structured=dict(error) or None, images=images,
        )  # fmt: skip

    def _usage(self) -> Iterator[Event]:
        """What no message stands for: other model events, else sums; the time that was worked."""
        yield from self._events.rest(self._run, self._anchor)
        if not self._events.counted:
            for model, usage in mapping(self._value.get("model_usage")).items():
                place, key = self._at("/model_usage"), f"{self._run} {model}"
                yield replace(counts(mapping(usage), place, key, model, None), scope="run")
        worked = milliseconds(self._value.get("working_time"), 1000)
        if worked is not None:
            yield Usage(
                self._at("/working_time"), "run", None, None, None, key=self._run,
                duration_ms=worked,
            )  # fmt: skip


def _reasoning(content: Any) -> str:
    parts = content if isinstance(content, list) else ()
    found = (mapping(part) for part in parts)
    said = (part.get("reasoning") for part in found if part.get("type") == "reasoning")
    return "\n".join(words for words in said if isinstance(words, str))


def _attached(sample: Mapping[str, Any], anchor: Anchor, notes: Notes) -> Mapping[str, Any]:
    """References to attachments replaced by their texts, in messages and tool results.

    One text can be referred to again and again: up to `_LARGEST` characters are put in, in all.
    """
    left = _LARGEST
    attachments = mapping(sample.get("attachments"))
    if not attachments or _ATTACHED not in json.dumps(sample.get("messages")):
        return sample

    def put(value: Any) -> Any:
        nonlocal left
        if isinstance(value, str) and value.startswith(_ATTACHED):
            text = attachments.get(value.removeprefix(_ATTACHED), value)
            size = len(text) if isinstance(text, str) else 0
            if size > left:
                notes.add("attached", anchor, f"{size:,} characters")
                return value
            left -= size
            return text
        if isinstance(value, list):
            return [put(item) for item in value]
        if isinstance(value, dict):
            return {key: put(item) for key, item in value.items()}
        return value

    return {**sample, "messages": put(sample.get("messages"))}


DOCUMENT = Dialect("inspect-json", "Inspect AI log (.json)", "document", looks_document, InspectLog)
ARCHIVE = Dialect("inspect-eval", "Inspect AI log (.eval)", "archive", looks_archive, InspectLog)
