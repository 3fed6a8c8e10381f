"""`Cell`: one started box, driven by blocking calls from any thread.

Takes a `BoxConfig`; gives commands, files, an end. One bwrap process lives as long as the cell and
dies with the host process; nothing is left on the host's disk. `box.Box` is its asynchronous face.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, count

from benchwright.errors import IsolationError
from benchwright.isolation import bwrap, living
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.config import WORK, BoxConfig, environment
from benchwright.isolation.files import (
    LIST,
    READ,
    TOGETHER,
    WRITE,
    Fetched,
    outcome,
    said,
)
from benchwright.isolation.inhabitants import MARK, Population
from benchwright.isolation.process import Ended, Limits, Stop, run
from benchwright.isolation.start import reap, start
from benchwright.isolation.watch import watch

_ADMIN_S = 30.0
_FILE_S = 60.0
_MARKS = count(1)


class Cell:
    """A running box. Not made directly: `Cell.start(config)`."""

    def __init__(self, config: BoxConfig, child: subprocess.Popen[bytes], init: int) -> None:
        self.config = config
        self._child = child
        self.init = init
        self.people = Population(init)
        self._watched, self._unwatch = watch(self.people, config.memory_mb * 1024 * 1024)
        self._enter = bwrap.enter(init)
        self._confine = bwrap.confine(config)
        self._closed = False
        self._name = os.urandom(4).hex()

    @classmethod
    def start(cls, config: BoxConfig) -> Cell:
        """Start and furnish a box; IsolationError with the reason if isolation cannot be had.

        The calling thread must outlive the cell: the kernel ends the box with that thread.
        """
        living.refuse_if_ended()
        if not config.agent_python:
            config = replace(config, agent_python=str(ensure_agent_python().root))
        cell = cls(config, *start(config))
        try:
            living.began(cell)
            cell.administer(bwrap.furnish_script(config))
        except BaseException:
            cell.close()
            raise
        return cell

    @property
    def alive(self) -> bool:
        """Whether the box still exists."""
        return not self._closed and self.people.alive

    @property
    def memory_kills(self) -> int:
        """How often the box went over its memory budget and lost its processes."""
        return self._watched.exceeded

    def run(
        self,
        argv: Sequence[str],
        limits: Limits,
        *,
        stdin: bytes = b"",
        cwd: str = WORK,
        env: Mapping[str, str] | None = None,
        stop: Stop | None = None,
    ) -> Ended:
        """One command inside, under every limit; IsolationError if the box does not outlive it."""
        self._require()
        self._watched.settle()
        kills = self.memory_kills
        mark = f"{self._name}.{next(_MARKS)}"
        command = self.command(argv, cwd=cwd, env={**(env or {}), MARK: mark})
        try:
            ended = run(
                command,
                limits,
                stdin=stdin,
                env=bwrap.clean_env(),
                kill=lambda leader: self.people.kill_command(mark, leader),
                stop=stop,
            )
        except (OSError, ValueError) as error:
            return Ended(126, b"", f"command cannot be started: {error}\n".encode(), False, False)
        self._require()
        if self.memory_kills > kills:
            return ended._replace(stderr=ended.stderr + self._memory_note())
        return ended

    def command(
        self, argv: Sequence[str], *, cwd: str = WORK, env: Mapping[str, str] | None = None
    ) -> list[str]:
        """The host's argument list that runs `argv` inside under every limit."""
        values = {**environment(self.config), **(env or {})}
        pairs = [f"{key}={value}" for key, value in values.items()]
        folder = posixpath.join(WORK, cwd)
        inside = ["/usr/bin/env", "-i", "-C", folder, *pairs]
        return [*self._enter, *self._confine, *inside, *argv]

    def read(self, path: str, limit: int) -> Fetched:
        """At most `limit` bytes of a regular file, as seen from inside."""
        done = self._file_command(READ, path, str(limit + 1), output=limit + 1)
        return outcome(done, limit)

    def write(self, path: str, data: bytes) -> Fetched:
        """Create or replace a file, with its parent folders."""
        done = self._file_command(WRITE, path, stdin=data)
        return outcome(done)

    def list_files(self, folder: str, most: int) -> list[tuple[str, int]]:
        """Regular files below a folder, at most `most`: (relative path, bytes), sorted."""
        done = self._file_command(LIST, folder, output=most * 512)
        entries = done.stdout.split(b"\0")[:-1][:most]
        pairs = [entry.partition(b" ") for entry in entries]
        return sorted((_name(name), int(size)) for size, _, name in pairs)

    def read_together(self, files: Sequence[tuple[str, int]]) -> list[bytes] | None:
        """Contents of listed files (path below /app, bytes); None unless each has that size."""
        names = b"".join(path.encode() + b"\0" for path, _ in files)
        total = sum(size for _, size in files)
        done = self._file_command(TOGETHER, ".", stdin=names, output=total + 1)
        if done.returncode != 0 or len(done.stdout) != total:
            return None
        ends = list(accumulate(size for _, size in files))
        return [done.stdout[end - size : end] for (_, size), end in zip(files, ends, strict=True)]

    def administer(self, script: str) -> None:
        """Shell text inside with the capabilities of the box's owner; never an agent's words."""
        command = [*self._enter, "/bin/sh", "-c", script]
        done = run(command, Limits(_ADMIN_S), env=bwrap.clean_env())
        if done.returncode != 0:
            raise IsolationError(
                "sandbox could not be furnished",
                value=said(done),
                where="bwrap",
                hint="Check that user namespaces and tmpfs mounts inside them are allowed.",
            )

    def kill_all(self) -> None:
        """End every process of the box but the first; IsolationError if the box is gone."""
        self._require()
        self.people.kill_all()
        self._require()

    def close(self) -> None:
        """End the box. May be called twice."""
        if self._closed:
            return
        self._closed = True
        living.closed(self)
        self._unwatch()
        self.people.end()
        reap(self._child)
        self.people.close()

    def end_now(self) -> None:
        """End every process of the box without waiting; `close` is still owed."""
        self.people.end()

    def _file_command(
        self, script: str, path: str, *more: str, stdin: bytes = b"", output: int = 4096
    ) -> Ended:
        target = posixpath.join(WORK, path)
        argv = ["/bin/sh", "-c", script, "sh", target, *more]
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
        return self.run(argv, Limits(_FILE_S, output), stdin=stdin, cwd="/", env=env)

    def _memory_note(self) -> bytes:
        budget = self.config.memory_mb
        return f"\n[sandbox over its {budget} MB of memory: all processes were ended]\n".encode()

    def _require(self) -> None:
        if not self.alive:
            raise IsolationError(
                "sandbox ended before its episode",
                value=f"process {self.init}",
                where="bwrap",
                hint="Something inside or outside ended it; run the episode again.",
            )


def _name(raw: bytes) -> str:
    """A file name as text; bytes that are no UTF-8 are written out and name no file any more."""
    return raw.decode(errors="backslashreplace")
