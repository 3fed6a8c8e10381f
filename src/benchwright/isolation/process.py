"""One child process, bounded: time, bytes of output, bytes of input in memory.

Takes an argument list; gives an `Ended`. Knows no box. Output above the limit is cut with a note;
a process that goes on printing far beyond it is stopped.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

_CHUNK = 1 << 18
_FLOOD = 256 * 1024 * 1024
_LINGER_S = 0.5
_REAP_S = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one command may use."""

    timeout_s: float
    output: int = 10 * 1024 * 1024
    """Bytes kept of stdout and of stderr, each."""


class Ended(NamedTuple):
    """How a command ended. A return code below 0 has become 128 + signal, as in a shell."""

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    cut: bool
    """Output was longer than the limit; what is kept is its beginning."""


class Stop:
    """Lets another thread end a command early, also one that has not started yet."""

    def __init__(self) -> None:
        self._fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._closed = False
        self._lock = threading.Lock()

    def set(self) -> None:
        """Ask for the end; may be called once or often, from any thread."""
        with self._lock:
            if not self._closed:
                os.eventfd_write(self._fd, 1)

    def watched(self) -> int:
        """A descriptor of the caller's own, readable once the end is asked for, also by `close`."""
        with self._lock:
            if self._closed:
                return os.eventfd(1, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            return os.dup(self._fd)

    def close(self) -> None:
        """Give the descriptor back: whoever asked is gone, and what still runs for it ends."""
        self.set()
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._fd)


@dataclass(slots=True)
class _Stream:
    limit: int
    kept: bytearray = field(default_factory=bytearray)
    seen: int = 0

    def take(self, data: bytes) -> None:
        self.seen += len(data)
        self.kept += data[: max(0, self.limit - len(self.kept))]

    def result(self) -> bytes:
        if self.seen <= self.limit:
            return bytes(self.kept)
        note = f"\n[output cut here: only the first {self.limit} bytes are kept]\n"
        return bytes(self.kept) + note.encode()


def run(
    argv: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    env: Mapping[str, str],
    cwd: Path | None = None,
    kill: Callable[[int], None] | None = None,
    stop: Stop | None = None,
) -> Ended:
    """Run to the end of the command, the time limit or `stop`; then `kill(pid)` must leave nothing.

    The process group is killed in any case. A background child that keeps the output open is
    waited for half a second after the command itself has ended.
    """
    child = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(env),
        cwd=cwd,
        start_new_session=True,
    )
    talk = _Talk(child, limits, stdin)
    try:
        talk.listen(stop)
        complete = talk.until_done()
    except BaseException:
        _end(child, kill)
        child.wait(_REAP_S)
        raise
    finally:
        talk.close()
    if not complete:
        _end(child, kill)
    code = child.wait(_REAP_S)
    out, err = talk.streams
    return Ended(
        code if code >= 0 else 128 - code,
        out.result(),
        err.result(),
        talk.timed_out,
        out.seen > out.limit or err.seen > err.limit,
    )


class _Talk:
    """Feeds stdin and drains both outputs without blocking."""

    def __init__(self, child: subprocess.Popen[bytes], limits: Limits, stdin: bytes) -> None:
        self.child, self.limits, self.rest = child, limits, memoryview(stdin)
        self.streams = (_Stream(limits.output), _Stream(limits.output))
        self.timed_out = False
        self.deadline = time.monotonic() + limits.timeout_s
        self.own = contextlib.ExitStack()
        self.open = 2

    def listen(self, stop: Stop | None) -> None:
        """Open what has to be watched; what was opened before a failure is closed by `close`."""
        child = self.child
        assert child.stdin and child.stdout and child.stderr
        self.selector = self.own.enter_context(selectors.DefaultSelector())
        self.exit_fd = os.pidfd_open(child.pid)
        self.own.callback(os.close, self.exit_fd)
        self.selector.register(self.exit_fd, selectors.EVENT_READ, "exit")
        if stop is not None:
            asked = stop.watched()
            self.own.callback(os.close, asked)
            self.selector.register(asked, selectors.EVENT_READ, "stop")
        for pipe, stream in zip((child.stdout, child.stderr), self.streams, strict=True):
            self.selector.register(pipe, selectors.EVENT_READ, stream)
        os.set_blocking(child.stdin.fileno(), False)
        self.selector.register(child.stdin, selectors.EVENT_WRITE, "stdin")

    def until_done(self) -> bool:
        """True when the command has ended by itself; False when it must be killed."""
        exited = False
        while not (exited and self.open == 0):
            left = self.deadline - time.monotonic()
            if left <= 0:
                self.timed_out = not exited
                return exited
            for key, _ in self.selector.select(left):
                if key.data == "stop":
                    return False
                if key.data == "exit":
                    exited = True
                    self.selector.unregister(self.exit_fd)
                    self.deadline = min(self.deadline, time.monotonic() + _LINGER_S)
                elif not self._move(key):
                    return False
        return True

    def close(self) -> None:
        """Close every descriptor of ours."""
        self.own.close()
        for pipe in (self.child.stdin, self.child.stdout, self.child.stderr):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _move(self, key: selectors.SelectorKey) -> bool:
        if key.data == "stdin":
            self._feed()
            return True
        stream: _Stream = key.data
        data = os.read(key.fd, _CHUNK)
        if not data:
            self.selector.unregister(key.fileobj)
            self.open -= 1
        stream.take(data)
        return stream.seen <= max(_FLOOD, 4 * stream.limit)

    def _feed(self) -> None:
        assert self.child.stdin
        try:
            if self.rest:
                self.rest = self.rest[os.write(self.child.stdin.fileno(), self.rest[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            self.rest = self.rest[:0]
        if not self.rest:
            self.selector.unregister(self.child.stdin)
            with contextlib.suppress(OSError):
                self.child.stdin.close()


def _end(child: subprocess.Popen[bytes], kill: Callable[[int], None] | None) -> None:
    if kill is not None:
        kill(child.pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
