"""The simulation bar: full runs per second and core, as a ratio to scipy's solve_ivp.

All take the same published configurations, in the same process, one after the other; ours in
batches of 200 runs, recipes in and float32 series with their events out. The must of 150 binds the
dynamics `exact`; for `released` the ratio informs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from benchmarks.bar import Bar
from benchmarks.solve_ivp import solve
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.solve import happenings
from benchwright.suites.tracebench.systems import SYSTEMS

DRAWS: Final = 20
TIMES: Final = 10
ROUNDS: Final = 5
BATCHES: Final = 10
LEAST: Final = 150
AIM: Final = {"BallDrop": 100_000, "BounceBall": 150_000, "MassSlide": 300_000}


def measure() -> Iterator[Bar]:
    """Per system and dynamics: runs per second, and how many times faster than solve_ivp."""
    for name, system in SYSTEMS.items():
        draws = published(name)[:DRAWS]
        many = [recipe for recipe in draws for _ in range(TIMES)]
        # Run by run, so that both are timed over a few milliseconds: longer calls are never spared.
        theirs = sum(_least(partial(solve, system, one.values), 1) for one in draws) / len(draws)
        for dynamics in ("exact", "released"):
            ours = _least(partial(simulate, many, dynamics), BATCHES) / len(many)
            ratio = theirs / ours
            figure = f"{1 / ours:,.0f} runs/s per core, {ratio:.0f} x solve_ivp(RK45)"
            title = f"{name}, {dynamics}, {system.rows} rows"
            if dynamics == "released":
                yield Bar("simulation speed", title, figure, "", None)
                continue
            must = f"{LEAST} x solve_ivp (aim 500 x, {AIM[name]:,} runs/s)"
            yield Bar("simulation speed", title, figure, must, ratio >= LEAST)
            alone = _least(partial(happenings, many), BATCHES) / len(many)
            figure = f"{1 / alone:,.0f} runs/s per core"
            yield Bar("simulation speed", f"{name}, exact, events only", figure, "", None)


def _least(work: Callable[[], object], times: int) -> float:
    """Seconds of the fastest call: what else runs on the machine can only add time."""
    work()
    seconds = []
    for _ in range(ROUNDS * times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


if __name__ == "__main__":
    for bar in measure():
        print(bar.name, "|", bar.figure)
