"""Messages of Claude logs, block by block: what streams and session files have in common.

Takes a message and what its record says around it; gives events. A message of the model is spread
over several records that share its id; a block that comes again is counted and gives no event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Mark, Message, Result
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers import claude_results as results
from benchwright.trajectory.readers.claude_calls import Calls, Seen
from benchwright.trajectory.readers.claude_denials import Denials
from benchwright.trajectory.readers.claude_usage import Answers
from benchwright.trajectory.readers.parts import joined, text
from benchwright.trajectory.tools import kind_of

AGENT = "claude-code"
SYNTHETIC_MODEL = "<synthetic>"
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_THOUGHTS = ("thinking", "redacted_thinking")
_RESULT = "tool_result"
_PROGRAM = (
    "<system-reminder>", "<local-command-stdout>", "<local-command-stderr>",
    "<local-command-caveat>", "<bash-stdout>", "<bash-stderr>", "<ide_opened_file>",
    "<ide_selection>", "<ide_diagnostics>", "<task-notification>", "<user-prompt-submit-hook>",
    "<post-tool-use-hook>", "<teammate-message", "Caveat: The messages below were generated",
)  # fmt: skip
"""What the program puts in the place of words of a person begins with one of these."""
_INTERRUPTED = "[Request interrupted by user"
_CONTINUED = "This session is being continued from a previous conversation"


@dataclass(slots=True)
class Place:
    """What a record says around its message."""

    anchor: Anchor
    below: str = ""
    """Pointer from the record to the object that holds `message`."""
    scope: int = 1
    """In which part of the log the ids hold, see `Calls`."""
    thread: str = ""
    time: str | None = None
    uuid: str | None = None
    request: str | None = None
    twin: Any = None
    """Structured twin of the result in the record."""
    synthetic: bool = False
    copied: bool = False
    refused: bool = False

    def at(self, number: int | None = None) -> Anchor:
        """The anchor of the content, or of one block of it."""
        block = "" if number is None else f"/{number}"
        where = self.anchor
        pointer = f"{where.pointer}{self.below}/message/content{block}"
        return Anchor(where.line, where.start, where.end, pointer, where.file)


class Blocks:
    """Turns messages into events; holds what was seen."""

    def __init__(self, notes: Notes, denials: Denials | None = None) -> None:
        self._notes, self._denials = notes, denials
        self._answers = Answers()
        self.calls = Calls(notes)
        self.seen = Seen()
        self.threads: set[str] = set()
        self.prompts: dict[int, str] = {}
        """Hash of a prompt that was given to a sub-agent: the call that gave it."""
        self.children: dict[str, tuple[str, Anchor]] = {}
        """Sub-agent that a result names: the call, and where."""

    def enter(self, place: Place, *, call: str | None, session: str | None) -> Iterator[Event]:
        """The beginning of a sub-agent, where the thread of a place is new."""
        if place.thread and place.thread not in self.threads:
            self.threads.add(place.thread)
            yield Begin(
                place.anchor, session, AGENT, time=place.time, thread=place.thread,
                extra={} if call is None else {"call": call},
            )  # fmt: skip

    def repeated(self, place: Place, what: str) -> bool:
        """Whether the record was there before, by its uuid and what it is; counted if so."""
        if place.uuid is None or self.seen.add(place.scope, place.uuid, what):
            return False
        self._notes.add("repeated", place.anchor, place.uuid)
        return True

    def assistant(self, message: Any, place: Place) -> Iterator[Event]:
        """Words, reasoning, calls and counts of the model."""
        fields = message if isinstance(message, dict) else {"content": message}
        model = text(fields.get("model"))
        key = None if model == SYNTHETIC_MODEL else _key(fields, place)
        blocks = self._content(fields, place)
        fresh = not blocks
        for number, block in enumerate(blocks):
            new, event = self._said(block, key, model, place, number)
            fresh = fresh or new
            if event is not None:
                yield event
        if not fresh:
            self._notes.add("repeated", place.anchor, key or place.uuid or "")
        if model != SYNTHETIC_MODEL:
            usage = self._answers.usage(place.anchor, fields, key, place.thread)
            if usage is not None:
                yield usage

    def user(self, message: Any, place: Place) -> Iterator[Event]:
        """Results of calls, then what was said, in one message."""
        fields = message if isinstance(message, dict) else {"content": message}
        blocks = self._content(fields, place)
        kinds = ["text" if isinstance(b, str) else text(b.get("type")) or "unknown" for b in blocks]
        alone = sum(kind.endswith(_RESULT) for kind in kinds) == 1
        words: list[str] = []
        images = 0
        for number, (kind, block) in enumerate(zip(kinds, blocks, strict=True)):
            if kind.endswith(_RESULT):
                result = self._result(block, place.twin if alone else None, place, number)
                if result is not None:
                    yield result
            elif isinstance(block, str) or isinstance(block.get("text"), str):
                words.append(block if isinstance(block, str) else block["text"])
            elif "image" in kind:
                images += 1
            else:
                yield self._opaque(kind, place, number)
        if words or images:
            identity = place.uuid or text(fields.get("id"))
            yield from self._heard(words, images, identity, place)

    def _content(self, message: Mapping[str, Any], place: Place) -> list[Any]:
        content = message.get("content")
        if isinstance(content, str):
            return [content] if content else []
        if not isinstance(content, list):
            self._notes.add("shape", place.anchor, f"content is {type(content).__name__}")
            return []
        good = [block for block in content if isinstance(block, (dict, str))]
        if len(good) != len(content):
            self._notes.add("shape", place.anchor, "a block is neither text nor object")
        return good

    def _said(
        self, block: Any, key: str | None, model: str | None, place: Place, number: int
    ) -> tuple[bool, Event | None]:
        """Whether a block of the model is new, and its event."""
        fields = {"type": "text", "text": block} if isinstance(block, str) else block
        kind = text(fields.get("type")) or "unknown"
        if kind in _CALLS:
            call = self._call(fields, key, place, place.at(number))
            return call is not None, call
        if kind.endswith(_RESULT):
            result = self._result(fields, None, place, number)
            return result is not None, result
        own = text(fields.get("thinking" if kind in _THOUGHTS else "text")) or ""
        identity = key or place.uuid
        sign = own or text(fields.get("signature"))
        if identity and not self.seen.add(place.scope, identity, kind, sign):
            return False, None
        if kind not in _THOUGHTS and kind != "text":
            return True, self._opaque(kind, place, number)
        if kind in _THOUGHTS and not own:
            self._notes.add("aside", place.anchor, "reasoning that is not readable")
            return True, None
        said, thought = (own, "") if kind == "text" else ("", own)
        return True, Message(
            place.at(number), "agent", said, thought, place.time, key, place.thread, model,
            synthetic=model == SYNTHETIC_MODEL, copied=place.copied,
        )  # fmt: skip

    def _call(
        self, block: Mapping[str, Any], key: str | None, place: Place, anchor: Anchor
    ) -> Call | None:
        native = text(block.get("id"))
        if native is None and place.uuid and not self.seen.add(place.uuid, anchor.pointer):
            return None
        call_id = self.calls.call(place.scope, native, key, anchor)
        if call_id is None:
            return None
        given = block.get("input")
        arguments = given if isinstance(given, dict) else {} if given is None else {"input": given}
        name = text(block.get("name")) or "unknown"
        kind = kind_of(name)
        if kind == "delegate" and isinstance(arguments.get("prompt"), str):
            self.prompts[hash(arguments["prompt"])] = call_id
        return Call(
            anchor, call_id, name, kind, arguments, native or "", place.time, key, place.thread
        )

    def _result(
        self, block: Mapping[str, Any], twin: Any, place: Place, number: int
    ) -> Result | None:
        anchor = place.at(number)
        native = text(block.get("tool_use_id"))
        again = place.uuid is not None and not self.seen.add(
            place.scope, place.uuid, "result", native or number
        )
        call_id = None if again else self.calls.result(place.scope, native, anchor)
        if call_id is None:
            self._notes.add("repeated", place.anchor, native or "")
            return None
        content = block.get("content", block.get("text"))
        told, images = joined(content)
        flag = block.get("is_error")
        code = results.exit_code(flag, told, twin)
        status = results.status_of(flag, told, twin, code)
        if place.refused or (status != "refused" and self._denied(native, place)):
            status = "refused"
        child = results.child_of(twin)
        if child is not None:
            self.children.setdefault(child, (call_id, anchor))
        child = call_id if call_id in self.threads else child
        return Result(
            anchor, call_id, status, None if content is None else told, place.time,
            results.duration_ms(twin), code, twin, images,
            results.truncated(told, twin), child,
        )  # fmt: skip

    def _denied(self, native: str | None, place: Place) -> bool:
        if native is None or self._denials is None:
            return False
        return self._denials.denied(native, place.anchor.start)

    def _heard(
        self, words: list[str], images: int, identity: str | None, place: Place
    ) -> Iterator[Event]:
        """One message for what a person said, one for each thing that the program put in."""
        if place.synthetic:
            said = [("\n".join(words), True, images)]
        else:
            said = [(word, True, 0) for word in words if word.startswith(_PROGRAM)]
            own = [word for word in words if not word.startswith(_PROGRAM)]
            if own or images:
                said.append(("\n".join(own), False, images))
        identity = place.thread or identity
        for word, made, shown in said:
            if identity and not self.seen.add(place.scope, identity, "user", word):
                self._notes.add("repeated", place.anchor, identity)
                continue
            summary = word.startswith(_CONTINUED)
            stopped = word.startswith(_INTERRUPTED)
            yield Message(
                place.at(), "user", word, time=place.time, thread=place.thread,
                synthetic=made or summary or stopped, copied=place.copied or summary, images=shown,
            )  # fmt: skip
            if stopped:
                yield Mark(place.at(), "abort", "interrupted", word, place.time, place.thread)

    def _opaque(self, kind: str, place: Place, number: int) -> Mark:
        label = f"block {kind}"
        self._notes.add("unknown", place.anchor, label)
        return Mark(place.at(number), "opaque", label, time=place.time, thread=place.thread)


def _key(message: Mapping[str, Any], place: Place) -> str | None:
    """What the records of one answer share."""
    named = [part for part in (text(message.get("id")), place.request) if part]
    key = " ".join(named) or place.uuid
    return key if key is None or place.scope == 1 else f"{key}@{place.scope}"
