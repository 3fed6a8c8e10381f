"""The observation model: clean runs and a noise level in, noisy runs out (facts, tracebench 4.4).

Takes runs, a level kappa >= 0 and names; knows the noise coefficients of the system and nothing of
tasks. One corruption is

    e_t = kappa * (w_t n_t + D d_t + B b),   noisy_t = q * round((x_t + e_t) / q) where q > 0.

`w_t` gathers what is independent from row to row: floor, share of the magnitude, extra noise in
the window of an event, and its decay afterwards. These are independent normals, whose sum is one
normal with the sum of their variances, so one draw per row serves them all. `d_t` is a sine of
random phase and period, whose expected square is 1/2 at every instant; `b` is constant over the
run. The quantiser comes last and does not grow with kappa; at kappa 0 nothing at all is done.

The shares refer to a scale, the larger of range and RMS of a channel. Under `released` it is that
of the run itself, as in the published formulas. But then the noise of the first rows tells how
large the channel will be, and with it the class. So under `exact`, which makes the tasks of a set,
it is that of the unchanged run of the configuration: noise before a change knows no change.
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
from benchwright.suites.tracebench.simulate import Events, Runs, simulate
from benchwright.suites.tracebench.systems import EventKind, NoiseCoefficients

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
    noisy, scales = np.empty_like(runs.samples), scales_of(runs)
    with np.errstate(over="ignore"):
        for index, name in enumerate(key.samples):
            stream = Stream(key.seed, name)
            for channel in range(len(runs.system.noise)):
                clean = runs.samples[index, channel].astype(np.float64)
                spread = _spread(runs, index, channel, scales[index, channel])
                noisy[index, channel] = observed(clean, spread, kappa, stream, channel)
    if not np.isfinite(noisy).all():
        raise _unusable(kappa, "Use a level that keeps the samples below 3e38.")
    return replace(runs, samples=noisy)


def spreads_of(runs: Runs) -> tuple[tuple[Spread, ...], ...]:
    """The spread of every channel of every run, from its clean samples and events."""
    return tuple(
        tuple(_spread(runs, index, channel, scale) for channel, scale in enumerate(scales))
        for index, scales in enumerate(scales_of(runs).tolist())
    )


def scales_of(runs: Runs) -> Floats:
    """What the shares of the noise refer to, float64[run, channel], in units of the channels.

    Larger of range and RMS, 1 if both are 0, of the run itself or of its unchanged one.
    """
    if refers_to_itself(runs.dynamics):
        return _sizes(runs.samples)
    first: dict[str, Recipe] = {}
    for recipe in runs.recipes:
        first.setdefault(recipe.configuration, recipe.baseline())
    places = {name: place for place, name in enumerate(first)}
    found = _sizes(simulate(tuple(first.values()), runs.dynamics).samples)
    return found[[places[recipe.configuration] for recipe in runs.recipes]]


def refers_to_itself(dynamics: str) -> bool:
    """Whether the noise of a run refers to its own scale, changed part included."""
    return dynamics == "released"


def _sizes(samples: NDArray[np.float32]) -> Floats:
    return np.array([[scale_of(channel) for channel in run] for run in samples.astype(np.float64)])


def _spread(runs: Runs, index: int, channel: int, scale: float) -> Spread:
    clean = runs.samples[index, channel].astype(np.float64)
    terms = runs.system.noise[channel]
    sizes = np.array([terms.base, terms.hetero / scale, terms.event, terms.post_event, 0.0]) * scale
    sizes[4] = terms.tau_s * runs.system.rate_hz
    spans, hits = _transitions(runs.events[index], terms)
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


def _transitions(events: Events, terms: NoiseCoefficients) -> tuple[Rows, Rows]:
    """First and last row [span, 2] of each window, and the rows of its events [event] in order."""
    hits = [events["row"][_table(window.kinds)[events["kind"]]] for window in terms.windows]
    spans = [
        np.stack([rows - window.before, rows + window.after], axis=1)
        for rows, window in zip(hits, terms.windows, strict=True)
    ]
    if not hits:
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
    return np.concatenate(spans, dtype=np.int64), np.sort(np.concatenate(hits, dtype=np.int64))


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
