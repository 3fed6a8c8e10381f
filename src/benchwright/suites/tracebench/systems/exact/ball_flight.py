"""A ball in flight with quadratic drag, in closed form and without root finding.

One piece of a flight is a rise (sense -1) or a fall (sense +1). With speed p >= 0 in its direction,
k = drag / mass in 1/m and gravity g, p' = sense g - k p^2 has the solution

    X = p B + sense g A      p(t) = (p C + sense g B) / (1 + k X)      dy = -sense ln(1 + k X) / k

where w = sqrt(g k) and, for a fall, C = cosh(w t), B = sinh(w t) / w, A = (cosh(w t) - 1) / w^2;
for a rise the same with cos, sin and 1 - cos. C, B and A are series in sense g k t^2, so nothing
happens at k = 0, where X is the path without drag. All terms of a fall are positive: no
cancellation.
"""

from __future__ import annotations

import math

from benchwright.suites.tracebench.systems._jit import kernel

RISE, FALL = -1.0, 1.0
NO_DRAG = 1e-200
"""1/m; below it the products with k would underflow, and drag is long past the last bit."""
_DEEP = 300.0
"""k y from which exp(2 k y) would come near to overflow; exp(-2 k y) is then nothing."""


@kernel
def shorten(path: float, k: float) -> float:
    """ln(1 + k path) / k: metres travelled when `path` would be travelled without drag."""
    return path if k < NO_DRAG else math.log1p(k * path) / k


@kernel
def advance(
    time: float, y: float, p: float, k: float, g: float, sense: float
) -> tuple[float, float]:
    """Height and speed after `time` seconds of one piece."""
    if k < NO_DRAG:
        c, b, a = 1.0, time, 0.5 * time * time
    else:
        w = math.sqrt(g * k)
        x = w * time
        half = math.sinh(0.5 * x) if sense > 0.0 else math.sin(0.5 * x)
        c = math.cosh(x) if sense > 0.0 else math.cos(x)
        b = (math.sinh(x) if sense > 0.0 else math.sin(x)) / w
        a = 2.0 * half * half / (w * w)
    path = p * b + sense * g * a
    return y - sense * shorten(path, k), (p * c + sense * g * b) / (1.0 + k * path)


@kernel
def apex(y: float, p: float, k: float, g: float) -> tuple[float, float]:
    """Seconds to the highest point of a rise that begins with speed p at y, and its height."""
    if k < NO_DRAG:
        return p / g, y + 0.5 * p * p / g
    w = math.sqrt(g * k)
    return math.atan(p * w / g) / w, y + 0.5 * math.log1p(k * p * p / g) / k


@kernel
def fall_time(y: float, p: float, k: float, g: float) -> float:
    """Seconds from height y >= 0, with downward speed p, to the ground."""
    if k < NO_DRAG:
        return 2.0 * y / (p + math.sqrt(p * p + 2.0 * g * y)) if y > 0.0 else 0.0
    w = math.sqrt(g * k)
    s = p * w / g
    depth = k * y
    if depth > _DEEP:
        return (depth + math.log(2.0 / (1.0 + s))) / w
    near, far = math.expm1(depth), math.expm1(2.0 * depth)
    return (
        math.log1p((near + far / (s + math.sqrt(s * s + far))) / (1.0 + s)) / w if y > 0.0 else 0.0
    )


@kernel
def ground_speed(y: float, p: float, k: float, g: float) -> float:
    """Speed at the ground of a fall from height y with downward speed p."""
    if k < NO_DRAG:
        return math.sqrt(p * p + 2.0 * g * y)
    lost = math.expm1(-2.0 * k * y)
    return math.sqrt(p * p * (1.0 + lost) - lost * g / k)
