"""`Desk`: one episode's operator and operations, with every exchange noted and every limit kept.

All agents act through it, whatever shell carries its tools. Nothing that an agent says raises: what
cannot be used is answered with the reason. What operator or operations raise ends the conversation
and is nobody's fault among the agents.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from benchwright.canonical import Json, canonical_json, readable
from benchwright.episodes.model import Owner
from benchwright.episodes.session import (
    SESSION_FILE,
    Asked,
    Bad,
    Called,
    Ended,
    EndReason,
    Exchange,
    Opened,
    Replied,
    Said,
    session_bytes,
)
from benchwright.errors import FormatError, TaskSetError
from benchwright.storage import explain, write_bytes
from benchwright.storage.records import strictly
from benchwright.tasks.session import AgentMessage, BadArguments, Over, Session, Turn

ASK, REPLY, SAY = "ask_operator", "reply", "say"
LARGEST = 64 * 1024
"""Bytes of one message, as canonical JSON."""

_OVER = Turn(Over().message, (), True)


class Ask(BaseModel):
    """Asks the operator for one detail that the request leaves open."""

    model_config = ConfigDict(extra="forbid")
    slot: str


class Say(BaseModel):
    """Says something to the operator in your own words."""

    model_config = ConfigDict(extra="forbid")
    text: str


class Desk:
    """Opened once by the runner; `told` hears of every exchange as it is noted."""

    def __init__(self, session: Session, told: Callable[[Exchange], None] | None = None) -> None:
        self.session = session
        self.told = told
        self.reason: EndReason | None = None
        """Why it ended; None while it goes on."""
        self.failure: tuple[Owner, str] | None = None
        """Whose fault it is that the conversation broke, and why."""
        self._operations = {operation.name: operation for operation in session.operations}
        self._messages: dict[str, type[BaseModel]] = {}
        if not session.only_text:
            self._messages |= {ASK: Ask, REPLY: session.reply}
        if session.text or session.only_text:
            self._messages[SAY] = Say
        self._noted: list[Exchange] = []
        self._left = {"turns": session.turns, "calls": session.calls}
        self._after = 0
        _refuse_twice([*self._messages, *(o.name for o in session.operations)])

    @property
    def over(self) -> bool:
        """Whether the conversation has ended."""
        return self.reason is not None

    @property
    def messages(self) -> Mapping[str, type[BaseModel]]:
        """The tools that speak to the operator, with their arguments."""
        return self._messages

    def open(self) -> Turn:
        """The operator's first turn; asked again, the same one."""
        if self._noted:
            assert isinstance(self._noted[0], Opened)
            return self._noted[0].turn
        turn = self._stepped(None)
        self._note(Opened(0, turn))
        return turn

    def ask(self, slot: object) -> Turn:
        """Ask for one detail; a name that nobody knows is the operator's to answer."""
        return self.speak(ASK, {"slot": slot})

    def reply(self, arguments: object) -> Turn:
        """Reply with these arguments."""
        return self.speak(REPLY, arguments)

    def say(self, text: object) -> Turn:
        """Say something in words, to an operator who hears them."""
        return self.speak(SAY, {"text": text})

    def speak(self, tool: str, arguments: object) -> Turn:
        """Any message to the operator, by the name of its tool and the tool's arguments."""
        kind = self._messages.get(tool)
        if kind is None:
            return self.refuse(tool, arguments, f"No such tool: {tool[:100]!r}.")
        try:
            _, said = usable(kind, arguments, tool)
        except ValueError as error:
            return self.refuse(tool, arguments, str(error))
        if not self._admits("turns"):
            return _OVER
        n = len(self._noted)
        if tool == ASK:
            turn = self._stepped(AgentMessage(slot=said["slot"]))
            self._note(Asked(n, said["slot"], turn))
        elif tool == SAY:
            turn = self._stepped(AgentMessage(text=said["text"]))
            self._note(Said(n, said["text"], turn))
        else:
            turn = self._stepped(AgentMessage(reply=said))
            self._note(Replied(n, said, turn))
        return turn

    def call(self, name: str, arguments: object) -> BaseModel:
        """What an operation answers; `BadArguments` and `Over` where it was not called."""
        operation = self._operations.get(name)
        if operation is None:
            return self._bad_call(name, arguments, f"No such operation: {name[:100]!r}.")
        try:
            given, said = usable(operation.arguments, arguments, name)
        except ValueError as error:
            return self._bad_call(name, arguments, str(error))
        if not self._admits("calls"):
            return Over()
        try:
            answer = operation.call(given)
            plain = _plain(answer.model_dump(mode="json"))
        except Exception as error:
            self._break("task", f"{name}: {type(error).__name__}: {error}")
            return Over()
        self._note(Called(len(self._noted), name, said, plain))
        return answer

    def refuse(self, tool: str, arguments: object, message: str) -> Turn:
        """Note what could not be used, and answer why.

        It counts as a message where its tool speaks to the operator, and as a call elsewhere.
        """
        if not self._admits("turns" if tool in self._messages else "calls"):
            return _OVER
        message = str(readable(message))
        try:
            kept = _plain(arguments) if _size(arguments) <= LARGEST else None
        except FormatError:
            kept = None
        self._note(Bad(len(self._noted), str(readable(tool[:100])), kept, message))
        return Turn(message, (), False)

    def exchanges(self) -> tuple[Exchange, ...]:
        """Everything noted, and the end; where nothing else ended it, the agent did."""
        ended = Ended(len(self._noted), self.reason or "agent", self._after)
        return (*self._noted, ended)

    def keep(self, folder: Path) -> None:
        """Write the record of the conversation into the folder of its episode."""
        write_bytes(folder / SESSION_FILE, session_bytes(self.exchanges()))

    def _bad_call(self, name: str, arguments: object, message: str) -> BaseModel:
        turn = self.refuse(name, arguments, message)
        return Over() if self.over else BadArguments(message=turn.text)

    def _admits(self, what: EndReason) -> bool:
        if self.reason is None and not self._left[what]:
            self.reason = what
        if self.reason is not None:
            self._after += 1
            return False
        self._left[what] -= 1
        return True

    def _stepped(self, message: AgentMessage | None) -> Turn:
        """The operator's turn; where it breaks, the last one."""
        try:
            turn = self.session.operator.step(message)
            canonical_json(turn)
        except Exception as error:
            self._break("operator", f"{type(error).__name__}: {error}")
            return _OVER
        if turn.end:
            self.reason = "operator"
        return turn

    def _break(self, owner: Owner, why: str) -> None:
        self.reason, self.failure = "error", (owner, str(readable(why)))

    def _note(self, exchange: Exchange) -> None:
        self._noted.append(exchange)
        if self.told is not None:
            self.told(exchange)


def usable(kind: type[BaseModel], arguments: object, tool: str) -> tuple[BaseModel, dict[str, Any]]:
    """Arguments as `kind`, and in the canonical form that they were read from and are kept in.

    Raises:
        ValueError: they cannot be used; the text says why.
    """
    try:
        size = _size(arguments)
        if size > LARGEST:
            raise ValueError(f"{tool}: {size} bytes are too long, the most is {LARGEST}.")
        plain = _plain(arguments)
        return strictly(kind, plain), plain
    except FormatError as error:
        raise ValueError(f"{tool}: {error}") from error
    except ValidationError as error:
        raise ValueError(str(explain(error, kind, tool))) from error


def _size(arguments: object) -> int:
    return len(canonical_json(arguments))


def _plain(arguments: object) -> Any:
    plain: Json = json.loads(canonical_json(arguments))
    return plain


def _refuse_twice(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise TaskSetError(
                "two tools of one episode have one name",
                value=name,
                where="session",
                hint="Give every operation a name of its own.",
            )
