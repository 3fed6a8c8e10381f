"""Simple vetoes beside the ratio tests: can the cause of a difference be seen at all (facts, 5.2)?

Takes clean runs and their no-change probes; gives the reason of a refusal. These are the plain
parts of the published rules, with the row of the change in place of the first detected divergence.
Some steps differ clearly from both probes and yet look like a step in another parameter: mass
without a contact afterwards, say, is drag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.simulate import Runs, change_row, rows_of
from benchwright.suites.tracebench.systems import EventKind

MOST_REBOUNDS: Final = 24
MOST_WALL_HITS: Final = 19
LEAST_APEX_M: Final = 0.1
LEAST_HIT_SPEED: Final = 0.1
LEAST_WALL_FORCE_N: Final = 500.0
LEAST_SRD: Final = 0.2
LEAST_ROWS: Final = 5
SLIDING: Final = 0.01
"""m/s, the breakaway velocity."""

_WALLS: Final = (EventKind.IMPACT_LEFT, EventKind.IMPACT_RIGHT)


def refusal(target: Runs, unchanged: Runs, index: int) -> str | None:
    """Why the cause of the step of run `index` cannot be told; `None` if it can."""
    step = target.recipes[index].step
    if step is None:
        return None
    row = change_row(target.system, step.time)
    return _RULES[target.system.name](target, unchanged, index, step.parameter, row)


def _ball_drop(target: Runs, unchanged: Runs, index: int, parameter: str, row: int) -> str | None:
    hits = [rows_of(runs.events[index], EventKind.IMPACT) for runs in (target, unchanged)]
    if max(len(rows) for rows in hits) > MOST_REBOUNDS:
        return "too many rebounds"
    if max(_apex(runs, index, row) for runs in (target, unchanged)) <= LEAST_APEX_M:
        return "no apex above 0.1 m after the change"
    if parameter != "gravity" and not _both_sides(hits[0], row):
        return "no rebound before or after the change"
    return None


def _bounce_ball(target: Runs, unchanged: Runs, index: int, parameter: str, row: int) -> str | None:
    hits = [_wall_hits(runs, index) for runs in (target, unchanged)]
    if max(len(rows) for rows in hits) > MOST_WALL_HITS:
        return "too many wall hits"
    if parameter not in ("mass", "viscous_damping"):
        return None
    if not _both_sides(hits[0], row):
        return "no wall hit before or after the change"
    strong = np.flatnonzero(target.samples[index, 2] > LEAST_WALL_FORCE_N)
    return None if _both_sides(strong, row) else "no strong right contact on both sides"


def _mass_slide(target: Runs, unchanged: Runs, index: int, parameter: str, row: int) -> str | None:
    if "friction" not in parameter:
        return None
    moving = np.abs(target.samples[index, 0, row:]) >= SLIDING
    if int(moving.sum()) < LEAST_ROWS:
        return "does not slide again after the change"
    if parameter.startswith("breakaway") and not _apart(target, unchanged, index):
        return "never clearly apart for five rows"
    return None


_Rule = Callable[[Runs, Runs, int, str, int], str | None]
_RULES: Final[Mapping[str, _Rule]] = {
    "BallDrop": _ball_drop,
    "BounceBall": _bounce_ball,
    "MassSlide": _mass_slide,
}


def _both_sides(rows: NDArray[np.integer], row: int) -> bool:
    return bool((rows < row).any() and (rows >= row).any())


def _apex(runs: Runs, index: int, row: int) -> float:
    """Height of the first turning point after `row` in metres; 0 if there is none."""
    height, velocity = runs.samples[index, 0], runs.samples[index, 1]
    turns = np.flatnonzero((velocity[row:-1] > 0.0) & (velocity[row + 1 :] <= 0.0)) + row
    return float(max(height[turns[0]], height[turns[0] + 1])) if turns.size else 0.0


def _wall_hits(runs: Runs, index: int) -> NDArray[np.integer]:
    """Rows of impacts at either wall that come in faster than 0.1 m/s."""
    rows: NDArray[np.integer] = rows_of(runs.events[index], *_WALLS)
    before = np.abs(runs.samples[index, 1, np.maximum(rows - 1, 0)])
    kept: NDArray[np.integer] = rows[before > LEAST_HIT_SPEED]
    return kept


def _apart(target: Runs, unchanged: Runs, index: int) -> bool:
    """Whether some channel keeps a symmetric relative difference above 0.2 for five rows."""
    a = target.samples[index].astype(np.float64)
    b = unchanged.samples[index].astype(np.float64)
    far = 2.0 * np.abs(a - b) > LEAST_SRD * (np.abs(a) + np.abs(b))
    windows = np.lib.stride_tricks.sliding_window_view(far, LEAST_ROWS, axis=1)
    return bool(windows.all(axis=2).any())
