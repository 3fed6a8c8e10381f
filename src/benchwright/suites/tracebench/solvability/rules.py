"""The rules of a system over many candidates at once: one compiled loop per system.

Takes runs as (samples, events, number of events) and gives the code of the first rule that rejects
each candidate. Knows nothing of ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.solvability import ball_drop, bounce_ball, mass_slide
from benchwright.suites.tracebench.systems._jit import kernel

Samples = NDArray[np.float32]
Events = NDArray[np.int32]
Rows = NDArray[np.int64]
Switches = NDArray[np.bool_]
Series = tuple[Samples, Events, Rows]

_rebounds, _ball_drop = ball_drop.rebounds, ball_drop.rules
_wall_hits, _bounce_ball = bounce_ball.wall_hits, bounce_ball.rules
_mass_slide = mass_slide.rules


@kernel
def _all_ball_drop(
    targets: Series,
    others: Series,
    pairs: Rows,
    parameters: Rows,
    changes: Rows,
    divergences: Rows,
    dt: float,
    on: Switches,
) -> Rows:
    runs, events, counts = targets
    codes = np.empty(runs.shape[0], np.int64)
    for run in range(runs.shape[0]):
        pair = pairs[run]
        hits = _rebounds(runs[run], events[run], counts[run], dt)
        beside = _rebounds(others[0][pair], others[1][pair], others[2][pair], dt)
        codes[run] = _ball_drop(
            runs[run], others[0][pair], hits, beside, parameters[run], divergences[run], dt, on
        )
    return codes


@kernel
def _all_bounce_ball(
    targets: Series,
    others: Series,
    pairs: Rows,
    parameters: Rows,
    changes: Rows,
    divergences: Rows,
    dt: float,
    on: Switches,
) -> Rows:
    runs, events, counts = targets
    codes = np.empty(runs.shape[0], np.int64)
    for run in range(runs.shape[0]):
        pair = pairs[run]
        hits = _wall_hits(runs[run], events[run], counts[run])
        beside = _wall_hits(others[0][pair], others[1][pair], others[2][pair])
        codes[run] = _bounce_ball(
            runs[run], events[run], counts[run], hits, beside, parameters[run], changes[run], on
        )
    return codes


@kernel
def _all_mass_slide(
    targets: Series,
    others: Series,
    pairs: Rows,
    parameters: Rows,
    changes: Rows,
    divergences: Rows,
    dt: float,
    on: Switches,
) -> Rows:
    runs = targets[0]
    codes = np.empty(runs.shape[0], np.int64)
    for run in range(runs.shape[0]):
        other = others[0][pairs[run]]
        codes[run] = _mass_slide(runs[run], other, parameters[run], changes[run], on)
    return codes


RULES: Final[Mapping[str, Callable[..., Any]]] = {
    "BallDrop": _all_ball_drop,
    "BounceBall": _all_bounce_ball,
    "MassSlide": _all_mass_slide,
}
"""rules(targets, others, pairs, parameters, changes, divergences, dt, on) -> codes [run].

`pairs` says which of `others` is the unchanged run of each target, `parameters` which column
steps, `changes` and `divergences` at which row (-1 for a divergence that is never detected)."""

BY_DIVERGENCE: Final = frozenset({"BallDrop"})
"""Systems whose rules look at the first divergence; the others' rules look at the change."""
