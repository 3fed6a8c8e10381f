"""A watcher over the memory of every open box of this process, in one thread.

Limits per process do not add up to a limit per box, so the sum is watched from outside. A box over
its budget loses all its processes but the first, and says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from benchwright.errors import IsolationError
from benchwright.isolation.inhabitants import Population

_PERIOD_S = 0.05
_SCAN_S = 1.0


@dataclass(slots=True, eq=False)
class Watched:
    """One box under watch; `exceeded` counts how often it was emptied."""

    people: Population
    budget: int
    exceeded: int = 0
    hidden: int = 0
    next_scan: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> None:
        """Measure once and act; a closed or dead box is left alone."""
        if time.monotonic() >= self.next_scan:
            self._scan()
        over = self.people.resident() + self.hidden > self.budget
        if over and self.people.proportional() + self.people.unmapped() > self.budget:
            self.exceeded += 1
            self.hidden, self.next_scan = 0, 0.0
            self.people.kill_all()

    def settle(self) -> None:
        """Wait until no clearing is under way, so that a new command is not taken for an old."""
        with self.lock:
            pass

    def _scan(self) -> None:
        start = time.monotonic()
        self.hidden = self.people.unmapped()
        now = time.monotonic()
        self.next_scan = now + max(_SCAN_S, 20 * (now - start))


class _Watcher:
    """The thread and its list; started with the first box, idle without any."""

    def __init__(self) -> None:
        self._boxes: list[Watched] = []
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, box: Watched) -> None:
        with self._wake:
            self._boxes.append(box)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._loop, name="box-memory", daemon=True)
                self._thread.start()
            self._wake.notify()

    def remove(self, box: Watched) -> None:
        with self._wake:
            if box in self._boxes:
                self._boxes.remove(box)

    def _loop(self) -> None:
        while True:
            with self._wake:
                while not self._boxes:
                    self._wake.wait()
                boxes = list(self._boxes)
            for box in boxes:
                self._look(box)
            time.sleep(_PERIOD_S)

    def _look(self, box: Watched) -> None:
        with box.lock:
            if box not in self._boxes:
                return
            try:
                box.look()
            except (OSError, IsolationError):
                return


_WATCHER = _Watcher()


def watch(people: Population, budget: int) -> tuple[Watched, Callable[[], None]]:
    """Begin to watch; gives the record and the function that ends the watch before closing."""
    box = Watched(people, budget)
    if budget:
        _WATCHER.add(box)

    def end() -> None:
        _WATCHER.remove(box)
        with box.lock:
            pass

    return box, end
