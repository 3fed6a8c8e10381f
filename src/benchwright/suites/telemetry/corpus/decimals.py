"""Whether doubles are decimals of few places, so that sums over them can be exact.

A double v is the decimal m / 10**k when v * 10**k rounds to an integer m below 2**53 and m / 10**k
is v again: division is rounded correctly, so it gives the double nearest to that decimal, which is
what reading the text of the decimal gives as well. With at most 15 digits no two decimals share a
double, so a file that says 9.94 and one that says 9.940000000000001 are told apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_PLACES: Final = 6
_LARGEST: Final = 10.0**15


class Places:
    """The least number of decimal places that all values have, values coming in pieces."""

    def __init__(self) -> None:
        self._most: int | None = 0
        self._largest = 0.0

    def add(self, value: NDArray[np.float64]) -> None:
        """Some more values."""
        if not value.size or self._most is None:
            return
        self._largest = max(self._largest, float(np.abs(value).max()))
        found = _places(value)
        self._most = None if found is None else max(found, self._most)

    @property
    def places(self) -> int | None:
        """None beyond `MOST_PLACES`, or where a value has too many digits for it."""
        if self._most is None or self._largest * 10.0**self._most >= _LARGEST:
            return None
        return self._most


def places(value: NDArray[np.float64]) -> int | None:
    """The least number of decimal places that all values have, or None beyond `MOST_PLACES`."""
    found = Places()
    found.add(value)
    return found.places


def _places(value: NDArray[np.float64]) -> int | None:
    left = value
    for k in range(MOST_PLACES + 1):
        left = left[~_has_places(left, k)]
        if not left.size:
            return k
    return None


def scaled(value: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """The integers m of values that have `k` places."""
    return np.rint(value * 10.0**k).astype(np.int64)


def _has_places(value: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    power = 10.0**k
    whole = np.rint(value * power)
    fits: NDArray[np.bool_] = (np.abs(whole) < _LARGEST) & (whole / power == value)
    return fits
