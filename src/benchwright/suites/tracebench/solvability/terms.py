"""The noise coefficients of a system as arrays, for compiled loops. Knows no run."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems import EventKind, System, get_system

IMPACTS: Final = (
    EventKind.IMPACT,
    EventKind.IMPACT_LEFT,
    EventKind.IMPACT_RIGHT,
    EventKind.SETTLE,
    EventKind.SETTLE_LEFT,
    EventKind.SETTLE_RIGHT,
)
"""What the 30 ms windows of an impulse channel lie around; coming to rest is an impact."""
IMPULSE_S: Final = 0.030
_ON_GRID: Final = 1e-9


class Terms(NamedTuple):
    """What a ratio needs to know of a system."""

    sizes: NDArray[np.float64]
    """[channel, 9]: base, hetero, drift, event, post_event, bias, quantiser floor and share, and
    the rows over which post_event falls to 1/e."""
    kinds: NDArray[np.bool_]
    """[channel, window, kind]: which events have this window of transition noise."""
    reach: NDArray[np.int64]
    """[channel, window, 2]: rows before and after the event."""
    fading: NDArray[np.bool_]
    """[channel, kind]: after which events post_event begins anew."""
    impulse: NDArray[np.bool_]
    """[channel]: whether only rows near impacts count."""
    impacts: NDArray[np.bool_]
    """[kind]: what counts as an impact."""
    near: int
    """Rows that 30 ms reach to either side."""


@cache
def terms_of(name: str) -> Terms:
    """The arrays of the system called `name`."""
    system = get_system(name)
    most = max(len(c.windows) for c in system.noise) or 1
    kinds = np.zeros((len(system.channels), most, len(EventKind)), np.bool_)
    reach = np.zeros((len(system.channels), most, 2), np.int64)
    for channel, noise in enumerate(system.noise):
        for place, window in enumerate(noise.windows):
            kinds[channel, place, list(window.kinds)] = True
            reach[channel, place] = window.before, window.after
    impacts = np.zeros(len(EventKind), np.bool_)
    impacts[list(IMPACTS)] = True
    impulse = np.array([c.kind == "impulse" for c in system.channels])
    near = int((IMPULSE_S + _ON_GRID) * system.rate_hz)
    return Terms(
        _sizes(system), kinds, reach, np.asarray(kinds.any(axis=1)), impulse, impacts, near
    )


def _sizes(system: System) -> NDArray[np.float64]:
    return np.array(
        [
            (
                c.base,
                c.hetero,
                c.drift,
                c.event,
                c.post_event,
                c.bias,
                c.quant_floor,
                c.quant_scale,
                c.tau_s * system.rate_hz,
            )
            for c in system.noise
        ]
    )
