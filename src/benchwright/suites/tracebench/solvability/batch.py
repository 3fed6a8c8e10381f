"""Many runs as arrays, simulated into buffers that are used again.

Takes numbers, not recipes: a pool draws hundreds of candidates per millisecond. What it gives is
overwritten by the next call.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems import System, unknown

Series = tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int64]]
"""Samples [run, channel, row], events [run, place, (kind, row)], number of events [run]."""

NEVER = -1
"""The row of a change that does not happen."""
_PLACES = 128


class Simulator:
    """One dynamics of one system with its buffers. Not for use by two threads at once."""

    def __init__(self, system: System, dynamics: str) -> None:
        if dynamics not in system.dynamics:
            raise unknown(f"{system.name} has no such dynamics", dynamics, system.dynamics)
        self.system = system
        self._kernel = system.dynamics[dynamics]
        self._samples = np.empty((0, len(system.channels), system.rows), np.float32)
        self._events = np.empty((0, _PLACES, 2), np.int32)

    def run(self, values: NDArray[np.float64], changes: NDArray[np.int64]) -> Series:
        """Simulate values [run, before and after, variable], changed at rows `changes` [run]."""
        runs = len(values)
        if runs > len(self._samples):
            self._samples = np.empty((runs, *self._samples.shape[1:]), np.float32)
            self._events = np.empty((runs, self._events.shape[1], 2), np.int32)
        samples, events = self._samples[:runs], self._events[:runs]
        counts = self._kernel(values, changes, self.system.dt, samples, events)
        most = int(counts.max(initial=0))
        if most > events.shape[1]:
            self._events = np.empty((len(self._samples), most, 2), np.int32)
            events = self._events[:runs]
            counts = self._kernel(values, changes, self.system.dt, samples, events)
        return samples, events, counts
