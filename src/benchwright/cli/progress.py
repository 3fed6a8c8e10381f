"""What a run is doing, on one line of a terminal's stderr; nothing anywhere else.

Inside a `timed` step it stands in the step's line and leaves that as it was.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Sequence

from benchwright.cli.output import open_step
from benchwright.episodes.model import Planned
from benchwright.running.listener import Listener, Retry
from benchwright.scoring.model import ScoreSheet

_PERIOD_S = 1.0
_STOPPING = b"\nstopping; Ctrl-C once more ends at once\n"


class RunProgress(Listener):
    """Counts episodes and retries; draws once a second, so that waiting looks like waiting."""

    def __init__(self, where: str) -> None:
        self._shown = sys.stderr.isatty()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._began = time.monotonic()
        self._total = self._done = self._retries = 0
        self._running: set[str] = set()
        self._last: tuple[Retry, float] | None = None
        self.tell(f"log in {where}")
        if self._shown:
            threading.Thread(target=self._draw_on, name="progress", daemon=True).start()

    def tell(self, line: str) -> None:
        """A line that stays, on a terminal only."""
        if self._shown:
            with self._lock:
                print(f"\r\033[K{line}\n{open_step()}", end="", file=sys.stderr, flush=True)

    def owed(self, planned: Sequence[Planned]) -> None:
        """As `Listener.owed`."""
        self._total = len(planned)

    def began(self, planned: Planned) -> None:
        """As `Listener.began`."""
        with self._lock:
            self._running.add(planned.id)

    def closed(self, planned: Planned, sheet: ScoreSheet) -> None:
        """As `Listener.closed`."""
        with self._lock:
            self._running.discard(planned.id)
            self._done += 1

    def waits(self, retry: Retry) -> None:
        """As `Listener.waits`."""
        with self._lock:
            self._retries += 1
            self._last = (retry, time.monotonic() + retry.wait_s)

    def stopping(self) -> None:
        """As `Listener.stopping`; past the buffer, in which the signal may have come."""
        if self._shown:
            os.write(2, _STOPPING)

    def end(self) -> None:
        """Clear the line."""
        self._end.set()
        if self._shown:
            with self._lock:
                print(f"\r\033[K{open_step()}", end="", file=sys.stderr, flush=True)

    def line(self) -> str:
        """The state in words."""
        with self._lock:
            parts = [f"{self._done} of {self._total} episodes finished"]
            parts.append(f"{len(self._running)} running")
            parts.append(_span(time.monotonic() - self._began))
            if self._last is not None:
                parts.append(self._waiting(*self._last))
        return ", ".join(parts)

    def _waiting(self, retry: Retry, until: float) -> str:
        left = until - time.monotonic()
        times = f"{self._retries} {'retry' if self._retries == 1 else 'retries'}"
        ahead = f", again in {left:.0f} s" if left > 0 else ""
        return f"{times} of {retry.model} (last: {retry.reason}{ahead})"

    def _draw_on(self) -> None:
        while not self._end.wait(_PERIOD_S):
            line = f"{open_step()}{self.line()}"[: shutil.get_terminal_size().columns - 1]
            with self._lock:
                if not self._end.is_set():
                    print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
