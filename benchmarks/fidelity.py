"""The fidelity bar: the nine published clean traces under `released`.

Per trace: the published configuration is refined on the rows before the change, each number only
within half a unit of its fourth digit, which is where it was rounded; then two numbers are fitted,
the row of the change and the new value. The figure says also how many traces hold without the
refinement. Where several rows of change give the same series (nothing tells them apart before the
next contact), the latest is taken.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import least_squares

from benchmarks.bar import Bar
from benchmarks.traces import FRICTION_ROWS, Agreement, Array, Trace, agreement, deviations, traces
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import simulate

LOOK_BACK: Final = 64
"""Rows before the first visible difference in which the change is sought."""
SHORT: Final = 40
"""Stored rows after it that the first search uses; contacts later on make false optima."""
LATE: Final = {"BallDrop 1": 1}
"""Contacts that stand one row beside the simulated ones, by trace: known, and no more of them."""
_GRID: Final = 41
_CAP: Final = 1e4
_SCALES: Final = (10.0, 1.0, 0.1, 0.02, 0.02, 0.02)
"""In units of the bounds: what counts as a small error, from the first search to the last."""
_ORIGIN: Final = 2.0
"""Places run from 1 to 3: a zero has no relative difference step."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A trace and the recipe found for it."""

    trace: str
    recipe: Recipe
    before: Agreement
    after: Agreement
    """Of the rows from the change on; empty without a change."""

    @property
    def met(self) -> bool:
        """All bounds on both parts; friction may be out in a few rows, one contact a row late."""
        parts = (self.before, self.after)
        if sum(part.displaced for part in parts) > LATE.get(self.trace, 0):
            return False
        if self.recipe.system != "MassSlide":
            return all(part.within for part in parts)
        rest = all(part.out[0] == part.out[2] == 0 for part in parts)
        return rest and sum(part.out[1] for part in parts) <= FRICTION_ROWS


def measure() -> Iterator[Bar]:
    """One row per trace; a single row that says so where the real data is absent."""
    must = (
        "motion 5e-3, contact 0.1 %, friction 1 % but 4 rows, normal 1e-4 N; before and after; one "
        "contact of BallDrop 1 may be a row late; configurations refined within their rounding"
    )
    folder = Path(os.environ.get("BENCHWRIGHT_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "data" / "tracebench" / "traces").is_dir():
        yield Bar("fidelity", "published traces", "not measured: no real data here", must, False)
        return
    rounded = 0
    for trace in traces(folder):
        found = fit(trace)
        rounded += fit(trace, refined=False).met
        yield Bar("fidelity", trace.name, _figure(trace, found), must, found.met)
    name = "traces that hold with configurations as rounded, none refined"
    yield Bar("fidelity", name, f"{rounded} of 9", "", None)


def fit(trace: Trace, *, refined: bool = True) -> Fit:
    """Recipe of a trace: refined configuration and, if something stepped, its row and value."""
    recipe = _refined(trace) if refined else trace.baseline
    first = first_difference(trace, recipe)
    if trace.parameter is None:
        return _fitted(trace, recipe, trace.system.rows)
    row, value = find_change(trace, recipe, first)
    if refined and row < first:
        # Rows between the change and its first visible effect had misled the refinement a little.
        recipe = refine(trace.upto(row), recipe)
        row, value = find_change(trace, recipe, first)
    return _fitted(trace, stepped(trace, recipe, row, value), row)


def _refined(trace: Trace) -> Recipe:
    """Refined on ever longer beginnings: a rounded number can decide whether a contact happens."""
    recipe, first = trace.baseline, -1
    while (reached := first_difference(trace, recipe)) > first:
        first = reached
        recipe = refine(trace.upto(first), recipe)
    return recipe


def first_difference(trace: Trace, recipe: Recipe) -> int:
    """The first row of three stored ones in succession that the run without a change misses."""
    samples = simulate([recipe]).samples[0]
    out = np.abs(deviations(trace, samples)).max(axis=0) > 1.0
    run = out[:-2] & out[1:-1] & out[2:]
    return int(trace.rows[np.flatnonzero(run)[0]]) if run.any() else trace.system.rows


def refine(trace: Trace, recipe: Recipe) -> Recipe:
    """The configuration nearest to the trace within the rounding of the published numbers."""
    rounded = {name: value for name, value in trace.baseline.values.items() if value != 0.0}
    middle = np.array(list(rounded.values()))
    half = np.array([_half_unit(value) for value in rounded.values()])

    def at(place: Array) -> Recipe:
        values = dict(zip(rounded, (middle + half * place).tolist(), strict=True))
        return replace(recipe, values={**recipe.values, **values})

    def error(place: Array) -> Array:
        size = deviations(trace, simulate([at(place - _ORIGIN)]).samples[0])
        return np.clip(size, -_CAP, _CAP).ravel()

    begin = (np.array([recipe.values[name] for name in rounded]) - middle) / half
    found = least_squares(
        error,
        np.clip(begin, -0.999, 0.999) + _ORIGIN,
        bounds=(_ORIGIN - 1.0, _ORIGIN + 1.0),
        diff_step=0.005,
        loss="cauchy",
        f_scale=_SCALES[-1],
        max_nfev=60,
    )
    return at(found.x - _ORIGIN)


def find_change(trace: Trace, recipe: Recipe, first: int) -> tuple[int, float]:
    """Row and new value: both over a short stretch, then the value over the whole trace."""
    last = min(int(np.searchsorted(trace.rows, first)) + SHORT, len(trace.rows) - 1)
    near = trace.upto(int(trace.rows[last]))
    low, high = trace.system.variable(str(trace.parameter)).interval
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    rows = range(max(0, first - LOOK_BACK), first + 1)
    coarse = [(*_zoom(near, recipe, row, middle, half, _SCALES[:2]), row) for row in rows]
    coarse.sort(key=lambda found: (found[0], -found[2]))
    nearest = coarse[: len(coarse) // 4 + 1]
    tried = [(*_zoom(near, recipe, row, middle, half), row) for _, _, row in nearest]
    least = min(loss for loss, _, _ in tried)
    row, value = max((row, value) for loss, value, row in tried if loss <= least * (1.0 + 1e-6))
    return row, _zoom(trace, recipe, row, value, 1e-4 * half)[1]


def stepped(trace: Trace, recipe: Recipe, row: int, value: float) -> Recipe:
    """`recipe` with the trace's parameter changed at a row."""
    time = float(trace.system.times[row])
    return replace(recipe, step=Step(str(trace.parameter), value, time))


def _zoom(
    trace: Trace,
    recipe: Recipe,
    row: int,
    middle: float,
    half: float,
    scales: tuple[float, ...] = _SCALES,
) -> tuple[float, float]:
    """Loss and best new value: grids around the best so far, each with a sharper eye for errors."""
    loss = math.inf
    for scale in scales:
        grid = np.linspace(middle - half, middle + half, _GRID)
        tried = [stepped(trace, recipe, row, float(value)) for value in grid]
        losses = _losses(trace, tried, scale)
        best = int(np.argmin(losses))
        loss, middle, half = float(losses[best]), float(grid[best]), 3.0 * half / _GRID
    return loss, middle


def _losses(trace: Trace, recipes: list[Recipe], scale: float) -> Array:
    """Sum of log(1 + (error / scale)^2): few rows far out weigh less than many a little out."""
    size = deviations(trace, simulate(recipes).samples) / scale
    losses: Array = np.log1p(size * size).sum(axis=(1, 2))
    return losses


def _half_unit(value: float) -> float:
    """Half a unit of the fourth significant digit."""
    return float(0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 3))


def _fitted(trace: Trace, recipe: Recipe, row: int) -> Fit:
    samples = simulate([recipe]).samples[0]
    before, after = (agreement(part, samples) for part in (trace.upto(row), trace.since(row)))
    return Fit(trace.name, recipe, before, after)


def _figure(trace: Trace, found: Fit) -> str:
    step = found.recipe.step
    third = "contact" if trace.system.channels[2].kind == "impulse" else "normal"
    second = "velocity" if third == "contact" else "friction"
    first = "position" if third == "contact" else "velocity"
    change = f"{step.parameter} {step.value:.5g} from {step.time:g} s" if step else "no change"
    parts = [("before", found.before), ("after", found.after)] if step else [("all", found.before)]
    texts = [
        f"{name}: {first} {p.worst[0]:.1e}, {second} {p.worst[1]:.1e}, {third} {p.worst[2]:.1e}, "
        f"rows out {sum(p.out)}" + (f", {p.displaced} contact a row late" if p.displaced else "")
        for name, p in parts
    ]
    return "; ".join([change, *texts])


if __name__ == "__main__":
    for bar in measure():
        print(bar.name, "|", bar.figure, "|", bar.met)
