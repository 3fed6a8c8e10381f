"""The processes of a box as the host sees them: who they are, what they hold, and their end.

Takes the host number of a box's first process; gives pids and bytes. Everything goes through
`/proc` and process descriptors, so a number that was used again meanwhile is never hit.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from benchwright.errors import IsolationError

MARK = "_BOX_COMMAND"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Inhabitant:
    """One process of a box, by its host number."""

    pid: int
    parent: int
    group: int
    session: int
    state: str


class Population:
    """All processes in the process namespace of `init`; holds two descriptors until closed."""

    def __init__(self, init: int) -> None:
        self.init = init
        self._sweeping = threading.Lock()
        self._namespace = os.stat(f"/proc/{init}/ns/pid").st_ino
        self._init_fd = os.pidfd_open(init)
        self._proc = os.open(f"/proc/{init}/root/proc", os.O_PATH | os.O_DIRECTORY)

    def close(self) -> None:
        """Give the descriptors back."""
        os.close(self._init_fd)
        os.close(self._proc)
        self._init_fd = self._proc = -1

    @property
    def alive(self) -> bool:
        """Whether the first process, and with it the box, still exists and is not ending.

        An ending first process gives up its memory before the kernel ends the others, so a command
        that died with its box always finds this false.
        """
        try:
            gone = bool(select.select([self._init_fd], [], [], 0)[0])
        except (OSError, ValueError):
            return False
        return not gone and any(self._numbers_in("1/statm"))

    def members(self) -> list[Inhabitant]:
        """Everyone but the first process and the dead, as of now."""
        found = (self._member(int(name)) for name in os.listdir("/proc") if name.isdigit())
        return [who for who in found if who is not None and who.state not in "ZX"]

    def kill_all(self) -> None:
        """End everyone but the first process, until none is left; at last the box itself.

        Each is first forbidden to fork and only then killed, so a program that forks without end
        cannot outrun the sweep. The first process rests meanwhile: it would start its own child
        anew after each sweep, and a busy machine would never see the box empty.
        """
        with self._at_rest():
            self._kill(lambda everyone: everyone)

    def kill_command(self, mark: str, leader: int) -> None:
        """End one command with its children, whatever session they moved to.

        `leader` is the host number of the process that entered; `mark` was put in its environment.
        """
        self._kill(lambda everyone: list(_family(everyone, mark, leader)))

    def end(self) -> None:
        """End the first process; the kernel then ends all others."""
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._init_fd, signal.SIGKILL)

    def resident(self) -> int:
        """Bytes resident in all processes of the box; shared pages count once per process."""
        return sum(self._each("statm", lambda text: int(text.split()[1]) * _PAGE))

    def proportional(self) -> int:
        """Bytes of all processes with shared pages divided among them; slower than `resident`."""
        return sum(self._each("smaps_rollup", _pss))

    def unmapped(self) -> int:
        """Bytes that the kernel holds for open memory files, and at most for open sockets."""
        sizes: dict[str, int] = {}
        for number in self._numbers():
            for name in self._list(f"{number}/fd"):
                with contextlib.suppress(OSError):
                    self._weigh(f"{number}/fd/{name}", sizes)
        return sum(sizes.values())

    def _weigh(self, entry: str, sizes: dict[str, int]) -> None:
        target = os.readlink(entry, dir_fd=self._proc)
        if target.startswith("socket:"):
            sizes[target] = _socket_bytes()
        elif target.startswith("/memfd:"):
            status = os.stat(entry, dir_fd=self._proc)
            sizes[f"{status.st_dev} {status.st_ino}"] = status.st_blocks * 512

    def _numbers(self) -> list[str]:
        return [name for name in self._list(".") if name.isdigit()]

    def _list(self, folder: str) -> list[str]:
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY, dir_fd=self._proc)
            try:
                return os.listdir(handle)
            finally:
                os.close(handle)
        return []

    def _each(self, file: str, read: Callable[[bytes], int]) -> Iterator[int]:
        for number in self._numbers():
            with contextlib.suppress(OSError, IndexError, ValueError, StopIteration):
                yield read(self._text(f"{number}/{file}"))

    def _text(self, path: str) -> bytes:
        handle = os.open(path, os.O_RDONLY, dir_fd=self._proc)
        try:
            return os.read(handle, 4096)
        finally:
            os.close(handle)

    def _numbers_in(self, path: str) -> list[int]:
        try:
            return [int(word) for word in self._text(path).split()]
        except OSError:
            return []

    def _member(self, pid: int) -> Inhabitant | None:
        try:
            if pid == self.init or os.stat(f"/proc/{pid}/ns/pid").st_ino != self._namespace:
                return None
            with open(f"/proc/{pid}/stat", "rb") as file:
                state, parent, group, session = file.read().rpartition(b")")[2].split()[:4]
        except OSError:
            return None
        return Inhabitant(pid, int(parent), int(group), int(session), state.decode())

    def _kill(self, choose: Callable[[list[Inhabitant]], list[Inhabitant]]) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        barren: set[int] = set()
        while time.monotonic() < deadline and self.alive:
            chosen = choose(self.members())
            if not chosen:
                return
            fresh = [who for who in chosen if who.pid not in barren]
            for who in fresh:
                self._act(who, lambda pid, _: resource.prlimit(pid, resource.RLIMIT_NPROC, (0, 0)))
            barren |= {who.pid for who in fresh}
            if not fresh:
                for who in chosen:
                    self._act(who, lambda _, fd: signal.pidfd_send_signal(fd, signal.SIGKILL))
                time.sleep(0.001)
        if self.alive:
            self.end()
            raise IsolationError(
                "processes of the sandbox could not be ended",
                value=len(self.members()),
                where=f"within {_PATIENCE_S:.0f} s",
                hint="The sandbox was ended as a whole; run the episode again.",
            )

    @contextmanager
    def _at_rest(self) -> Iterator[None]:
        """The first process is stopped; one sweep at a time, so that none wakes it for another."""
        with self._sweeping:
            self._tell_first(signal.SIGSTOP)
            try:
                yield
            finally:
                self._tell_first(signal.SIGCONT)

    def _tell_first(self, number: int) -> None:
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._init_fd, number)

    def _act(self, who: Inhabitant, action: Callable[[int, int], object]) -> None:
        """Do something to a process that is surely still one of the box."""
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(who.pid)
            try:
                if os.stat(f"/proc/{who.pid}/ns/pid").st_ino == self._namespace:
                    action(who.pid, handle)
            finally:
                os.close(handle)


def end_all_with(entry: str) -> None:
    """Kill every process of this user that was started with `entry` in its environment."""
    for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            try:
                if entry.encode() in _environ(pid):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
            finally:
                os.close(handle)


def _family(everyone: list[Inhabitant], mark: str, leader: int) -> Iterator[Inhabitant]:
    wanted = f"{MARK}={mark}".encode()
    kin = {leader}
    grown = -1
    while grown != len(kin):
        grown = len(kin)
        kin |= {who.pid for who in everyone if kin & {who.parent, who.group, who.session}}
    for who in everyone:
        if who.pid in kin or wanted in _environ(who.pid):
            yield who


def _environ(pid: int) -> list[bytes]:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read(1 << 20).split(b"\0")
    except OSError:
        return []


@cache
def _socket_bytes() -> int:
    """Most bytes that wait unread in one socket; a box cannot raise it."""
    try:
        with open("/proc/sys/net/core/wmem_default", "rb") as file:
            return int(file.read())
    except OSError:
        return 212_992


def _pss(text: bytes) -> int:
    line = next(part for part in text.splitlines() if part.startswith(b"Pss:"))
    return int(line.split()[1]) * 1024
