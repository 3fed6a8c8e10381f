"""The noise bar: signal-to-noise ratios of nine channels beside the published table.

Around each of the 87 published configurations, under `released`: five seeded steps, unfiltered; and
the first twenty seeded steps that pass the ratio tests and every rule, as in a published pool. A
ratio per run and channel, mean and sample standard deviation over the runs. The unfiltered ones
under `exact` stand beside them and inform. Run it as a module to see the whole table and the rates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.bar import Bar
from benchwright.suites.tracebench.noise import LEVELS, NoiseKey, observe
from benchwright.suites.tracebench.probes import refusals
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.sampler import steps
from benchwright.suites.tracebench.simulate import Runs, simulate
from benchwright.suites.tracebench.snr import ratios
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import SYSTEMS

SEED: Final = "noise bar"
PER_CONFIGURATION: Final = 5
PASSING: Final = 20
_TRIED: Final = 400
"""Steps drawn for each configuration, of which the first that pass are taken."""
GAP_DB: Final = 12.04
POSITION_GAP_DB: Final = 11.83

# In dB: mean and sample standard deviation at low, mean at high (paper, Tables 7, 12, 17).
PUBLISHED: Final = {
    "BallDrop": ((42.41, 3.19, 30.58), (36.58, 2.60, 24.54), (21.07, 2.55, 9.03)),
    "BounceBall": ((30.02, 1.91, 17.97), (40.98, 2.46, 28.94), (39.09, 2.45, 27.05)),
    "MassSlide": ((35.64, 6.58, 23.60), (42.03, 9.75, 29.99), (59.90, 0.40, 47.86)),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One channel: ours and the published figures, in dB."""

    system: str
    channel: str
    low: float
    low_sd: float
    high: float
    published: tuple[float, float, float]

    @property
    def gap(self) -> float:
        """Low minus high."""
        return self.low - self.high

    @property
    def wanted_gap(self) -> float:
        """What the gap should be; BallDrop's position has a quantiser that does not grow."""
        coarse = self.system == "BallDrop" and self.channel == "Position"
        return POSITION_GAP_DB if coarse else GAP_DB


def runs_of(system: str, dynamics: str = "released") -> Runs:
    """The runs of the bar."""
    made = [r for c in published(system) for r in steps(c, PER_CONFIGURATION, SEED)]
    return simulate(made, dynamics)


def passing_of(system: str) -> Runs:
    """The first steps of each configuration that pass under `released`, at most twenty each."""
    kept: list[Recipe] = []
    for configuration in published(system):
        drawn = steps(configuration, _TRIED, SEED)
        found = zip(drawn, refusals(drawn), strict=True)
        kept += [recipe for recipe, reason in found if reason == Reason.KEPT][:PASSING]
    return simulate(kept, "released")


def table(runs_of: Callable[[str], Runs]) -> list[Row]:
    """All nine channels, on the runs that are given for each system."""
    rows = []
    for name in SYSTEMS:
        runs = runs_of(name)
        low, high = (_ratios(runs, LEVELS[level]) for level in ("low", "high"))
        for index, channel in enumerate(runs.system.channels):
            finite = low[:, index][~np.isnan(low[:, index])]
            rows.append(
                Row(
                    system=name,
                    channel=channel.name,
                    low=float(finite.mean()),
                    low_sd=float(finite.std(ddof=1)),
                    high=float(np.nanmean(high[:, index])),
                    published=PUBLISHED[name][index],
                )
            )
    return rows


def rates(system: str) -> tuple[float, float]:
    """Runs per second and core: simulated only, and simulated and observed."""
    made = [r for c in published(system) for r in steps(c, PER_CONFIGURATION, SEED)]
    runs = runs_of(system)
    observe(runs, 1.0, _key(runs))
    started = time.perf_counter()
    runs = simulate(made, "released")
    simulated = time.perf_counter()
    observe(runs, 1.0, _key(runs))
    observed = time.perf_counter()
    return len(made) / (simulated - started), len(made) / (observed - started)


def measure() -> Iterator[Bar]:
    """Nine means, nine gaps, nine means of steps that pass, and the rates."""
    rows = table(runs_of)
    for row in rows:
        off = row.low - row.published[0]
        yield Bar(
            area="noise",
            name=f"{row.system} {row.channel}",
            figure=(
                f"{row.low:.2f} ± {row.low_sd:.2f} dB, published {row.published[0]:.2f} ± "
                f"{row.published[1]:.2f}; gap {row.gap:.3f} dB"
            ),
            must=f"mean within 2 dB, gap within 0.05 dB of {row.wanted_gap}",
            met=abs(off) <= 2.0 and abs(row.gap - row.wanted_gap) <= 0.05,
        )
    yield from _passing()
    for row, other in zip(table(lambda name: runs_of(name, "exact")), rows, strict=True):
        yield Bar(
            area="noise",
            name=f"{row.system} {row.channel}, exact",
            figure=(
                f"{row.low:.2f} ± {row.low_sd:.2f} dB low, {row.high:.2f} high; released "
                f"{other.low:.2f} ± {other.low_sd:.2f}, {other.high:.2f}; published "
                f"{row.published[0]:.2f} ± {row.published[1]:.2f}, {row.published[2]:.2f}"
            ),
            must="",
            met=None,
        )
    for name in SYSTEMS:
        clean, noisy = rates(name)
        yield Bar(
            area="noise",
            name=f"{name} rate",
            figure=f"{clean:.0f} runs per second and core clean, {noisy:.0f} with noise",
            must="printed",
            met=None,
        )


def _passing() -> Iterator[Bar]:
    counts: dict[str, int] = {}

    def counted(system: str) -> Runs:
        runs = passing_of(system)
        counts[system] = len(runs.recipes)
        return runs

    for row in table(counted):
        off = abs(row.low - row.published[0])
        spread = abs(row.low_sd - row.published[1])
        yield Bar(
            area="noise",
            name=f"{row.system} {row.channel}, {counts[row.system]} steps that pass",
            figure=(
                f"{row.low:.2f} ± {row.low_sd:.2f} dB, published {row.published[0]:.2f} ± "
                f"{row.published[1]:.2f}: {off:.2f} dB apart, deviations {spread:.2f} dB"
            ),
            must="mean within 1.5 dB (aim: 1 dB, deviations within 2 dB)",
            met=off <= 1.5,
        )


def _ratios(runs: Runs, kappa: float) -> NDArray[np.float64]:
    """SNR in dB [run, channel]; NaN where a channel has no effect at all."""
    found = ratios(runs.samples, observe(runs, kappa, _key(runs)).samples)
    found[np.isneginf(found)] = np.nan
    return found


def _key(runs: Runs) -> NoiseKey:
    return NoiseKey(SEED, tuple(recipe.digest for recipe in runs.recipes))


if __name__ == "__main__":
    for bar in measure():
        mark = {True: "met", False: "NOT MET", None: ""}[bar.met]
        print(f"{bar.name:32s} {bar.figure:70s} {mark}")
