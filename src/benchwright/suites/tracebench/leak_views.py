"""What must not tell the class of a sample: the rows before its change, and the noise in them.

Takes the observed samples of a system at one level; gives views for the audit of shortcuts. All
samples of a view have one length: the most rows that LONG_ENOUGH of them have before their change;
the others are left out and counted. A run without a change is cut where another run changes. Rows
begin with the run, so the time of the change is in no view.

Two views are aligned at the change: its last rows before it. Whether a step can be seen depends on
what the system does at that moment, and steps that cannot be seen are not asked about; so the
moment tells of the class by physics, to whoever knows the moment. Therefore the rows themselves
only inform. Their noise decides, in units of what is expected in those rows of the unchanged run:
it has one size whatever the moment, unless it knows the change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.checks.shortcuts.view import View
from benchwright.suites.tracebench.audited import Observed, kappa
from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.noise import spreads_of, variance
from benchwright.suites.tracebench.simulate import change_row, simulate

LONG_ENOUGH: Final = 0.9
_CUTS: Final = "benchwright shortcut audit"
"""Names the draws of the rows at which runs without a change are cut."""

Floats = NDArray[np.float32]


def views(seen: Observed) -> Iterator[View]:
    """The views of one system and level; nothing for a level without noise, see `told_without`."""
    rows = change_rows(seen)
    length = common_length(rows)
    kept = np.flatnonzero(rows >= length)
    noise = (seen.noisy.astype(np.float64) - seen.clean.samples).astype(np.float32)
    first = np.arange(length)
    last = rows[kept, None] - length + first
    yield _view(seen, "before the change", kept, seen.noisy[kept][:, :, first])
    yield _view(seen, "noise alone", kept, noise[kept][:, :, first])
    relative = (noise[kept] / _expected(seen)[kept]).astype(np.float32)
    yield _view(seen, "noise just before the change", kept, _aligned(relative, last))
    yield _view(seen, "just before the change", kept, _aligned(seen.noisy[kept], last), False)


def change_rows(seen: Observed) -> NDArray[np.int64]:
    """Rows before the change of each sample [sample]; drawn from the others where none changes."""
    system, recipes = seen.clean.system, seen.clean.recipes
    steps = [recipe.step for recipe in recipes]
    own = sorted(change_row(system, step.time) for step in steps if step)
    found = []
    for name, step in zip(seen.names, steps, strict=True):
        (drawn,) = Stream(_CUTS, name).uniforms(0, 0, 1)
        found.append(change_row(system, step.time) if step else own[int(drawn * len(own))])
    return np.array(found, np.int64)


def common_length(rows: NDArray[np.int64]) -> int:
    """The most rows that LONG_ENOUGH of the samples have."""
    short = int(round((1.0 - LONG_ENOUGH) * rows.size, 9))
    return int(np.sort(rows)[short])


def told_without(seen: Observed) -> tuple[str, ...]:
    """Samples without noise whose rows before the change are not those of the unchanged run.

    Without noise nothing is left to learn where there is none. A processor that rounds differently
    may differ by one step of float32.
    """
    assert kappa(seen.level) == 0.0
    unchanged = simulate([recipe.baseline() for recipe in seen.clean.recipes], seen.dynamics)
    rows = change_rows(seen)
    found = []
    for index, name in enumerate(seen.names):
        one, other = (s[index, :, : rows[index]] for s in (seen.noisy, unchanged.samples))
        if (np.abs(one - other) > np.spacing(np.abs(other))).any():
            found.append(name)
    return tuple(found)


def _expected(seen: Observed) -> NDArray[np.float64]:
    """Standard deviation of the noise of the unchanged runs [sample, channel, row]."""
    unchanged = simulate([recipe.baseline() for recipe in seen.clean.recipes], seen.dynamics)
    level = kappa(seen.level)
    squares = [[variance(spread, level) for spread in run] for run in spreads_of(unchanged)]
    expected: NDArray[np.float64] = np.sqrt(np.array(squares))
    return expected


def _aligned(series: Floats, rows: NDArray[np.int64]) -> Floats:
    """Rows [sample, row] of series [sample, channel, row]."""
    return np.take_along_axis(series, rows[:, None, :], axis=2)


def _view(
    seen: Observed, name: str, kept: NDArray[np.intp], data: Floats, decides: bool = True
) -> View:
    recipes = [seen.clean.recipes[index] for index in kept]
    return View(
        where=f"{seen.system}, {seen.level} noise",
        name=name,
        samples=tuple(seen.names[index] for index in kept),
        labels=tuple(recipe.label for recipe in recipes),
        groups=tuple(recipe.configuration for recipe in recipes),
        data=data,
        detail=f"{data.shape[2]:,} rows of {len(kept)} of {len(seen.names)} samples",
        decides=decides,
    )
