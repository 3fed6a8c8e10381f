"""The sigma bar: the expected corruption in closed form beside Monte Carlo, in value and in cost.

Per system 60 candidates of the pool `paper-like` that are kept, at kappa 4, from the change on.
Value: 16,384 observations of each candidate in float64, every candidate and channel with draws of
its own; the mean deviation over the candidates must lie within 3 of its standard errors. Cost: both
windows of all three channels in closed form against 1,024 draws of a candidate's own, compiled, in
processor time, one after the other. The two-stage mode, in which all candidates of a batch share
their draws, stands beside it and informs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.bar import Bar
from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.monte_carlo import mean_squares
from benchwright.suites.tracebench.noise import (
    FEWEST_CYCLES,
    MOST_CYCLES,
    Spread,
    scales_of,
    spreads_of,
)
from benchwright.suites.tracebench.noise_kernels import observe_rows
from benchwright.suites.tracebench.pools.blocks import judged
from benchwright.suites.tracebench.pools.configurations import configurations
from benchwright.suites.tracebench.pools.policy import load_policy
from benchwright.suites.tracebench.pools.steps import steps
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import Runs, change_row, simulate
from benchwright.suites.tracebench.solvability.batch import Simulator
from benchwright.suites.tracebench.solvability.ratios import sigmas
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.solvability.terms import terms_of
from benchwright.suites.tracebench.systems import SYSTEMS
from benchwright.suites.tracebench.systems._jit import kernel

CANDIDATES: Final = 60
DRAWS: Final = 16_384
CONFIRM: Final = 1024
CHUNK: Final = 256
FEW: Final = 10
"""Candidates that the cost of drawing is measured on."""
KAPPA: Final = 4.0
ERRORS: Final = 3.0
CHEAPER: Final = 1000.0
DYNAMICS: Final = "exact"
SEED: Final = "sigma bar"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Deviation:
    """Of one channel over all candidates, relative to sigma."""

    mean: float
    error: float
    """Standard error of the mean."""
    count: int
    """Candidates with a row in the window."""


def candidates(name: str) -> list[Recipe]:
    """The first kept candidates of the system's pool, one per configuration."""
    policy = load_policy(f"{name.lower()}-paper-like")
    values = configurations(policy, 0)
    drawn = steps(policy, 0, values)
    codes = judged(policy, values, drawn).codes
    names = [variable.name for variable in policy.simulated.variables]
    found: dict[int, Recipe] = {}
    for place in np.flatnonzero(codes == Reason.KEPT):
        family = int(drawn.family[place])
        numbers = dict(zip(names, values[family].tolist(), strict=True))
        column = names[drawn.parameter[place]]
        step = Step(column, float(drawn.value[place]), float(drawn.time[place]))
        found.setdefault(family, Recipe(name, numbers, step))
    return list(found.values())[:CANDIDATES]


@kernel
def _mean_squares(
    clean: Floats, white: Floats, rows: Floats, draws: tuple[Floats, ...], sizes: Floats
) -> Floats:
    """Mean squared corruption of every draw; `rows` are row numbers, sizes as in `add_squares`."""
    normals, phases, cycles, constants = draws
    out = np.empty(len(normals))
    slow = np.empty(len(clean))
    for draw in range(len(normals)):
        for row in range(len(clean)):
            wave = math.sin(2.0 * math.pi * (phases[draw] + rows[row] * cycles[draw]))
            slow[row] = sizes[1] * wave + sizes[2] * constants[draw]
        seen = observe_rows(clean, white, slow, normals[draw], sizes[0], sizes[3])
        out[draw] = np.mean((seen - clean) ** 2)
    return out


def observed(
    runs: Runs,
    run: int,
    channel: int,
    spread: Spread,
    window: NDArray[np.bool_],
    count: int = DRAWS,
) -> Floats:
    """Mean squared corruption over the window, draw by draw [draw]."""
    clean = runs.samples[run, channel].astype(np.float64)
    generator = Stream(SEED, [runs.recipes[run].digest, str(channel)]).at(0, 0)
    rows = np.flatnonzero(window).astype(np.float64)
    sizes = np.array([KAPPA, spread.drift, spread.bias, spread.step])
    found = []
    for _ in range(count // CHUNK):
        cycles = FEWEST_CYCLES + (MOST_CYCLES - FEWEST_CYCLES) * generator.random(CHUNK)
        draws = (
            generator.standard_normal((CHUNK, len(rows))),
            generator.random(CHUNK),
            cycles / clean.size,
            generator.standard_normal(CHUNK),
        )
        found.append(_mean_squares(clean[window], spread.white[window], rows, draws, sizes))
    return np.concatenate(found)


def deviations(recipes: list[Recipe]) -> list[Deviation]:
    """Per channel, how far Monte Carlo is from the closed form."""
    runs = simulate(recipes, DYNAMICS)
    closed = closed_form(recipes)[0]
    return [_deviation(runs, channel, closed[:, channel]) for channel in range(closed.shape[1])]


def _deviation(runs: Runs, channel: int, closed: Floats) -> Deviation:
    means, errors = [], []
    spreads = spreads_of(runs)
    for run, recipe in enumerate(runs.recipes):
        if closed[run] == 0.0:
            continue
        window = _window(runs, run, channel, recipe)
        squares = observed(runs, run, channel, spreads[run][channel], window)
        # Half the relative deviation of the square is that of sigma, without the bias of a root.
        means.append((squares.mean() / closed[run] ** 2 - 1.0) / 2.0)
        errors.append(squares.std(ddof=1) / math.sqrt(len(squares)) / closed[run] ** 2 / 2.0)
    count = len(means)
    error = float(np.sqrt(np.sum(np.square(errors))) / count)
    return Deviation(float(np.mean(means)), error, count)


def _window(runs: Runs, run: int, channel: int, recipe: Recipe) -> NDArray[np.bool_]:
    """Rows from the change on, of an impulse channel those near an impact of the run."""
    terms, rows = terms_of(recipe.system), np.arange(runs.time.size)
    assert recipe.step is not None
    window = rows >= change_row(runs.system, recipe.step.time)
    if terms.impulse[channel]:
        events = runs.events[run]
        impacts = events["row"][terms.impacts[events["kind"]]]
        near = np.abs(rows[:, None] - impacts[None, :]) <= terms.near
        window &= near.any(axis=1)
    return window


def closed_form(recipes: list[Recipe]) -> tuple[Floats, float]:
    """Sigma from the change on [run, channel], and seconds a candidate for that and the whole."""
    system = SYSTEMS[recipes[0].system]
    names = [variable.name for variable in system.variables]
    values = np.array(
        [[[r.values[n] for n in names], [r.after()[n] for n in names]] for r in recipes]
    )
    times = np.array([r.step.time for r in recipes if r.step is not None])
    series = Simulator(system, DYNAMICS).run(values, times)
    scale = scales_of(simulate(recipes, DYNAMICS))
    starts = np.array([change_row(system, time) for time in times])
    terms, none = terms_of(system.name), np.zeros(len(recipes), np.int64)
    found = sigmas(series, starts, scale, KAPPA, terms)
    rounds = []
    for _ in range(5):
        begin = time.process_time()
        for _ in range(20):
            sigmas(series, starts, scale, KAPPA, terms)
            sigmas(series, none, scale, KAPPA, terms)
        rounds.append((time.process_time() - begin) / 20 / len(recipes))
    return found, min(rounds)


def drawn_cost(recipes: list[Recipe]) -> float:
    """Seconds a candidate for 1,024 draws of its own over the whole run, good for both windows."""
    runs = simulate(recipes[:FEW], DYNAMICS)
    whole = np.ones(runs.time.size, np.bool_)
    begin = time.process_time()
    for run, spreads in enumerate(spreads_of(runs)):
        for channel, spread in enumerate(spreads):
            observed(runs, run, channel, spread, whole, CONFIRM)
    return (time.process_time() - begin) / len(runs)


def shared_cost(recipes: list[Recipe]) -> float:
    """Seconds a candidate for the confirming stage of the two-stage mode, the draws shared."""
    runs = simulate(recipes, DYNAMICS)
    mean_squares(runs, KAPPA, 1)
    begin = time.process_time()
    mean_squares(runs, KAPPA, CONFIRM)
    return (time.process_time() - begin) / len(recipes)


def measure() -> Iterator[Bar]:
    """Per system: every channel's deviation, and how much cheaper the closed form is."""
    for name, system in SYSTEMS.items():
        recipes = candidates(name)
        for channel, found in zip(system.channels, deviations(recipes), strict=True):
            score = found.mean / found.error
            figure = (
                f"{100 * found.mean:+.4f} % over {found.count} candidates, "
                f"standard error {100 * found.error:.4f} % ({score:+.1f})"
            )
            must = f"within {ERRORS:g} standard errors of {DRAWS:,} draws"
            yield Bar("sigma", f"{name}, {channel.name}", figure, must, abs(score) <= ERRORS)
        cheap, dear = closed_form(recipes)[1], drawn_cost(recipes)
        shared = shared_cost(recipes)
        figure = (
            f"{1e6 * cheap:.1f} us against {1e3 * dear:.1f} ms, {dear / cheap:,.0f} x; "
            f"{shared / cheap:,.0f} x where {len(recipes)} candidates share the draws"
        )
        must = f"{CHEAPER:,.0f} x cheaper than {CONFIRM:,} draws"
        yield Bar("sigma", f"{name}, cost a candidate", figure, must, dear / cheap >= CHEAPER)
