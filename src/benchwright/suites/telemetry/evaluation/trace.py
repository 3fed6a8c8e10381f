"""The record of a session as calls and replies, each reply with the phase that it answers.

The operator's state machine, hearing sentences too, is run again on what the agent said: what it
says now must be what the record says it said then, or the record is not of this script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.dialogue.model import Script
from benchwright.suites.telemetry.obligations.spans import asked_window, moment, named_streams
from benchwright.suites.telemetry.text.model import Unread
from benchwright.suites.telemetry.text.operator import TextOperator
from benchwright.tasks.session import AgentMessage, Turn

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """A call that was made; times of arguments as instants."""

    n: int
    operation: str
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any]
    streams: tuple[str, ...]
    start: int | None
    end: int | None
    at: int | None

    @property
    def handle(self) -> str | None:
        """Of its answer."""
        return self.answer.get("handle")

    @property
    def error(self) -> str | None:
        """Of a refusal."""
        return self.answer.get("error")


@dataclass(frozen=True, slots=True)
class Replied:
    """The reply that answered a phase."""

    n: int
    said: Mapping[str, Any]
    unread: Mapping[str, Unread] = field(default_factory=dict)
    """Fields that sentences mention and that cannot be read from them."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A conversation as it went."""

    calls: tuple[Made, ...]
    replies: tuple[Replied, ...]
    """By phase; as many as were answered."""
    cited: tuple[tuple[int, tuple[str, ...]], ...]
    """Exchange and handles of every message that cites any, whether it answered a turn or not."""
    revealed: Mapping[str, int]
    """Slot to the exchange that revealed it."""
    ended: str | None
    """Why the conversation ended; None where the record stops without a word."""
    strayed: int | None
    """The first exchange in which the operator said something else than the script has it say."""


def trace_of(lines: Sequence[Line], script: Script, zone: Zone, calendar: str) -> Trace:
    """Follow a record with the operator of its script."""
    operator = TextOperator(script)
    calls: list[Made] = []
    replies: list[Replied] = []
    cited: list[tuple[int, tuple[str, ...]]] = []
    revealed: dict[str, int] = {}
    ended, strayed = None, None
    for line in lines:
        n, kind = int(line["n"]), line["kind"]
        if kind == "call":
            calls.append(_made(n, line, zone, calendar))
        elif kind == "end":
            ended = str(line["reason"])
        elif kind in ("open", "ask", "reply", "say"):
            before = operator.answered
            turn = operator.step(_message(line))
            strayed = n if strayed is None and not _same(turn, line["turn"]) else strayed
            revealed |= {slot: n for slot in turn.reveals}
            heard = operator.heard
            replied = (
                Replied(n, line.get("reply") or {})
                if heard is None
                else Replied(n, heard.said, heard.unread)
            )
            if operator.answered > before:
                replies.append(replied)
            if replied.said.get("handles"):
                cited.append((n, tuple(map(str, replied.said["handles"]))))
    return Trace(tuple(calls), tuple(replies), tuple(cited), revealed, ended, strayed)


def _message(line: Line) -> AgentMessage | None:
    if line["kind"] == "open":
        return None
    if line["kind"] == "ask":
        return AgentMessage(slot=str(line["slot"]))
    if line["kind"] == "say":
        return AgentMessage(text=str(line["text"]))
    return AgentMessage(reply=line["reply"])


def _same(turn: Turn, said: Mapping[str, Any]) -> bool:
    told = (said["text"], list(said["reveals"]), said["end"])
    return (turn.text, list(turn.reveals), turn.end) == told


def _made(n: int, line: Line, zone: Zone, calendar: str) -> Made:
    operation, said, answer = line["operation"], line["arguments"], line["answer"]
    start, end = asked_window(said, zone, calendar)
    streams = named_streams(operation, said, answer)
    at = moment(said.get("timestamp"), zone)
    return Made(n, operation, said, answer, streams, start, end, at)
