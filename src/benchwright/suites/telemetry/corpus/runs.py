"""Sorted runs of one stream as one, in order of time, a piece at a time.

Takes runs that can be read from any place; gives pieces that never part readings of one instant.
Runs are opened when time reaches them, so runs that follow each other are read one after the other;
memory is that of a piece, however many runs there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchwright.suites.telemetry.corpus.readings import NO_READINGS, Readings, joined, ordered

_LEAST = 1024
"""Readings that are read of a run at least."""


class Run:
    """Readings in order of time: `read(a, b)` gives those in places a up to b."""

    def __init__(self, count: int, first: int, read: Callable[[int, int], Readings]) -> None:
        self.first = first
        self._count, self._read, self._at = count, read, 0
        self._buffer = NO_READINGS

    def __len__(self) -> int:
        """Readings that are in memory."""
        return len(self._buffer)

    @property
    def more(self) -> bool:
        """Whether some are not yet in memory."""
        return self._at < self._count

    @property
    def last(self) -> int:
        """The last instant that is in memory."""
        return int(self._buffer.ts[-1])

    def fill(self, wanted: int) -> None:
        """Have `wanted` readings in memory, or all that are left."""
        if self.more and len(self) < wanted:
            end = min(self._count, self._at + wanted - len(self))
            read = self._read(self._at, end)
            self._buffer = joined([self._buffer, read]) if len(self) else read
            self._at = end

    def take(self, before: int | None) -> Readings:
        """Readings in memory before an instant, or all; they are forgotten here."""
        cut = len(self) if before is None else int(np.searchsorted(self._buffer.ts, before))
        taken = self._buffer.take(slice(None, cut))
        self._buffer = self._buffer.take(slice(cut, None))
        return taken


def in_time(runs: list[Run], size: int) -> Iterator[Readings]:
    """All readings by instant and lineage, in pieces of about `size` or less."""
    waiting = sorted(runs, key=lambda run: run.first, reverse=True)
    active: list[Run] = []
    while waiting or active:
        step = max(_LEAST, size // max(1, len(active)))
        for run in active:
            run.fill(step)
        ends = [run.last for run in active if run.more]
        ends += [run.first for run in waiting[-1:]]
        bound = min(ends, default=None)
        parts = [part for run in active if len(part := run.take(bound))]
        active = [run for run in active if len(run) or run.more]
        if parts:
            yield parts[0] if len(parts) == 1 else ordered(joined(parts))
        elif waiting and waiting[-1].first == bound:
            active.append(waiting.pop())
        else:
            _widen(active, step)


def _widen(active: list[Run], step: int) -> None:
    """Read on where one instant fills all that is in memory of a run."""
    for run in active:
        run.fill(len(run) + step)
