"""A mass on a tilted rail with viscous damping: closed form, and when it reaches a wall.

With k = damping / mass in 1/s and the pull a in m/s^2 towards the left wall, v' = -k v - a. So

    v(t) = v E - a S        x(t) = x + v S - a D
    E = exp(-k t)           S = (1 - E) / k        D = (t - S) / k

and E, S, D are series in k t where k t is small, so k = 0 is no special case. The velocity goes to
-a/k monotonically: it changes sign at most once, and each side of that is searched by itself.
"""

from __future__ import annotations

import math

from benchwright.suites.tracebench.systems._jit import kernel

LEFT_WALL, RIGHT_WALL = 0.0, 15.0
"""Metres."""
_SERIES = 0.5
"""k t below which 14 terms of the series reach the last bit."""
_LAST = 1e-10
"""Relative size of the last Newton step: convergence is quadratic, the next is below a bit."""
_MOST_STEPS = 200
_NO_DAMPING = 1e-200


@kernel
def forms(t: float, k: float) -> tuple[float, float, float]:
    """E, S, D after t seconds."""
    z = k * t
    if z >= _SERIES:
        e = math.exp(-z)
        s = (1.0 - e) / k
        return e, s, (t - s) / k
    late = z * (1 / 87178291200 - z * (1 / 1307674368000))
    late = z * (1 / 39916800 - z * (1 / 479001600 - z * (1 / 6227020800 - late)))
    late = z * (1 / 5040 - z * (1 / 40320 - z * (1 / 362880 - z * (1 / 3628800 - late))))
    d = t * t * (1 / 2 - z * (1 / 6 - z * (1 / 24 - z * (1 / 120 - z * (1 / 720 - late)))))
    s = t - k * d
    return 1.0 - k * s, s, d


@kernel
def turning_time(v: float, k: float, a: float) -> float:
    """Seconds until the velocity changes sign; infinite if it never does."""
    if v * a <= 0.0:
        return math.inf
    z = k * (v / a)
    return math.log1p(z) / k if z > _NO_DAMPING else v / a


@kernel
def moved(t: float, motion: tuple[float, float, float]) -> float:
    """Metres to the right after t seconds of the motion (v, k, a)."""
    v, k, a = motion
    _, s, d = forms(t, k)
    return v * s - a * d


@kernel
def _reach(
    gap: float,
    sense: float,
    motion: tuple[float, float, float],
    span: tuple[float, float],
    guess: float,
) -> float:
    """When `gap` metres are reached; within `span` the mass moves in direction `sense` only.

    Newton, halving the bracket whenever a step would leave it.
    """
    v, k, a = motion
    low, high = span
    time = min(max(guess, low), high)
    for _ in range(_MOST_STEPS):
        e, s, d = forms(time, k)
        ahead, slope = sense * (v * s - a * d - gap), sense * (v * e - a * s)
        if ahead < 0.0:
            low = time
        else:
            high = time
        new = time - ahead / slope if slope > 0.0 else math.inf
        if not low <= new <= high:
            new = 0.5 * (low + high)
        if abs(new - time) <= _LAST * new:
            return new
        time = new
    return time


@kernel
def _first_guess(gap: float, v: float, b: float) -> float:
    """Seconds to cover `gap` with speed v and constant acceleration b in the same direction."""
    return 2.0 * gap / (v + math.sqrt(max(v * v + 2.0 * b * gap, 0.0)))


@kernel
def next_hit(x: float, motion: tuple[float, float, float], limit: float) -> tuple[float, float]:
    """Seconds to the next wall and its side (-1 left, 1 right); infinite and 0 if after `limit`."""
    v, k, a = motion
    turn = 0.0
    sense = -math.copysign(1.0, a)
    if v != 0.0:
        sense = math.copysign(1.0, v)
        turn = turning_time(v, k, a)
        gap = (RIGHT_WALL if sense > 0.0 else LEFT_WALL) - x
        until = min(turn, limit)
        if sense * (moved(until, motion) - gap) >= 0.0:
            guess = _first_guess(sense * gap, abs(v), -sense * (k * v + a))
            return _reach(gap, sense, motion, (0.0, until), guess), sense
        sense = -sense
    gap = (RIGHT_WALL if sense > 0.0 else LEFT_WALL) - x
    if a == 0.0 or turn >= limit or sense * (moved(limit, motion) - gap) < 0.0:
        return math.inf, 0.0
    fall = sense * (gap - moved(turn, motion))
    guess = turn + math.sqrt(max(2.0 * fall / abs(a), 0.0))
    return _reach(gap, sense, motion, (turn, limit), guess), sense
