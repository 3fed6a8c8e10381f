"""Fields of a reply against a gold: numbers within a tolerance, instants to the millisecond."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from benchwright.canonical import Json
from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.obligations.spans import moment

SLACK: Final = 1e-9
"""For the rounding of a difference of doubles."""
_SETS: Final = ("candidates", "streams")
_NONE: Final = (None, "", "none", "None", "null")


def differing(
    said: Mapping[str, Any],
    expected: Mapping[str, Json],
    zone: Zone,
    tolerance: float,
    offset_ms: int,
) -> list[str]:
    """Names of fields that are not stated as they should be."""
    exact = {"offset_s": offset_ms / 1000}
    return [
        name
        for name, value in expected.items()
        if not _same(name, said.get(name), value, zone, exact.get(name, tolerance))
    ]


def is_none(said: Any) -> bool:
    """Whether a field says that there is nothing to state."""
    return isinstance(said, str | None) and said in _NONE


def _same(name: str, said: Any, expected: Json, zone: Zone, tolerance: float) -> bool:
    if expected is None:
        return is_none(said)
    if expected == "none" and name == "deciding_check":
        return said in _NONE[1:]
    if said is None:
        return False
    if name == "observed":
        return moment(said, zone) == moment(expected, zone)
    if isinstance(expected, bool) or isinstance(said, bool):
        return said is expected
    if isinstance(expected, int | float):
        return isinstance(said, int | float) and _near(float(said), float(expected), tolerance)
    if isinstance(expected, list):
        listed = isinstance(said, list | tuple)
        if name in _SETS:
            return listed and set(map(str, said)) == set(map(str, expected))
        return listed and [str(x) for x in said] == [str(x) for x in expected]
    return str(said) == str(expected)


def _near(said: float, expected: float, tolerance: float) -> bool:
    apart = abs(said - expected)
    return math.isfinite(said) and apart <= tolerance + SLACK * max(1.0, abs(expected))
