"""A workspace that remembers what was done through it: the trajectory of built-in agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchwright.isolation.workspace import Completed, Workspace

_SHOWN = 4000
"""Characters of any one text that a trajectory keeps of a built-in agent's action."""


@dataclass(frozen=True, slots=True)
class Action:
    """One operation on the workspace with its outcome as text."""

    name: str
    arguments: dict[str, str]
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

    def _note(self, name: str, arguments: dict[str, str], result: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.actions.append(Action(name, arguments, result, now))


def _cut(text: str) -> str:
    rest = len(text) - _SHOWN
    return text if rest <= 0 else f"{text[:_SHOWN]}... [{rest} more characters]"
