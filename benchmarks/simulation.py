"""The simulation bar: full runs per second and core, as a ratio to scipy's solve_ivp.

Both take the same published configurations, in the same process, one after the other. The must of
150 binds the dynamics `exact`; for `released` the ratio informs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from benchmarks.bar import Bar
from benchmarks.solve_ivp import solve
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.systems import SYSTEMS

DRAWS: Final = 20
TIMES: Final = 50
ROUNDS: Final = 3


def measure() -> Iterator[Bar]:
    """Per system: runs per second of `released`, and how many times faster than solve_ivp."""
    for name, system in SYSTEMS.items():
        draws = published(name)[:DRAWS]
        many = [recipe for recipe in draws for _ in range(TIMES)]
        simulate(many)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            simulate(many)
            ours.append((time.perf_counter() - begin) / len(many))
            begin = time.perf_counter()
            for recipe in draws:
                solve(system, recipe.values)
            theirs.append((time.perf_counter() - begin) / len(draws))
        # The least of the rounds: what else runs on the machine can only add time.
        ratio = min(theirs) / min(ours)
        figure = f"{1 / min(ours):,.0f} runs/s per core, {ratio:.0f} x solve_ivp(RK45)"
        yield Bar("simulation speed", f"{name}, released, {system.rows} rows", figure, "", None)


if __name__ == "__main__":
    for bar in measure():
        print(bar.name, "|", bar.figure)
