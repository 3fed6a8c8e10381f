"""Gemini CLI chat recordings: one JSON document, or JSON lines with patches. facts: log_formats 6.

A call and its result stand in one object. In the lines form a message can come again, complete:
its parts that are already known are not given twice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.digests import Digests, digest
from benchwright.trajectory.events import Anchor, Begin, Call, Event, Mark, Message, Result, Usage
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.gemini_outputs import read_output
from benchwright.trajectory.readers.parts import count, joined, mapping, shown, text, total
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of

_TYPES = ("user", "gemini", "info", "error", "warning")


def looks_document(members: Mapping[str, Any]) -> bool:
    """Whether the members are those of a chat recording."""
    if members.get("type") == "gemini":
        return "content" in members
    dated = "projectHash" in members or "startTime" in members
    return dated and "messages" in members and "sessionId" in members


def looks_line(record: Mapping[str, Any]) -> bool:
    """Whether a line is the header, a message or a patch of a chat recording."""
    if record.get("type") == "gemini" or "$set" in record or "$rewindTo" in record:
        return True
    return "sessionId" in record and "projectHash" in record


class GeminiChat:
    """Keeps what was given of each message."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._begun = False
        self._header: dict[str, Any] = {}
        self._given = Digests()
        """Ids of messages that were given."""
        self._words = array("Q")
        """Of each of them the digest of its text."""
        self._calls = Digests()
        self._open: dict[str, None] = {}
        """Calls without an answer."""

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one message, or of a member of the header."""
        value, anchor = record.value, record.anchor
        pointer = anchor.pointer
        if pointer and not pointer.startswith("/messages/"):
            self._member(pointer.removeprefix("/"), value)
            return
        if not isinstance(value, Mapping):
            self._notes.add("shape", anchor)
            return
        if not pointer and ("sessionId" in value and "type" not in value):
            self._header.update(value)
            return
        if "$set" in value:
            self._header.update(mapping(value["$set"]))
            return
        yield from self._begin(anchor)
        yield from self._message(value, anchor)

    def _member(self, name: str, value: Any) -> None:
        array, slash, _ = name.partition("/")
        if slash:
            kept = self._header.get(array)
            if isinstance(kept, list):
                kept.append(value)
            else:  # a damaged document may state the member before, as something else
                self._header[array] = [value]
        else:
            self._header[name] = value

    def end(self) -> Iterator[Event]:
        """A recording without messages still begins; calls without an answer are counted.

        A document can also be one message alone.
        """
        place = Anchor(0, -1, -1)
        if self._header:
            yield from self._begin(place)
        if self._header.get("type") in _TYPES:
            yield from self._message(self._header, place)
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)

    def _begin(self, anchor: Anchor) -> Iterator[Event]:
        if not self._begun:
            self._begun = True
            head = self._header
            model = text(mapping(head.get("meta")).get("model"))
            session, start = text(head.get("sessionId")), text(head.get("startTime"))
            yield Begin(anchor, session, "gemini-cli", None, model, time=start)

    def _message(self, value: Mapping[str, Any], anchor: Anchor) -> Iterator[Event]:
        kind, time = str(value.get("type")), text(value.get("timestamp"))
        key = text(value.get("id")) or anchor.text()
        if kind not in _TYPES:
            self._notes.add("unknown", anchor, kind)
            yield Mark(anchor, "opaque", kind, time=time)
            return
        words, images = joined(value.get("content"))
        known, said = self._given.find(key), digest(words)
        if known is not None and self._words[known] == said and not value.get("toolCalls"):
            self._notes.add("repeated", anchor, key)
            return
        if kind == "gemini":
            yield from self._answer(value, anchor, key, words)
        elif kind == "user":
            if known is None:
                yield Message(anchor, "user", words, time=time, images=images)
        elif kind == "error":
            yield Mark(anchor, "error", kind, words, time)
        else:
            yield Message(anchor, "system", words, time=time, synthetic=True)
        if known is None:
            self._given.add(key)
            self._words.append(said)
        else:
            self._words[known] = said

    def _answer(
        self, value: Mapping[str, Any], anchor: Anchor, key: str, words: str
    ) -> Iterator[Event]:
        model, time = text(value.get("model")), text(value.get("timestamp"))
        if key not in self._given:
            thought = "\n".join(_thoughts(value.get("thoughts")))
            yield Message(anchor, "agent", words, thought, time, key, model=model)
        calls = value.get("toolCalls")
        for number, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, Mapping):
                yield from self._call(call, anchor, key, number)
        tokens = mapping(value.get("tokens"))
        if tokens:
            yield Usage(
                anchor,
                "step",
                count(tokens.get("input")),
                count(tokens.get("cached")),
                total(count(tokens.get("output")), count(tokens.get("thoughts"))),
                reasoning=count(tokens.get("thoughts")),
                key=key,
                model=model,
            )

    def _call(
        self, call: Mapping[str, Any], anchor: Anchor, key: str, number: int
    ) -> Iterator[Event]:
        native = text(call.get("id")) or f"{key}.{number}"
        place = Anchor(
            anchor.line, anchor.start, anchor.end, f"{anchor.pointer}/toolCalls/{number}"
        )
        name, time = str(call.get("name")), text(call.get("timestamp"))
        if self._calls.add(native):
            self._open[native] = None
            arguments = mapping(call.get("args"))
            yield Call(place, native, name, kind_of(name), arguments, native, None, key)
        answered = call.get("status") in ("success", "error", "cancelled")
        if not answered or native not in self._open:
            return
        del self._open[native]
        words, problem = _response(call.get("result"))
        found = read_output(name, words, call.get("status"), problem)
        shape = call.get("resultDisplay")
        twin = dict(shape) if isinstance(shape, Mapping) else None
        yield Result(
            place, native, found.status, found.text, time, None, found.exit_code, twin,
            wrapper=found.wrapper,
        )  # fmt: skip


def _thoughts(value: Any) -> Iterator[str]:
    for thought in value if isinstance(value, list) else ():
        part = mapping(thought)
        said = [text(part.get("subject")), text(part.get("description"))]
        yield ": ".join(word for word in said if word)


def _response(value: Any) -> tuple[str | None, str | None]:
    """Text that went back to the model, and the error in it."""
    texts: list[str] = []
    problem = None
    for part in value if isinstance(value, list) else [value]:
        response = mapping(mapping(mapping(part).get("functionResponse")).get("response"))
        if response.get("error") is not None:
            problem = shown(response["error"])
            texts.append(problem)
        elif response:
            texts.append(shown(response.get("output", dict(response))))
    return ("\n".join(texts) if texts else None), problem


DIALECT = Dialect(
    "gemini-chat", "Gemini CLI chat recording", "document", looks_document, GeminiChat
)
LINES = Dialect("gemini-chat-lines", "Gemini CLI chat, lines", "lines", looks_line, GeminiChat)
