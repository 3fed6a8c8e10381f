"""The bar of the exact dynamics: against DOP853 at 1e-13 on 1,000 recipes with a change per system.

Event counts (contacts, rests, sticks, slips, reversals) must be equal, event times within 1e-10 s,
channels within 1e-9 of their largest magnitude in every row that does not stand within 1 us of an
event, where either side of a jump is right.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

import numpy as np

from benchmarks.bar import Bar
from benchmarks.exact_draws import draws
from benchmarks.reference import reference
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.solve import solve
from benchwright.suites.tracebench.systems import SYSTEMS, EventKind

COUNT: Final = int(os.environ.get("BENCHWRIGHT_EXACT_DRAWS", "1000"))
PROCESSES: Final = 2
COUNTED: Final = {
    kind.name.lower(): int(kind)
    for kind in EventKind
    if kind not in (EventKind.CHANGE, EventKind.PULSE_ON, EventKind.PULSE_OFF)
}
NEAR: Final = 1e-6
TIME_S: Final = 1e-10
SHARE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Match:
    """How one run compares with its reference."""

    events: int
    same: bool
    """Whether the same events happen in the same order."""
    time: float
    """Largest difference of event times in seconds; infinite if the events differ."""
    channels: tuple[float, ...]
    """Largest difference per channel, as a share of its largest magnitude."""


def match(recipe: Recipe) -> Match:
    """Solve a recipe both ways."""
    ours, theirs = solve(recipe), reference(recipe)
    kept = ours.events[np.isin(ours.events["kind"], list(COUNTED.values()))]
    kinds = [COUNTED[name] for name, _ in theirs.events]
    same = kept["kind"].tolist() == kinds
    times = np.array([time for _, time in theirs.events])
    off = np.abs(kept["time"] - times).max(initial=0.0) if same else np.inf
    far = np.full(ours.time.size, True)
    for time in ours.events["time"]:
        far &= np.abs(ours.time - time) > NEAR
    scale = np.abs(theirs.channels).max(axis=1)
    gap = np.abs(ours.channels - theirs.channels)[:, far].max(axis=1, initial=0.0)
    shares = np.divide(gap, scale, out=gap.copy(), where=scale > 0.0)
    return Match(len(kinds), same, float(off), tuple(float(share) for share in shares))


def matches(system: str, count: int) -> list[Match]:
    """All draws of a system, on two processes."""
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        return list(pool.map(match, draws(system, count), chunksize=10))


def measure() -> Iterator[Bar]:
    """One bar per system."""
    for name in SYSTEMS:
        found = matches(name, COUNT)
        wrong = sum(not one.same for one in found)
        time = max(one.time for one in found)
        share = max(max(one.channels) for one in found)
        events = sum(one.events for one in found)
        figure = (
            f"{wrong} of {len(found)} runs with other events ({events:,} events), "
            f"times within {time:.1e} s, channels within {share:.1e}"
        )
        met = wrong == 0 and time <= TIME_S and share <= SHARE and len(found) >= 1000
        must = "1,000 runs, equal events, 1e-10 s, 1e-9"
        yield Bar("exact dynamics", f"{name} against DOP853", figure, must, met)


if __name__ == "__main__":
    for bar in measure():
        print(bar.name, "|", bar.figure, "|", bar.met)
