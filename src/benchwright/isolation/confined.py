"""`Reader`: a child process that computes on one open file and can do nothing else.

Takes a module of the standard library's means only, an open file and limits; gives the lines and
blocks that the module writes. For data of others that no code of others comes with: before it sees
a byte, the child gives up every system call but reading, writing and memory, so that it needs no
box, starts in the time of an interpreter, and works for root and in containers alike. What comes
back is to be treated as hostile; what it means is not known here.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import IO

from benchwright.canonical import Json
from benchwright.errors import IsolationError
from benchwright.isolation.filter import reading_program

_READY = b"confined\n"
_START_S = 30.0
_CHUNK = 1 << 20
_REAP_S = 60.0
_LONGEST_WORDS = 120


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """What a reader may use."""

    memory_mb: int = 512
    """Address space, the interpreter's own 100 MB included."""
    cpu_s: int = 600
    """Of its whole life."""
    answer_s: float = 60.0
    """From asking for a line to the last block that belongs to it."""


class ReaderLost(Exception):
    """The child ended, hung or said too much; the text says which."""


@contextmanager
def confined(
    folder: Path, module: str, settings: Json, source: IO[bytes], limits: ReaderLimits
) -> Iterator[Reader]:
    """Run `module.main(settings)`, found in `folder`, with `source` as descriptor 0.

    Raises:
        IsolationError: this machine or its kernel cannot confine a process.
    """
    child = _spawn(folder, module, settings, source, limits)
    try:
        reader = Reader(child, limits)
        _await_ready(reader)
        yield reader
    finally:
        child.kill()
        child.wait(_REAP_S)
        for pipe in (child.stdout, child.stderr):
            assert pipe
            pipe.close()


class Reader:
    """The parent's end of a running child; made by `confined`."""

    def __init__(self, child: subprocess.Popen[bytes], limits: ReaderLimits) -> None:
        assert child.stdout
        self._child, self._limits, self._fd = child, limits, child.stdout.fileno()
        self._rest = bytearray()
        self._deadline = time.monotonic() + _START_S

    def line(self, most: int) -> bytes:
        """The next line without its end, of at most `most` bytes; ReaderLost if there is none."""
        self._deadline = time.monotonic() + self._limits.answer_s
        return self._line(most)

    def block(self, count: int) -> bytearray:
        """The next `count` bytes; ReaderLost if they do not come in time."""
        got = self._rest[:count]
        del self._rest[:count]
        have = len(got)
        got.extend(bytes(count - have))
        view = memoryview(got)
        while have < count:
            have += self._into(view[have:])
        return got

    def _line(self, most: int) -> bytes:
        searched = 0
        while (end := self._rest.find(b"\n", searched)) < 0:
            searched = len(self._rest)
            if searched > most:
                break
            part = bytearray(65536)
            self._rest += part[: self._into(memoryview(part))]
        if not 0 <= end <= most:
            raise ReaderLost(f"a line of more than {most} bytes came back")
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return line

    def _into(self, view: memoryview) -> int:
        left = self._deadline - time.monotonic()
        if left <= 0 or not select.select([self._fd], [], [], left)[0]:
            raise ReaderLost("no answer in time")
        count = os.readv(self._fd, [view[:_CHUNK]])
        if count == 0:
            raise ReaderLost(self._end())
        return count

    def _end(self) -> str:
        code = self._child.wait(_REAP_S)
        assert self._child.stderr
        words = os.read(self._child.stderr.fileno(), 65536).decode(errors="replace").split("\n")
        last = ([""] + [word for word in words if word.strip()])[-1].strip()[:_LONGEST_WORDS]
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        return f"the reading process ended {how}" + (f": {last}" if last else "")


def _await_ready(reader: Reader) -> None:
    try:
        said = reader.line(len(_READY))
    except ReaderLost as lost:
        raise _refused(str(lost)) from lost
    if said + b"\n" != _READY:
        raise _refused(repr(said))


def _spawn(
    folder: Path, module: str, settings: Json, source: IO[bytes], limits: ReaderLimits
) -> subprocess.Popen[bytes]:
    program = reading_program(platform.machine())
    if sys.platform != "linux" or not program:
        raise _refused(f"{sys.platform} on {platform.machine()}")
    given = {
        "folder": str(folder),
        "module": module,
        "settings": settings,
        "program": program.hex(),
        "memory": limits.memory_mb * 1024 * 1024,
        "cpu": limits.cpu_s,
    }
    text = resources.files("benchwright.isolation").joinpath("_confined_boot.py").read_text("utf-8")
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", "-c", text, json.dumps(given)],
        stdin=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )
    assert child.stdout
    with suppress(OSError):
        fcntl.fcntl(child.stdout, fcntl.F_SETPIPE_SZ, _CHUNK)
    return child


def _refused(value: str) -> IsolationError:
    return IsolationError(
        "reading cannot be confined here",
        value=value,
        where="seccomp",
        hint="Use Linux on x86-64 or aarch64 with a kernel that has seccomp filters.",
    )
