"""Whole numbers that look random and are the same on every machine and with every library."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def draws(seed: int, what: str, count: int, low: int, high: int) -> Ints:
    """`count` whole numbers from `low` up to and including `high`, decided by seed and name."""
    key = hashlib.sha256(f"{seed}:{what}".encode()).digest()[:8]
    mixed = _mixed(np.arange(count, dtype=np.uint64) + np.uint64(int.from_bytes(key, "little")))
    return (mixed % np.uint64(high - low + 1)).astype(np.int64) + low


def triangle(at: Ints, period: int, height: int) -> Ints:
    """A wave of straight lines: 0 at multiples of `period`, `height` half-way, whole numbers."""
    place = at % period
    return np.minimum(place, period - place) * 2 * height // period


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64."""
    with np.errstate(over="ignore"):
        z = state * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
