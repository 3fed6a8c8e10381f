"""The observation model: clean runs and a noise level in, noisy runs out (facts, tracebench 4.4).

Takes runs, a level kappa >= 0 and names; knows the noise coefficients of the system and nothing of
tasks. One corruption is

    e_t = kappa * (w_t n_t + D d_t + B b),   noisy_t = q * round((x_t + e_t) / q) where q > 0.

`w_t` gathers what is independent from row to row: floor, share of the magnitude, extra noise in
the window of an event, and its decay afterwards. These are independent normals, whose sum is one
normal with the sum of their variances, so one draw per row serves them all. `d_t` is a sine of
random phase and period, whose expected square is 1/2 at every instant; `b` is constant over the
run. The quantiser comes last and does not grow with kappa; at kappa 0 nothing at all is done.

The shares refer to a scale, the larger of range and RMS of a channel, and a window reaches some
rows back from its event. Under `released` both are those of the run itself. But then the noise of
the first rows tells how large the channel will be, that of the last rows before a change whether it
will bring an event or keep one away, and both tell of the class. So under `exact`, which makes the
tasks of a set, the scale is that of the unchanged run of the configuration, and so are the windows
in the rows before the change: noise before a change knows no change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError
from benchwright.suites.tracebench.draws import BIAS, DRIFT, WHITE, Stream
from benchwright.suites.tracebench.noise_kernels import observe_rows, scale_of, white_rows
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.simulate import Events, Runs, change_row, simulate
from benchwright.suites.tracebench.systems import EventKind, EventWindow, NoiseCoefficients

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

LEVELS: Final = {"none": 0.0, "low": 1.0, "high": 4.0}
DRIFT_MEAN_SQUARE: Final = 0.5
FEWEST_CYCLES: Final = 1.0
MOST_CYCLES: Final = 3.0


@dataclass(frozen=True, slots=True)
class NoiseKey:
    """Names the draws of a batch: one name per run under one seed."""

    seed: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """What the corruption of one clean channel is made of at kappa 1, in its own unit."""

    white: Floats
    """Standard deviation per row of the part that is independent from row to row."""
    drift: float
    """Amplitude of the slow sine."""
    bias: float
    """Standard deviation of the constant."""
    step: float
    """Width of the quantiser, 0 for none; not scaled by kappa."""
    scale: float
    """What the shares refer to; 1 for a channel of zeros."""


def observe(runs: Runs, kappa: float, key: NoiseKey) -> Runs:
    """The same runs with float32 samples [run, channel, row] as observed at level `kappa`.

    Equal seed and name give equal draws at every level, so levels differ in size only. Raises
    SpecError for a level that is negative, not finite or too large for float32, and for a key that
    does not name every run.
    """
    _check(runs, kappa, key)
    if kappa == 0.0:
        return runs
    noisy, refers = np.empty_like(runs.samples), _references(runs)
    with np.errstate(over="ignore"):
        for index, name in enumerate(key.samples):
            stream = Stream(key.seed, name)
            for channel in range(len(runs.system.noise)):
                clean = runs.samples[index, channel].astype(np.float64)
                spread = _spread(runs, index, channel, refers[index])
                noisy[index, channel] = observed(clean, spread, kappa, stream, channel)
    if not np.isfinite(noisy).all():
        raise _unusable(kappa, "Use a level that keeps the samples below 3e38.")
    return replace(runs, samples=noisy)


def spreads_of(runs: Runs) -> tuple[tuple[Spread, ...], ...]:
    """The spread of every channel of every run, from its clean samples and events."""
    channels = range(len(runs.system.noise))
    return tuple(
        tuple(_spread(runs, index, channel, reference) for channel in channels)
        for index, reference in enumerate(_references(runs))
    )


def scales_of(runs: Runs) -> Floats:
    """What the shares of the noise refer to, float64[run, channel], in units of the channels.

    Larger of range and RMS, 1 if both are 0, of the run itself or of its unchanged one.
    """
    return np.stack([reference.scales for reference in _references(runs)])


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """What the noise of one run refers to."""

    scales: Floats
    """[channel]"""
    events: Events
    """Their windows are noisier in rows before `change`, those of the run's own from there on."""
    change: int


def _references(runs: Runs) -> list[_Reference]:
    if refers_to_itself(runs.dynamics):
        own = zip(_sizes(runs.samples), runs.events, strict=True)
        return [_Reference(scales, events, 0) for scales, events in own]
    first: dict[str, Recipe] = {}
    for recipe in runs.recipes:
        first.setdefault(recipe.configuration, recipe.baseline())
    places = {name: place for place, name in enumerate(first)}
    unchanged = simulate(tuple(first.values()), runs.dynamics)
    sizes, found = _sizes(unchanged.samples), []
    for recipe in runs.recipes:
        place = places[recipe.configuration]
        change = change_row(runs.system, recipe.step.time) if recipe.step else 0
        found.append(_Reference(sizes[place], unchanged.events[place], change))
    return found


def refers_to_itself(dynamics: str) -> bool:
    """Whether the noise of a run refers to its own scale and events, changed part included."""
    return dynamics == "released"


def _sizes(samples: NDArray[np.float32]) -> Floats:
    return np.array([[scale_of(channel) for channel in run] for run in samples.astype(np.float64)])


def _spread(runs: Runs, index: int, channel: int, reference: _Reference) -> Spread:
    clean = runs.samples[index, channel].astype(np.float64)
    terms, scale = runs.system.noise[channel], float(reference.scales[channel])
    sizes = np.array([terms.base, terms.hetero / scale, terms.event, terms.post_event, 0.0]) * scale
    sizes[4] = terms.tau_s * runs.system.rate_hz
    spans, hits = _transitions(runs.events[index], reference, terms)
    return Spread(
        white=white_rows(clean, spans, hits, sizes),
        drift=terms.drift * scale,
        bias=terms.bias * scale,
        step=max(terms.quant_floor, terms.quant_scale * scale),
        scale=scale,
    )


def observed(clean: Floats, spread: Spread, kappa: float, stream: Stream, channel: int) -> Floats:
    """One channel float64[row] as observed; which numbers are drawn does not depend on `kappa`."""
    slow = np.zeros(clean.size)
    if spread.drift:
        slow += spread.drift * drift(stream, channel, clean.size)
    if spread.bias:
        slow += spread.bias * stream.normals(channel, BIAS, 1)
    normals = stream.normals(channel, WHITE, clean.size)
    return observe_rows(clean, spread.white, slow, normals, kappa, spread.step)


def drift(stream: Stream, channel: int, rows: int) -> Floats:
    """The slow sine over a run: one to three periods, uniform phase; expected square 1/2."""
    phase, speed = stream.uniforms(channel, DRIFT, 2)
    cycles = FEWEST_CYCLES + (MOST_CYCLES - FEWEST_CYCLES) * speed
    wave: Floats = np.sin(2.0 * math.pi * (phase + np.arange(rows) * (cycles / rows)))
    return wave


def variance(spread: Spread, kappa: float) -> Floats:
    """Expected squared corruption float64[row] in closed form; zero at kappa 0.

    The quantiser adds step^2 / 12, which holds as soon as the noise is at least half a step: at
    kappa >= 1 for every published coefficient, to 1 part in a million.
    """
    if kappa == 0.0:
        return np.zeros_like(spread.white)
    slow = DRIFT_MEAN_SQUARE * spread.drift**2 + spread.bias**2
    return kappa**2 * (spread.white**2 + slow) + spread.step**2 / 12.0


def _transitions(
    events: Events, reference: _Reference, terms: NoiseCoefficients
) -> tuple[Rows, Rows]:
    """First and last row [span, 2] of each window, and the rows of its events [event] in order."""
    if not terms.windows:
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
    before, own = _spans(reference.events, terms), _spans(events, terms)
    before[:, 1] = np.minimum(before[:, 1], reference.change - 1)
    own[:, 0] = np.maximum(own[:, 0], reference.change)
    hits = [_hits(events, window) for window in terms.windows]
    return np.concatenate([before, own]), np.sort(np.concatenate(hits))


def _spans(events: Events, terms: NoiseCoefficients) -> Rows:
    spans = []
    for window in terms.windows:
        rows = _hits(events, window)
        spans.append(np.stack([rows - window.before, rows + window.after], axis=1))
    return np.concatenate(spans)


def _hits(events: Events, window: EventWindow) -> Rows:
    """Rows of the events that have this window."""
    rows: Rows = events["row"][_table(window.kinds)[events["kind"]]].astype(np.int64)
    return rows


@cache
def _table(kinds: tuple[EventKind, ...]) -> NDArray[np.bool_]:
    """Which small integers mean one of `kinds`: a look-up, because this runs once per channel."""
    return np.isin(np.arange(len(EventKind)), kinds)


def _check(runs: Runs, kappa: float, key: NoiseKey) -> None:
    if not (math.isfinite(kappa) and kappa >= 0.0):
        raise _unusable(kappa, "Use 0 or a positive number; none, low and high are 0, 1 and 4.")
    if len(key.samples) != len(runs.recipes):
        raise SpecError(
            "noise key does not name every run once",
            value=f"{len(key.samples)} names, {len(runs.recipes)} runs",
            where="observe",
            hint="Give one sample name per run, in the order of the runs.",
        )


def _unusable(kappa: float, hint: str) -> SpecError:
    return SpecError("noise level is unusable", value=kappa, where="observe", hint=hint)
