"""`simulate`: recipes in, clean series and their events out.

All recipes of one call belong to one system. Knows nothing of noise, tasks and files. Computed in
float64, stored in float32; the same recipes give the same bytes on one machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchwright.errors import SpecError
from benchwright.suites.tracebench.recipes import Recipe, check_names
from benchwright.suites.tracebench.systems import EventKind, System, get_system, unknown
from benchwright.suites.tracebench.systems.model import Timed

if TYPE_CHECKING:
    import pandas as pd

Events = NDArray[np.void]
"""Events of one run in order: fields kind (`EventKind`), row, time in seconds. The row is the first
not before the time; under `released` the time is that of the row."""

EVENT = np.dtype([("kind", np.int8), ("row", np.int32), ("time", np.float64)])

_PLACES = 64
_NEVER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Series of one system, in the order of their recipes."""

    system: System
    recipes: tuple[Recipe, ...]
    samples: NDArray[np.float32]
    """Shape [run, channel, row], in the units of the channels."""
    events: tuple[Events, ...]
    """One array per run."""
    time: NDArray[np.float64]
    """Shape [row], seconds; 1/rate first."""
    dynamics: str
    """Name of the dynamics that made them."""

    def __len__(self) -> int:
        return len(self.recipes)

    def frame(self, run: int) -> pd.DataFrame:
        """Run number `run` as the published table: col1, col2, col3, and time as col4; float32."""
        import pandas as pd

        columns = {f"col{i + 1}": channel for i, channel in enumerate(self.samples[run])}
        return pd.DataFrame({**columns, "col4": self.time.astype(np.float32)})


def simulate(recipes: Sequence[Recipe], dynamics: str = "released") -> Runs:
    """Simulate every recipe. Checks names, not ranges: `recipes.validate` does that.

    SpecError for no recipe, recipes of several systems, unknown dynamics, missing or unknown names.
    """
    system = _one_system(recipes)
    if dynamics not in system.dynamics:
        raise unknown(f"{system.name} has no such dynamics", dynamics, system.dynamics)
    samples = np.empty((len(recipes), len(system.channels), system.rows), np.float32)
    events = run(system, recipes, dynamics, samples)
    return Runs(system, tuple(recipes), samples, events, system.times, dynamics)


def run(
    system: System,
    recipes: Sequence[Recipe],
    dynamics: str,
    samples: NDArray[np.float32] | NDArray[np.float64],
) -> tuple[Events, ...]:
    """Fill samples [run, channel, row] of recipes of one system; their events."""
    values, change = _columns(system, recipes)
    found = _fire(system, dynamics, values, change, samples, _PLACES)
    over = np.flatnonzero(found.counts > _PLACES)
    if over.size:
        # Once more for these runs alone, with room for their events, into a copy of their rows.
        most = int(found.counts.max())
        again = _fire(system, dynamics, values[over], change[over], samples[over], most)
        found = found.with_room(most, over, again)
    return found.split()


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Events of a batch as kernels write them."""

    events: NDArray[np.int32]
    """Kind and row [run, place, 2]."""
    moments: NDArray[np.float64]
    """Times [run, place]."""
    counts: NDArray[np.int64]
    """Events per run, which may exceed the places."""

    def with_room(self, places: int, runs: NDArray[np.intp], theirs: _Found) -> _Found:
        """The same with more places, and what `theirs` says about `runs`."""
        more = [(0, 0), (0, places - self.events.shape[1])]
        events = np.pad(self.events, [*more, (0, 0)])
        moments = np.pad(self.moments, more)
        events[runs], moments[runs] = theirs.events, theirs.moments
        return _Found(events, moments, self.counts)

    def split(self) -> tuple[Events, ...]:
        """One array per run."""
        kept = np.arange(self.events.shape[1]) < self.counts[:, None]
        flat = np.empty(int(self.counts.sum()), EVENT)
        flat["kind"], flat["row"] = self.events[kept].T
        flat["time"] = self.moments[kept]
        ends = np.cumsum(self.counts)
        return tuple(flat[end - n : end] for n, end in zip(self.counts, ends, strict=True))


def _fire(
    system: System,
    dynamics: str,
    values: NDArray[np.float64],
    change: NDArray[np.float64],
    samples: NDArray[np.float32] | NDArray[np.float64],
    places: int,
) -> _Found:
    """Call the kernel with room for `places` events per run."""
    chosen = system.dynamics[dynamics]
    events = np.zeros((len(values), places, 2), np.int32)
    if isinstance(chosen, Timed):
        moments = np.empty(events.shape[:2])
        grid = (system.rate_hz, system.rows)
        counts = chosen.kernel(values, change, grid, samples, events, moments)
        return _Found(events, moments, counts)
    counts = chosen(values, _rows(system, change), system.dt, samples, events)
    return _Found(events, system.times[events[..., 1]], counts)


def change_row(system: System, time: float) -> int:
    """Index of the first row that uses the new value: the first whose time is >= `time`."""
    return int(np.searchsorted(system.times, time, side="left"))


def rows_of(events: Events, *kinds: EventKind) -> NDArray[np.int32]:
    """Rows of the events of these kinds, in order."""
    rows: NDArray[np.int32] = events["row"][np.isin(events["kind"], kinds)]
    return rows


def _one_system(recipes: Sequence[Recipe]) -> System:
    names = sorted({recipe.system for recipe in recipes})
    if len(names) != 1:
        raise SpecError(
            "one call simulates recipes of exactly one system",
            value=names,
            where="simulate",
            hint="Group the recipes by system first.",
        )
    return get_system(names[0])


def _columns(
    system: System, recipes: Sequence[Recipe]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values before and after the change [run, 2, variable], and the time of the change [run]."""
    names = [variable.name for variable in system.variables]
    known, pick = set(names), itemgetter(*names)
    for recipe in recipes:
        if recipe.values.keys() != known:
            check_names(system, recipe.values)
    values = np.repeat(np.array([pick(recipe.values) for recipe in recipes])[:, None], 2, axis=1)
    change = np.full(len(recipes), np.inf)
    for index, recipe in enumerate(recipes):
        if recipe.step is not None:
            system.label_of(recipe.step.parameter)
            values[index, 1, names.index(recipe.step.parameter)] = recipe.step.value
            change[index] = recipe.step.time
    return values, change


def _rows(system: System, change: NDArray[np.float64]) -> NDArray[np.int64]:
    """The row of every change [run]; -1 for none."""
    rows = np.searchsorted(system.times, change, side="left")
    return np.where(np.isfinite(change), rows, _NEVER)
