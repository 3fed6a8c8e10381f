"""The rows of a flight, a block at a time: where `exact` BallDrop spends its time.

C, B and A of `ball_flight` at 0, 1, 2, ... sampling intervals are tables of a parameter set and a
sense; a block of rows starts from its own state and needs one division and one short polynomial a
row. The loops over a block touch plain vectors only, so that the compiler makes wide instructions
of them without being allowed to change any result.
"""

from __future__ import annotations

import math

from benchwright.suites.tracebench.systems._jit import kernel, wide_kernel
from benchwright.suites.tracebench.systems.exact.ball_flight import advance, shorten
from benchwright.suites.tracebench.systems.exact.grid import Floats, Samples

LONGEST = 64
"""Rows of a block at most."""
_SMALL, _LARGE = 0.28, 1.0
"""Largest k X for which 9 or 17 terms of the logarithm reach the last bit."""


@kernel
def block_length(k: float, g: float, rate: int) -> int:
    """Rows of a block over which w t stays at most 1, so that nine terms of the series do."""
    length = LONGEST
    while length > 1 and length * math.sqrt(g * k) > rate:
        length //= 2
    return length


@wide_kernel
def fill_table(table: Floats, turn: float, rate: int) -> None:
    """C, B, A [3, i] at i / rate for every i; `turn` is sense g k in 1/s^2."""
    c, b, a = table[0], table[1], table[2]
    for i in range(len(c)):
        t = i / rate
        x = turn * t * t
        even = x * (
            1 / 3628800 + x * (1 / 479001600 + x * (1 / 87178291200 + x * (1 / 20922789888000)))
        )
        even = 1 / 2 + x * (1 / 24 + x * (1 / 720 + x * (1 / 40320 + even)))
        odd = x * (1 / 39916800 + x * (1 / 6227020800 + x * (1 / 1307674368000)))
        odd = 1.0 + x * (1 / 6 + x * (1 / 120 + x * (1 / 5040 + x * (1 / 362880 + odd))))
        a[i] = t * t * even
        b[i] = t * odd
        c[i] = 1.0 + x * even


@kernel
def _few(s: float) -> float:
    """Nine terms of artanh(r) / r in s = r^2."""
    late = s * (1 / 11 + s * (1 / 13 + s * (1 / 15 + s * (1 / 17))))
    return 1.0 + s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + late))))


@kernel
def _many(s: float) -> float:
    """Seventeen terms of the same."""
    late = s * (1 / 27 + s * (1 / 29 + s * (1 / 31 + s * (1 / 33))))
    late = s * (1 / 19 + s * (1 / 21 + s * (1 / 23 + s * (1 / 25 + late))))
    late = s * (1 / 11 + s * (1 / 13 + s * (1 / 15 + s * (1 / 17 + late))))
    return 1.0 + s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + late))))


@wide_kernel
def _block(
    heights: Samples,
    velocities: Samples,
    table: Floats,
    start: tuple[float, float, float],
    k: float,
    g: float,
    small: bool,
) -> None:
    """Rows of one block; ln(1 + z) is 2 artanh(z / (2 + z)), both quotients from one division."""
    y, p, sense = start
    pull, twice = sense * g, 2.0 * sense
    c, b, a = table[0], table[1], table[2]
    if small:
        for i in range(len(heights)):
            path = p * b[i] + pull * a[i]
            z = k * path
            both = 1.0 / ((1.0 + z) * (2.0 + z))
            over = (1.0 + z) * both
            r = z * over
            heights[i] = y - twice * path * over * _few(r * r)
            velocities[i] = -sense * (p * c[i] + pull * b[i]) * ((2.0 + z) * both)
    else:
        for i in range(len(heights)):
            path = p * b[i] + pull * a[i]
            z = k * path
            both = 1.0 / ((1.0 + z) * (2.0 + z))
            over = (1.0 + z) * both
            r = z * over
            heights[i] = y - twice * path * over * _many(r * r)
            velocities[i] = -sense * (p * c[i] + pull * b[i]) * ((2.0 + z) * both)


@kernel
def fill_piece(
    samples: Samples,
    rows: tuple[int, int],
    late: float,
    piece: tuple[float, float, float],
    drag: tuple[float, float],
    table: Floats,
    length: int,
) -> None:
    """Rows first to end - 1 of a piece (y, p, sense) that began `late` seconds before the first."""
    y, p, sense = piece
    k, g = drag
    row, end = rows[0], min(rows[1], samples.shape[1])
    if row < end:
        y, p = advance(max(late, 0.0), y, p, k, g, sense)
    while row < end:
        size = min(length, end - row)
        z = k * (p * table[1, size - 1] + sense * g * table[2, size - 1])
        while z > _LARGE and size > 1:
            size //= 2
            z = k * (p * table[1, size - 1] + sense * g * table[2, size - 1])
        stop = row + size
        start = (y, p, sense)
        _block(samples[0, row:stop], samples[1, row:stop], table, start, k, g, z <= _SMALL)
        path = p * table[1, size] + sense * g * table[2, size]
        y -= sense * shorten(path, k)
        p = (p * table[0, size] + sense * g * table[1, size]) / (1.0 + k * path)
        row = stop
