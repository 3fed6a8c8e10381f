"""`Box`: a working folder and processes that can harm nothing outside; implements `Workspace`.

Takes a `BoxConfig`; gives commands and files. Knows no task. An agent that breaks its own box is
reported as IsolationError, never as success.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from benchwright.isolation.cell import Cell
from benchwright.isolation.config import WORK, BoxConfig
from benchwright.isolation.files import Fetched, checked
from benchwright.isolation.process import Ended, Limits, Stop
from benchwright.isolation.workspace import Completed

_T = TypeVar("_T")

# Threads of this pool live as long as the process, which a box needs of the thread that starts it.
_POOL = ThreadPoolExecutor(max_workers=512, thread_name_prefix="box")


@dataclass(frozen=True, slots=True)
class BoxFile:
    """A regular file in a box: path relative to the listed folder, and bytes."""

    path: str
    size: int


class Box:
    """A running sandbox. Made by `Box.start(config)` or `async with Box.open(config)`."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    @classmethod
    async def start(cls, config: BoxConfig) -> Box:
        """A new, empty box; IsolationError if isolation cannot be provided here."""
        future = _POOL.submit(Cell.start, config)
        try:
            return cls(await asyncio.shield(asyncio.wrap_future(future)))
        except (asyncio.CancelledError, GeneratorExit):  # also when the loop itself has ended
            future.add_done_callback(_close_unwanted)
            raise

    @classmethod
    @asynccontextmanager
    async def open(cls, config: BoxConfig) -> AsyncIterator[Box]:
        """`start`, and `close` at the end of the block."""
        box = await cls.start(config)
        try:
            yield box
        finally:
            await box.close()

    @property
    def alive(self) -> bool:
        """Whether the sandbox still exists."""
        return self.cell.alive

    async def exec(self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float) -> Completed:
        """Run a command in /app; output beyond 10 MiB a stream is cut and says so."""
        ended = await self.run(argv, Limits(timeout_s), stdin=stdin)
        code = ended.returncode or (124 if ended.timed_out else 0)
        return Completed(code, ended.stdout, ended.stderr, ended.timed_out)

    async def run(
        self,
        argv: Sequence[str],
        limits: Limits,
        *,
        stdin: bytes = b"",
        cwd: str = WORK,
        env: Mapping[str, str] | None = None,
    ) -> Ended:
        """As `exec`, with folder, environment and output limit; cancelling kills the command."""
        stop = Stop()
        try:
            return await in_thread(
                lambda: self.cell.run(argv, limits, stdin=stdin, cwd=cwd, env=env, stop=stop),
                stop,
            )
        finally:
            stop.close()

    async def fetch(self, path: str, *, limit: int) -> Fetched:
        """As `read`, but problems come back as a state instead of an error."""
        return await in_thread(lambda: self.cell.read(path, limit))

    async def store(self, path: str, data: bytes) -> Fetched:
        """As `write`, but problems come back as a state instead of an error."""
        return await in_thread(lambda: self.cell.write(path, data))

    async def read(self, path: str, *, limit: int) -> bytes:
        """A regular file of at most `limit` bytes; SubmissionError for anything else."""
        return checked(await self.fetch(path, limit=limit), path)

    async def write(self, path: str, data: bytes) -> None:
        """Create or replace a file, with its parent folders; SubmissionError if it cannot be."""
        checked(await self.store(path, data), path)

    async def list_files(self, folder: str = ".", *, most: int = 10_000) -> tuple[BoxFile, ...]:
        """Regular files below a folder, sorted by path; links are not followed."""
        found = await in_thread(lambda: self.cell.list_files(folder, most))
        return tuple(BoxFile(path, size) for path, size in found)

    async def read_together(self, files: Sequence[BoxFile]) -> list[bytes] | None:
        """Contents of files as `list_files` gave them, in one command; for a box at rest.

        None if any of them is not as it was listed: then each has to be read by itself.
        """
        listed = [(file.path, file.size) for file in files]
        return await in_thread(lambda: self.cell.read_together(listed))

    async def kill_all(self) -> None:
        """End every process but the first, until none is left."""
        await in_thread(self.cell.kill_all)

    async def close(self) -> None:
        """End the box; nothing of it is left anywhere."""
        await in_thread(self.cell.close)


async def in_thread(call: Callable[[], _T], stop: Stop | None = None) -> _T:
    """Run a blocking call; on cancellation ask it to stop and wait until it has.

    Where the loop itself has ended nothing can wait: the closed `stop` ends what still runs.
    """
    future = asyncio.get_running_loop().run_in_executor(_POOL, call)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if stop is not None:
            stop.set()
        await asyncio.wait([future])
        raise


def _close_unwanted(future: Future[Cell]) -> None:
    if not future.cancelled() and future.exception() is None:
        _POOL.submit(future.result().close)
