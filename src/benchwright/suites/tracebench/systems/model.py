"""What a simulated system is: variables, channels, labels, grid, noise coefficients, dynamics.

Plain records, filled once per system in the file of its name. Knows no recipe and no task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import IntEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError

NO_CHANGE = "no parameter change"
"""Label of a run whose parameters all stay fixed; always the last label of a system."""


class EventKind(IntEnum):
    """What can happen during a run; the small integers of `Events.kind`."""

    CHANGE = 0
    """The stepped parameter has its new value from this row on."""
    IMPACT = 1
    """The ball rebounds from the ground (BallDrop)."""
    IMPACT_LEFT = 2
    IMPACT_RIGHT = 3
    """The mass rebounds from a wall (BounceBall)."""
    SETTLE = 4
    """The ball comes to rest on the ground (BallDrop); comes instead of an impact."""
    SETTLE_LEFT = 5
    SETTLE_RIGHT = 6
    """The mass comes to rest against a wall (BounceBall); comes instead of an impact."""
    STICK = 7
    """Speed falls below the breakaway velocity, or in `exact` to zero for a while (MassSlide)."""
    SLIP = 8
    """Speed rises to the breakaway velocity or more, or in `exact` from zero (MassSlide)."""
    REVERSE = 9
    """The velocity changes sign without sticking (MassSlide)."""
    PULSE_ON = 10
    PULSE_OFF = 11
    """The applied force differs from the row before (MassSlide)."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter or an initial value of a system."""

    name: str
    """Name in recipes, as published."""
    unit: str
    words: str
    """What it is, for prompts and pages."""
    documented: tuple[float, float]
    """Interval of the original manual, both ends allowed."""
    interval: tuple[float, float]
    """Allowed here: the documented interval, widened to cover the published pool."""
    min_srd: float = 0.0
    """Least symmetric relative difference between the old and the new value of a step."""
    min_abs: float = 0.0
    """Least absolute difference between the old and the new value, in `unit`."""
    label: str | None = None
    """Answer label of a step in this variable; None if it never steps."""

    @property
    def steppable(self) -> bool:
        """Whether a run may change it."""
        return self.label is not None


@dataclass(frozen=True, slots=True)
class Channel:
    """One observed signal; the agent sees its number and, with context, its label."""

    name: str
    """Signal name of the original simulator."""
    label: str
    """Agent-facing text, exactly as published."""
    unit: str
    """Unit of the numbers. Two published labels say otherwise; see the system's file."""
    kind: Literal["continuous", "impulse"]


@dataclass(frozen=True, slots=True)
class EventWindow:
    """Rows around an event in which the transition noise of a channel is added."""

    kinds: tuple[EventKind, ...]
    before: int
    """Rows before the row of the event."""
    after: int
    """Rows after it; the row itself always counts."""


@dataclass(frozen=True, slots=True)
class NoiseCoefficients:
    """Noise of one channel at kappa = 1 as published (paper, Tables 6, 11, 16); absent means 0."""

    base: float = 0.0
    hetero: float = 0.0
    drift: float = 0.0
    event: float = 0.0
    post_event: float = 0.0
    bias: float = 0.0
    quant_floor: float = 0.0
    """In the unit of the channel; not multiplied by kappa."""
    quant_scale: float = 0.0
    windows: tuple[EventWindow, ...] = ()
    """Where `event` and `post_event` act: our choice, the paper does not say."""
    tau_s: float = 0.0
    """Decay time of `post_event` in seconds: our choice."""


Kernel = Callable[..., NDArray[np.int64]]
"""kernel(values f64[run, 2, variable], change i64[run], dt, samples f32[run, 3, row],
events i32[run, place, 2]) -> number of events per run, which may exceed the places."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A dynamics in which a change and an event have a time of their own, not that of a row."""

    kernel: Kernel
    """kernel(values f64[run, 2, variable], change f64[run] in s (infinite: none), (rows per second,
    rows), samples f32 or f64[run, 3, row] (no row: events only), events i32[run, place, 2],
    moments f64[run, place]) -> number of events per run, which may exceed the places."""


@dataclass(frozen=True, slots=True)
class System:
    """One simulator: everything about it that is not a particular run."""

    name: str
    title: str
    parameters: tuple[Variable, ...]
    """Those that can step stand first, in the order of their labels in the prompt."""
    initial: tuple[Variable, ...]
    channels: tuple[Channel, ...]
    noise: tuple[NoiseCoefficients, ...]
    """One per channel."""
    rate_hz: int
    horizon_s: int
    dynamics: Mapping[str, Kernel | Timed] = field(repr=False)
    constants: Mapping[str, float] = field(default_factory=dict)
    """Fixed numbers of the model that recipes cannot change."""
    ordered: tuple[tuple[str, str], ...] = ()
    """Pairs (low, high): a recipe needs low <= high, before and after its step."""

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Parameters, then initial values: the order of the kernels' columns."""
        return self.parameters + self.initial

    @property
    def labels(self) -> tuple[str, ...]:
        """Answer labels in the order of the prompt; no change last."""
        return (*(p.label for p in self.parameters if p.label is not None), NO_CHANGE)

    @property
    def rows(self) -> int:
        """Samples of one run: horizon * rate - 1, because neither end of the horizon is sampled."""
        return self.horizon_s * self.rate_hz - 1

    @property
    def dt(self) -> float:
        """Sampling interval in seconds."""
        return 1.0 / self.rate_hz

    @property
    def times(self) -> NDArray[np.float64]:
        """Time of every row in seconds: 1/rate, 2/rate, ... (shape [row])."""
        return np.arange(1, self.rows + 1, dtype=np.float64) / self.rate_hz

    def label_of(self, parameter: str | None) -> str:
        """The label of a step in `parameter`; None is a run without a change."""
        if parameter is None:
            return NO_CHANGE
        found = {p.name: p.label for p in self.parameters if p.label is not None}
        if parameter not in found:
            raise unknown(f"{self.name} has no such parameter to step", parameter, found)
        return found[parameter]

    def variable(self, name: str) -> Variable:
        """The parameter or initial value called `name`."""
        found = {v.name: v for v in self.variables}
        if name not in found:
            raise unknown(f"{self.name} has no such variable", name, found)
        return found[name]


def unknown(problem: str, name: object, known: Mapping[str, Any]) -> SpecError:
    """A SpecError that names the nearest of the known names."""
    near = get_close_matches(str(name), list(known), n=1, cutoff=0.0)
    return SpecError(
        problem,
        value=name,
        where="tracebench recipe",
        hint=f"Did you mean {near[0]!r}? Known: {', '.join(known)}.",
    )
