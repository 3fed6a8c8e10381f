"""`Workspace` on top of any Inspect sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai.util import OutputLimitExceededError, SandboxEnvironment

from benchwright.errors import SubmissionError
from benchwright.isolation.workspace import Completed


class SandboxWorkspace:
    """Passes operations to the sandbox of the running sample."""

    def __init__(self, sandbox: SandboxEnvironment) -> None:
        self._sandbox = sandbox

    async def exec(self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float) -> Completed:
        """As `Workspace.exec`; the sandbox ends the process group at the limit."""
        try:
            done = await self._sandbox.exec(
                list(argv),
                input=stdin or None,
                timeout=max(1, round(timeout_s)),
                timeout_retry=False,
            )
        except TimeoutError:
            return Completed(124, b"", b"", timed_out=True)
        except OutputLimitExceededError as error:
            return Completed(1, (error.truncated_output or "").encode(), b"output limit reached")
        return Completed(done.returncode, done.stdout.encode(), done.stderr.encode())

    async def read(self, path: str, *, limit: int) -> bytes:
        """As `Workspace.read`."""
        try:
            data = await self._sandbox.read_file(path, text=False)
        except OutputLimitExceededError as error:
            raise _too_large(path, limit) from error
        except OSError as error:
            raise _refused(path, error) from error
        if len(data) > limit:
            raise _too_large(path, limit)
        return data

    async def write(self, path: str, data: bytes) -> None:
        """As `Workspace.write`."""
        try:
            await self._sandbox.write_file(path, data)
        except OSError as error:
            raise _refused(path, error) from error


def _refused(path: str, error: OSError) -> SubmissionError:
    return SubmissionError(
        "file cannot be read or written in the sandbox",
        value=path,
        where=type(error).__name__,
        hint="Name a regular file below the working folder.",
    )


def _too_large(path: str, limit: int) -> SubmissionError:
    return SubmissionError(
        "file is larger than the reader allows",
        value=limit,
        where=path,
        hint="Read a part of it, or raise the limit of this read.",
    )
