"""Arrays of the reader beside those of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from benchwright.suites.telemetry.bts.inside.arrays import Array


def array(found: Array) -> npt.NDArray[Any]:
    assert found.type is not None
    return np.frombuffer(found.raw, np.dtype(found.type.text()))


def bits(given: npt.NDArray[Any]) -> tuple[str, bytes]:
    """Type and items without their byte order, which pickle makes the machine's; NaN as bits."""
    little = given.dtype.newbyteorder("<")
    return little.str, given.astype(little).tobytes()


def same(found: Array, given: npt.NDArray[Any]) -> bool:
    return bits(array(found)) == bits(given)
