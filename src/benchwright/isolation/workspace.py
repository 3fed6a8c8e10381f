"""`Workspace`: the only way in which any agent touches files and processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

from benchwright.errors import SubmissionError


@dataclass(frozen=True, slots=True)
class Completed:
    """What one command left behind. `timed_out` implies a non-zero return code."""

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False


class Workspace(Protocol):
    """A working folder and its processes; paths are relative to the folder or absolute inside."""

    async def exec(self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float) -> Completed:
        """Run a command to its end or to the time limit, which kills its whole process group."""
        ...

    async def read(self, path: str, *, limit: int) -> bytes:
        """At most `limit` bytes of a regular file; a larger file or a missing one is an error."""
        ...

    async def write(self, path: str, data: bytes) -> None:
        """Create or replace a file, with its parent folders."""
        ...


class NoWorkspace:
    """What stands for the working folder where an episode has none: every use is refused."""

    async def exec(self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float) -> Completed:
        """As `Workspace.exec`; refuses."""
        _refuse("exec")

    async def read(self, path: str, *, limit: int) -> bytes:
        """As `Workspace.read`; refuses."""
        _refuse("read")

    async def write(self, path: str, data: bytes) -> None:
        """As `Workspace.write`; refuses."""
        _refuse("write")


def _refuse(what: str) -> NoReturn:
    raise SubmissionError(
        "this episode has no working folder",
        value=what,
        where="dialogue",
        hint="Use its tools: operations, ask_operator and reply.",
    )
