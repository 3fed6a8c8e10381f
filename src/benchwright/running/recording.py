"""What built-in agents did, through their workspace or desk: their trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchwright.canonical import Json, canonical_json
from benchwright.episodes.session import (
    Asked,
    Bad,
    Called,
    Exchange,
    Replied,
    Said,
)
from benchwright.isolation.workspace import Completed, Workspace
from benchwright.running.desk import ASK, REPLY, SAY
from benchwright.running.desk_tools import shown

_SHOWN = 4000
"""Characters of any one text that a trajectory keeps of a built-in agent's action."""


@dataclass(frozen=True, slots=True)
class Action:
    """One operation on the workspace, or one exchange, with its outcome as text."""

    name: str
    arguments: Mapping[str, Json]
    result: str
    timestamp: str


class RecordingWorkspace:
    """Passes everything on and keeps a list of actions; a refused operation is recorded too."""

    def __init__(self, box: Workspace) -> None:
        self._box = box
        self.actions: list[Action] = []

    async def exec(self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float) -> Completed:
        """As `Workspace.exec`."""
        arguments = {"command": _cut(" ".join(argv))}
        try:
            done = await self._box.exec(argv, stdin=stdin, timeout_s=timeout_s)
        except Exception as error:
            self._note("exec", arguments, f"{type(error).__name__}: {error}")
            raise
        output = (done.stdout + done.stderr).decode(errors="replace")
        end = "time limit" if done.timed_out else f"exit code {done.returncode}"
        self._note("exec", arguments, f"{_cut(output)}\n[{end}]".lstrip())
        return done

    async def read(self, path: str, *, limit: int) -> bytes:
        """As `Workspace.read`."""
        try:
            data = await self._box.read(path, limit=limit)
        except Exception as error:
            self._note("read", {"path": path}, f"{type(error).__name__}: {error}")
            raise
        self._note("read", {"path": path}, f"[{len(data)} bytes]")
        return data

    async def write(self, path: str, data: bytes) -> None:
        """As `Workspace.write`."""
        arguments = {"path": path, "content": _cut(data.decode(errors="replace"))}
        try:
            await self._box.write(path, data)
        except Exception as error:
            self._note("write", arguments, f"{type(error).__name__}: {error}")
            raise
        self._note("write", arguments, f"[{len(data)} bytes written]")

    def note_exchange(self, exchange: Exchange) -> None:
        """What was said to the operator, or asked of an operation, stands among the actions."""
        match exchange:
            case Called():
                answer = canonical_json(exchange.answer).decode()
                self._note(exchange.operation, exchange.arguments, answer)
            case Asked():
                self._note(ASK, {"slot": exchange.slot}, shown(exchange.turn))
            case Replied():
                self._note(REPLY, exchange.reply, shown(exchange.turn))
            case Said():
                self._note(SAY, {"text": exchange.text}, shown(exchange.turn))
            case Bad():
                self._note(exchange.tool, {"arguments": exchange.arguments}, exchange.message)

    def _note(self, name: str, arguments: Mapping[str, Json], result: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.actions.append(Action(name, arguments, result, now))


def _cut(text: str) -> str:
    rest = len(text) - _SHOWN
    return text if rest <= 0 else f"{text[:_SHOWN]}... [{rest} more characters]"
