"""Why a candidate is not kept, and which of the reasons are vetoes that can be switched off.

One vocabulary for all systems. A code is a small integer in compiled loops and a name in tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray


class Reason(IntEnum):
    """The first reason, in the order in which a candidate is examined; 0 means none."""

    KEPT = 0
    """Nothing speaks against it."""
    NO_VALID_VALUE = 1
    """The policy asks for a value that the interval or the least difference does not allow."""
    OUT_OF_ORDER = 2
    """Breakaway friction below Coulomb friction in a configuration."""
    NOT_FINITE = 3
    """A series holds a number that is not finite."""
    TOO_MANY_REBOUNDS = 4
    """BallDrop: 25 qualifying rebounds or more in one of the traces."""
    TOO_MANY_WALL_HITS = 5
    """BounceBall: 20 impacts or more in one of the traces."""
    NO_WALL_HIT_ON_BOTH_SIDES = 6
    """BounceBall, mass and damping: no qualifying reversal before or after the change."""
    NO_STRONG_HIT_ON_BOTH_SIDES = 7
    """BounceBall, mass and damping: right force never above 500 N before or after the change."""
    NEVER_SLIDES_AGAIN = 8
    """MassSlide, frictions: fewer than five moving rows after the change. Not a published rule."""
    NO_MOTION_ON_BOTH_SIDES = 9
    """MassSlide, gravity: no trace with five rows of motion before and five after the change."""
    NO_BREAKAWAY_DIFFERENCE = 10
    """MassSlide, breakaway: no channel clearly apart for five rows."""
    NO_DIVERGENCE = 11
    """BallDrop: target and unchanged run are never told apart, so no rule can be computed."""
    NO_APEX = 12
    """BallDrop: neither trace turns after the first divergence, so its height is unknown."""
    LOW_APEX = 13
    """BallDrop: first apex after the first divergence not above 0.1 m in either trace."""
    NO_REBOUND_ON_BOTH_SIDES = 14
    """BallDrop, not gravity: no trace with a rebound before and after the first divergence."""
    HIDDEN_DRAG = 15
    """BallDrop, drag: no rebound afterwards, or neither an apart fall nor a terminal one."""
    RATIO_NO_CHANGE = 16
    """Ratio to the run without a change not above 2 in any channel."""
    RATIO_STATIC = 17
    """Ratio to the run with the new value from the start not above 2 in any channel."""
    MONTE_CARLO = 18
    """Two-stage mode: passes in closed form, but not with 128 and 1,024 draws."""
    SINGLE_CAUSE = 19
    """Passes, but fewer than two parameters of its configuration do."""
    TOO_NEAR = 20
    """A configuration nearer to an earlier one than the policy allows."""

    @property
    def text(self) -> str:
        """As tables and reports have it; empty for none."""
        return "" if self is Reason.KEPT else self.name.lower()


VETOES: Final[Mapping[str, tuple[Reason, ...]]] = {
    "BallDrop": (
        Reason.TOO_MANY_REBOUNDS,
        Reason.LOW_APEX,
        Reason.NO_REBOUND_ON_BOTH_SIDES,
        Reason.HIDDEN_DRAG,
    ),
    "BounceBall": (
        Reason.TOO_MANY_WALL_HITS,
        Reason.NO_WALL_HIT_ON_BOTH_SIDES,
        Reason.NO_STRONG_HIT_ON_BOTH_SIDES,
    ),
    "MassSlide": (
        Reason.NEVER_SLIDES_AGAIN,
        Reason.NO_MOTION_ON_BOTH_SIDES,
        Reason.NO_BREAKAWAY_DIFFERENCE,
    ),
}
"""The rules that can be switched off, by system."""


def switches(system: str, off: frozenset[str] = frozenset()) -> NDArray[np.bool_]:
    """Which reasons may reject [reason]; vetoes named in `off` may not."""
    on = np.ones(len(Reason), np.bool_)
    for veto in VETOES[system]:
        on[veto] = veto.text not in off
    return on
