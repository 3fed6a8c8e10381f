"""Many runs as arrays, simulated into buffers that are used again.

Takes numbers, not recipes: a pool draws hundreds of candidates per millisecond. What it gives is
overwritten by the next call.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems import System, unknown
from benchwright.suites.tracebench.systems.model import Timed

Floats = NDArray[np.float64]
Series = tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int64]]
"""Samples [run, channel, row], events [run, place, (kind, row)], number of events [run]."""

NEVER: Final = np.inf
"""The time of a change that does not happen."""
_PLACES: Final = 128


class Simulator:
    """One dynamics of one system with its buffers. Not for use by two threads at once."""

    def __init__(self, system: System, dynamics: str) -> None:
        if dynamics not in system.dynamics:
            raise unknown(f"{system.name} has no such dynamics", dynamics, system.dynamics)
        self.system = system
        self._dynamics = system.dynamics[dynamics]
        self._samples = np.empty((0, len(system.channels), system.rows), np.float32)
        self._events = np.empty((0, _PLACES, 2), np.int32)
        self._moments = np.empty((0, _PLACES))

    @property
    def event_driven(self) -> bool:
        """Whether events can be had without samples."""
        return isinstance(self._dynamics, Timed)

    def run(self, values: Floats, times: Floats) -> Series:
        """Simulate values [run, before and after, variable], changed at `times` [run] in s."""
        if len(values) > len(self._samples):
            shape = (len(values), *self._samples.shape[1:])
            self._samples = np.empty(shape, np.float32)
        return self._filled(self._samples[: len(values)], values, times)

    def events(self, values: Floats, times: Floats) -> Series:
        """The same without a single row; for event-driven dynamics only."""
        assert self.event_driven
        bare = np.empty((len(values), len(self.system.channels), 0), np.float32)
        return self._filled(bare, values, times)

    def _filled(self, samples: NDArray[np.float32], values: Floats, times: Floats) -> Series:
        runs = len(values)
        if runs > len(self._events):
            self._room(runs, self._events.shape[1])
        counts = self._call(samples, values, times)
        most = int(counts.max(initial=0))
        if most > self._events.shape[1]:
            self._room(len(self._events), most)
            counts = self._call(samples, values, times)
        return samples, self._events[:runs], counts

    def _room(self, runs: int, places: int) -> None:
        self._events = np.empty((runs, places, 2), np.int32)
        self._moments = np.empty((runs, places))

    def _call(
        self, samples: NDArray[np.float32], values: Floats, times: Floats
    ) -> NDArray[np.int64]:
        events, moments = self._events[: len(values)], self._moments[: len(values)]
        if isinstance(self._dynamics, Timed):
            grid = (self.system.rate_hz, self.system.rows)
            return self._dynamics.kernel(values, times, grid, samples, events, moments)
        rows = np.searchsorted(self.system.times, times, side="left")
        rows[np.isinf(times)] = -1
        return self._dynamics(values, rows, self.system.dt, samples, events)
