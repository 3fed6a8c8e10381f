"""What can be rejected before a candidate is sampled: by its unchanged run, and by events alone.

Up to the change a candidate is its unchanged run, which is simulated once per configuration. So a
rule that asks for something before the change, and a count of the unchanged run alone, need no run
of the candidate; a rule that asks for a contact afterwards needs its events but no sample. And a
step in a parameter that acts in events only (the restitution of a wall, the breakaway friction
where rest is exact) is the unchanged run throughout if that has no such event from the change on.
Nothing is rejected here that the rules in full would keep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.solvability import ball_drop, bounce_ball, mass_slide
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import EventKind
from benchwright.suites.tracebench.systems._jit import kernel

Events = NDArray[np.int32]
Rows = NDArray[np.int64]
Switches = NDArray[np.bool_]
Series = tuple[NDArray[np.float32], Events, Rows]

UNKNOWN: Final = -1
"""In place of a number of events: those of the candidate are not known."""

_IMPACT, _SETTLE = int(EventKind.IMPACT), int(EventKind.SETTLE)
_LEFT, _RIGHT = int(EventKind.IMPACT_LEFT), int(EventKind.IMPACT_RIGHT)
_LEFT_REST, _RIGHT_REST = int(EventKind.SETTLE_LEFT), int(EventKind.SETTLE_RIGHT)
_STICK, _SLIP, _REVERSE = int(EventKind.STICK), int(EventKind.SLIP), int(EventKind.REVERSE)
_KEPT, _NO_APEX, _LOW = int(Reason.KEPT), int(Reason.NO_APEX), int(Reason.LOW_APEX)
_REBOUNDS, _REBOUND_SIDES = int(Reason.TOO_MANY_REBOUNDS), int(Reason.NO_REBOUND_ON_BOTH_SIDES)
_HITS, _HIT_SIDES = int(Reason.TOO_MANY_WALL_HITS), int(Reason.NO_WALL_HIT_ON_BOTH_SIDES)
_WEAK = int(Reason.NO_STRONG_HIT_ON_BOTH_SIDES)
_STILL = int(Reason.NO_MOTION_ON_BOTH_SIDES)
_ALIKE, _SAME = int(Reason.NO_BREAKAWAY_DIFFERENCE), int(Reason.RATIO_NO_CHANGE)
_RIGHT_WALL = 1
"""The restitutions of the walls are columns 0 and 1."""
_DRAG, _BALL_GRAVITY = 2, 3
_DAMPING, _MASS = 2, 4
_BREAKAWAY, _BLOCK_GRAVITY = 1, 2
_MOST_REBOUNDS, _MOST_HITS = ball_drop.MOST_REBOUNDS, bounce_ball.MOST_HITS
_LEAST_FORCE, _LEAST_ROWS = bounce_ball.LEAST_FORCE, mass_slide.LEAST_ROWS
_rebounds, _wall_hits, _moving = ball_drop.rebounds, bounce_ball.wall_hits, mass_slide.moving_rows


@kernel
def last_row(events: Events, count: int, first: int, second: int) -> int:
    """Row of the last event of either kind; -1 for none."""
    for place in range(count - 1, -1, -1):
        if events[place, 0] == first or events[place, 0] == second:
            return int(events[place, 1])
    return -1


@kernel
def _ball_drop(
    others: Series,
    pairs: Rows,
    own: tuple[Events, Rows],
    parameters: Rows,
    changes: Rows,
    dt: float,
    on: Switches,
    driven: bool,
) -> Rows:
    samples, events, counts = others
    many = np.empty(samples.shape[0], np.bool_)
    for other in range(samples.shape[0]):
        hits = _rebounds(samples[other], events[other], counts[other], dt)
        many[other] = hits.size > _MOST_REBOUNDS
    codes = np.zeros(pairs.shape[0], np.int64)
    for run in range(pairs.shape[0]):
        pair, change = pairs[run], changes[run]
        sided = on[_REBOUND_SIDES] and parameters[run] != _BALL_GRAVITY
        rest = last_row(events[pair], counts[pair], _SETTLE, _SETTLE)
        if on[_REBOUNDS] and many[pair]:
            codes[run] = _REBOUNDS
        elif 0 <= rest < change and on[_LOW]:
            codes[run] = _NO_APEX
        elif 0 <= rest < change and sided:
            codes[run] = _REBOUND_SIDES
        elif sided and own[1][run] >= 0:
            beside = last_row(events[pair], counts[pair], _IMPACT, _IMPACT)
            mine = last_row(own[0][run], own[1][run], _IMPACT, _IMPACT)
            if max(beside, mine) <= change:
                codes[run] = _REBOUND_SIDES
    return codes


@kernel
def _first_strong(samples: NDArray[np.float32], events: Events, count: int) -> int:
    """First row in which the right wall bears more than 500 N; the number of rows for none."""
    for place in range(count):
        kind, row = events[place, 0], events[place, 1]
        if kind in (_RIGHT, _RIGHT_REST) and samples[2, row] > _LEAST_FORCE:
            return int(row)
    return int(samples.shape[1])


@kernel
def _bounce_ball(
    others: Series,
    pairs: Rows,
    own: tuple[Events, Rows],
    parameters: Rows,
    changes: Rows,
    dt: float,
    on: Switches,
    driven: bool,
) -> Rows:
    samples, events, counts = others
    facts = np.empty((samples.shape[0], 3), np.int64)
    lasts = np.empty((samples.shape[0], 2), np.int64)
    for other in range(samples.shape[0]):
        hits = _wall_hits(samples[other], events[other], counts[other])
        facts[other, 0] = hits.size
        facts[other, 1] = hits[0] if hits.size > 0 else samples.shape[2]
        facts[other, 2] = _first_strong(samples[other], events[other], counts[other])
        lasts[other, 0] = last_row(events[other], counts[other], _LEFT, _LEFT_REST)
        lasts[other, 1] = last_row(events[other], counts[other], _RIGHT, _RIGHT_REST)
    codes = np.zeros(pairs.shape[0], np.int64)
    for run in range(pairs.shape[0]):
        count, first, strong = facts[pairs[run]]
        mine, known, change = own[0][run], own[1][run], changes[run]
        if on[_HITS] and count > _MOST_HITS:
            codes[run] = _HITS
        elif parameters[run] <= _RIGHT_WALL and lasts[pairs[run], parameters[run]] < change:
            codes[run] = _SAME
        elif parameters[run] == _MASS or parameters[run] == _DAMPING:
            unmet = known >= 0 and last_row(mine, known, _LEFT, _RIGHT) < change
            weak = known >= 0 and last_row(mine, known, _RIGHT, _RIGHT_REST) < change
            if on[_HIT_SIDES] and (first >= change or unmet):
                codes[run] = _HIT_SIDES
            elif on[_WEAK] and (strong >= change or weak):
                codes[run] = _WEAK
    return codes


@kernel
def _last_turn(events: Events, count: int) -> int:
    """Row of the last stick, slip or reversal; -1 for none."""
    return max(last_row(events, count, _STICK, _SLIP), last_row(events, count, _REVERSE, _STICK))


@kernel
def _mass_slide(
    others: Series,
    pairs: Rows,
    own: tuple[Events, Rows],
    parameters: Rows,
    changes: Rows,
    dt: float,
    on: Switches,
    driven: bool,
) -> Rows:
    codes = np.zeros(pairs.shape[0], np.int64)
    for run in range(pairs.shape[0]):
        pair, change = pairs[run], changes[run]
        if driven and parameters[run] == _BREAKAWAY and change > 0:
            turn = _last_turn(others[1][pair], others[2][pair])
            if turn < change and others[0][pair, 0, change - 1] != 0.0:
                codes[run] = _ALIKE if on[_ALIKE] else _SAME
        if on[_STILL] and parameters[run] == _BLOCK_GRAVITY:
            before = others[0][pair, 0, :change]
            if _moving(before, 0.0) < _LEAST_ROWS:
                codes[run] = _STILL
    return codes


EARLY: Final[Mapping[str, Callable[..., Any]]] = {
    "BallDrop": _ball_drop,
    "BounceBall": _bounce_ball,
    "MassSlide": _mass_slide,
}
"""early(others, pairs, (events, numbers of events), parameters, changes, dt, on, driven) -> codes
[run]; `driven` says that the dynamics goes from event to event."""

BY_EVENTS: Final[Mapping[str, tuple[int, ...]]] = {
    "BallDrop": (0, 1, _DRAG),
    "BounceBall": (_DAMPING, _MASS),
    "MassSlide": (),
}
"""Columns whose steps the events of the candidate may reject."""
