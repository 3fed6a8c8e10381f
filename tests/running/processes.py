"""`benchwright run` as a process of its own, and everything that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.cli.commands import START
from tests.conftest import ROOT

PATIENCE_S = 120.0


@dataclass(frozen=True)
class Ended:
    """How a process ended after its last signal."""

    code: int
    err: str
    seconds: float
    left: tuple[int, ...]
    """Descendants of the process that still run."""


def _listening() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Started:
    """A command line in its own process group, as a shell starts it."""

    def __init__(self, words: Sequence[object], env: dict[str, str] | None = None) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-c", START, *map(str, words)],
            env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
            # A shell starts what is in its background deaf to Ctrl-C, and tests inherit that.
            preexec_fn=_listening,
        )

    def wait_for(self, seen: Callable[[], bool]) -> None:
        """Until `seen`; fails when the process ends before or takes too long."""
        deadline = time.monotonic() + PATIENCE_S
        while not seen():
            assert self.child.poll() is None, self.child.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def signalled(self, *numbers: int) -> Ended:
        """Send signals to the whole group, one after the other, and wait for the end."""
        family = descendants(self.child.pid)
        for number in numbers:
            os.killpg(self.child.pid, number)
            time.sleep(0.3)
        began = time.monotonic()
        try:
            _, err = self.child.communicate(timeout=PATIENCE_S)
        finally:
            self.child.kill()
        seconds = time.monotonic() - began
        return Ended(self.child.returncode, err, seconds, self._left(family))

    def _left(self, family: dict[int, tuple[int]]) -> tuple[int, ...]:
        """What still runs two seconds later: the kernel takes a moment to end a namespace."""
        last = time.monotonic() + 2.0
        while True:
            left = tuple(pid for pid, start in family.items() if stat_of(pid)[1:] == start)
            if not left or time.monotonic() > last:
                return left
            time.sleep(0.1)


def descendants(root: int) -> dict[int, tuple[int]]:
    """Every process below `root` by number, with its start time: numbers are used again."""
    stats = {int(p.name): stat_of(int(p.name)) for p in Path("/proc").iterdir() if p.name.isdigit()}
    family, grown = {root}, -1
    while grown != len(family):
        grown = len(family)
        family |= {pid for pid, stat in stats.items() if stat and stat[0] in family}
    return {pid: (stats[pid][1],) for pid in family - {root} if stats[pid]}


def stat_of(pid: int) -> tuple[int, ...]:
    """Parent and start time of a process that is not dead; empty for any other."""
    try:
        state, parent, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ()
    return () if state in "ZX" else (int(parent), int(rest[17]))


INT, TERM = signal.SIGINT, signal.SIGTERM
