"""The nine published clean traces, and how a simulated series is compared with one.

Reads `data/tracebench/traces` below the folder of real data. The stored long traces keep about one
row in five (800 of 3,999 or 2,999). `intervention_time` in the files is 5 for every trace, changed
or not, and is not used. Configurations are matched by the first digits of their published id.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.published import published_by_id
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.systems import System, get_system

Array = NDArray[np.float64]

MOTION: Final = 5e-3
"""Position and velocity, m and m/s."""
CONTACT: Final = 1e-3
"""Contact rows, relative."""
FRICTION: Final = 1e-2
"""Friction, relative."""
FRICTION_ROWS: Final = 4
"""Friction rows per trace that may be out: the solver's root at a stick transition."""
NORMAL: Final = 1e-4
"""Normal force, N."""

# Trace number, configuration and stepped parameter (facts section 2.5).
_KNOWN: Final = (
    ("BallDrop", 1, "47f84b9f", "gravity"),
    ("BallDrop", 2, "b587da78", "restitution"),
    ("BallDrop", 4, "34574575", None),
    ("BounceBall", 1, "c7647d63", "restitution_left"),
    ("BounceBall", 2, "354dbe3c", None),
    ("BounceBall", 4, "8549e70b", "inclination_angle"),
    ("MassSlide", 1, "31dcf19a", "coulomb_friction_coefficient"),
    ("MassSlide", 2, "23cca9a4", None),
    ("MassSlide", 4, "b9f73c1b", "gravity_constant"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One published trace."""

    name: str
    system: System
    baseline: Recipe
    """Its configuration, rounded to four digits at the source."""
    parameter: str | None
    """What stepped."""
    rows: NDArray[np.int64]
    """Row numbers that are stored."""
    series: Array
    """Shape [channel, stored row]."""

    def upto(self, row: int) -> Trace:
        """The part before row number `row`."""
        return self._where(self.rows < row)

    def since(self, row: int) -> Trace:
        """The part from row number `row` on."""
        return self._where(self.rows >= row)

    def _where(self, kept: NDArray[np.bool_]) -> Trace:
        rows, series = self.rows[kept], self.series[:, kept]
        return Trace(self.name, self.system, self.baseline, self.parameter, rows, series)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a simulated series is from a trace."""

    worst: tuple[float, float, float]
    """Per channel: absolute, but relative over contact rows for an impulse channel and over all
    rows for friction."""
    out: tuple[int, int, int]
    """Rows beyond the bound, per channel."""
    displaced: int = 0
    """Contacts that the trace shows one row beside the simulated one."""

    @property
    def within(self) -> bool:
        """Whether all bounds hold, with the allowance for friction."""
        first, second, third = self.out
        return first == 0 and second == 0 and third == 0


def traces(shared: Path) -> Iterator[Trace]:
    """All nine, in order of system and number."""
    for name, number, key, parameter in _KNOWN:
        system = get_system(name)
        file = shared / "data" / "tracebench" / "traces" / f"{name}_{number}.json"
        stored = json.loads(file.read_text(encoding="utf-8"))
        columns = [channel.name for channel in system.channels]
        series = np.array([[row[column] for row in stored["rows"]] for column in columns])
        times = np.array([row["time"] for row in stored["rows"]])
        rows = np.rint(times * system.rate_hz).astype(np.int64) - 1
        baseline = published_by_id(name)[key]
        yield Trace(f"{name} {number}", system, baseline, parameter, rows, series)


def deviations(trace: Trace, samples: NDArray[np.float32]) -> Array:
    """Differences [..., channel, stored row] in units of their bounds; samples [..., channel, row].

    A contact that the trace shows one row beside the simulated one is compared with that one; a
    contact that only one of the two shows is far out.
    """
    simulated = samples[..., trace.rows].astype(np.float64)
    simulated[..., 2, :] = np.where(
        displaced(trace, samples), _beside(trace, samples), simulated[..., 2, :]
    )
    return (simulated - trace.series) / _bounds(trace)


def displaced(trace: Trace, samples: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Stored rows with a contact that is simulated one row earlier or later."""
    bare = (samples[..., 2, trace.rows] == 0.0) & (trace.series[2] > 0.0)
    rows: NDArray[np.bool_] = bare & (_beside(trace, samples) > 0.0)
    return rows


def _beside(trace: Trace, samples: NDArray[np.float32]) -> Array:
    force = samples[..., 2, :].astype(np.float64)
    last = force.shape[-1] - 1
    before, after = np.maximum(trace.rows - 1, 0), np.minimum(trace.rows + 1, last)
    return np.maximum(force[..., before], force[..., after])


def _bounds(trace: Trace) -> Array:
    bounds = np.empty_like(trace.series)
    if trace.system.channels[2].kind == "impulse":
        contact = np.abs(trace.series[2])
        bounds[:2] = MOTION
        # Where the trace shows no contact any force is far out: the least contact is the measure.
        least = contact[contact > 0].min(initial=np.inf)
        bounds[2] = CONTACT * np.where(contact > 0, contact, min(least, 1.0))
    else:
        bounds[0], bounds[1], bounds[2] = MOTION, FRICTION * np.abs(trace.series[1]), NORMAL
    return bounds


def agreement(trace: Trace, samples: NDArray[np.float32]) -> Agreement:
    """Worst error and number of rows out per channel; samples [channel, row]."""
    size = np.abs(deviations(trace, samples))
    if size.shape[1] == 0:
        return Agreement((0.0, 0.0, 0.0), (0, 0, 0))
    out = [int(n) for n in (size > 1.0).sum(axis=1)]
    worst = [float(w) for w in size.max(axis=1)]
    impulse = trace.system.channels[2].kind == "impulse"
    units = (MOTION, MOTION, CONTACT) if impulse else (MOTION, FRICTION, NORMAL)
    a, b, c = (w * unit for w, unit in zip(worst, units, strict=True))
    beside = int(displaced(trace, samples).sum())
    return Agreement((a, b, c), (out[0], out[1], out[2]), beside)
