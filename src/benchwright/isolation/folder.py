"""`FolderBox`: the same interface without any isolation, for `--sandbox none`.

For the built-in agents only, whose code is ours: commands run as the user, in a temporary folder,
with a short environment and a time limit. Every record of such a run says so.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath

from benchwright.errors import SpecError, SubmissionError
from benchwright.isolation import living
from benchwright.isolation.box import BoxFile, in_thread
from benchwright.isolation.config import WORK, BoxConfig
from benchwright.isolation.files import Fetched, FileState, checked
from benchwright.isolation.inhabitants import end_all_with
from benchwright.isolation.process import Ended, Limits, Stop, run
from benchwright.isolation.workspace import Completed
from benchwright.storage import safe_join


class FolderBox:
    """A temporary folder that stands for /app. Nothing in it is confined."""

    def __init__(self, folder: Path, agent_python: str) -> None:
        self.folder = folder
        self._python = agent_python

    @classmethod
    def start(cls, config: BoxConfig | None = None) -> FolderBox:
        """A new, empty folder; of the limits none holds."""
        living.refuse_if_ended()
        folder = Path(tempfile.mkdtemp(prefix="benchwright-folder-"))
        box = cls(folder, config.agent_python if config else "")
        living.began(box)
        return box

    @classmethod
    @asynccontextmanager
    async def open(cls, config: BoxConfig | None = None) -> AsyncIterator[FolderBox]:
        """`start`, and `close` at the end of the block."""
        box = cls.start(config)
        try:
            yield box
        finally:
            await box.close()

    @property
    def alive(self) -> bool:
        """Whether the folder still exists."""
        return self.folder.is_dir()

    async def exec(self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float) -> Completed:
        """Run a command in the folder; output beyond 10 MiB a stream is cut and says so."""
        stop = Stop()
        try:
            ended = await in_thread(lambda: self._run(argv, stdin, timeout_s, stop), stop)
        finally:
            stop.close()
        code = ended.returncode or (124 if ended.timed_out else 0)
        return Completed(code, ended.stdout, ended.stderr, ended.timed_out)

    async def read(self, path: str, *, limit: int) -> bytes:
        """A regular file of at most `limit` bytes; SubmissionError for anything else."""
        state, data = _read(self._target(path), limit)
        return checked(Fetched(state, data, ""), path)

    async def write(self, path: str, data: bytes) -> None:
        """Create or replace a file, with its parent folders; SubmissionError if it cannot be."""
        target = self._target(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except OSError as error:
            state: FileState = "folder" if target.is_dir() else "failed"
            checked(Fetched(state, b"", str(error)), path)

    async def list_files(self, folder: str = ".", *, most: int = 10_000) -> tuple[BoxFile, ...]:
        """Regular files below a folder, sorted by path; links are not followed."""
        root = self._target(folder)
        files = sorted(p for p in root.rglob("*") if p.is_file() and not p.is_symlink())
        return tuple(
            BoxFile(p.relative_to(root).as_posix(), p.stat().st_size) for p in files[:most]
        )

    async def read_together(self, files: Sequence[BoxFile]) -> list[bytes] | None:
        """As `Box.read_together`."""
        found = [_read(self._target(file.path), file.size) for file in files]
        whole = all(
            state == "ok" and len(data) == file.size
            for (state, data), file in zip(found, files, strict=True)
        )
        return [data for _, data in found] if whole else None

    async def kill_all(self) -> None:
        """End the processes that carry this folder in their environment; others are not found."""
        await in_thread(lambda: end_all_with(f"HOME={self.folder}"))

    async def close(self) -> None:
        """End the commands and remove the folder."""
        living.closed(self)
        await self.kill_all()
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    def end_now(self) -> None:
        """End the commands and remove the folder, without waiting for anybody."""
        end_all_with(f"HOME={self.folder}")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, argv: Sequence[str], stdin: bytes, timeout_s: float, stop: Stop) -> Ended:
        try:
            return run(
                argv,
                Limits(timeout_s),
                stdin=stdin,
                env=self._environment(),
                cwd=self.folder,
                stop=stop,
            )
        except (OSError, ValueError) as error:
            return Ended(127, b"", f"command cannot be started: {error}\n".encode(), False, False)

    def _environment(self) -> dict[str, str]:
        host = os.environ.get("PATH", "/usr/bin:/bin")
        path = f"{self._python}/bin:{host}" if self._python else host
        folder = str(self.folder)
        quiet = {"PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8", "TZ": "UTC"}
        return {"PATH": path, "HOME": folder, "TMPDIR": folder, **quiet}

    def _target(self, path: str) -> Path:
        pure = PurePosixPath(path)
        inner = pure.relative_to(WORK) if pure.is_relative_to(WORK) else pure
        if not inner.parts:
            return self.folder
        try:
            return safe_join(self.folder, str(inner))
        except SpecError as error:
            raise SubmissionError(
                error.problem, value=path, where="working folder", hint=f"Stay below {WORK}."
            ) from error


def _read(path: Path, limit: int) -> tuple[FileState, bytes]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return "missing", b""
    except PermissionError:
        return "private", b""
    except OSError:
        return "special", b""
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        return "folder" if stat.S_ISDIR(mode) else "special", b""
    with open(handle, "rb") as file:
        data = file.read(limit + 1)
    return ("large", b"") if len(data) > limit else ("ok", data)
