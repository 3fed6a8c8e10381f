"""From arrays as they stand in a member to rows: times in whole milliseconds, values as float64.

Takes times as seconds since 1970 or as datetime64, and values of any number type; gives rows in the
order of the member, and counts of what was dropped and why. Nothing is repaired, sorted or clipped:
garbage that is a number stays a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchwright.suites.telemetry.bts.limits import Layout

REASONS: Final = ("no time", "time out of range", "no value", "infinite value")
"""Why a row is dropped; the first that holds counts."""
_PER_MS: Final = {"ns": 1_000_000, "us": 1000, "ms": 1}
_CLOSE: Final = 1e-3
"""Share of a millisecond: seconds since 1970 in float64 are this far from what was meant."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What is kept of one member; the arrays have the same length."""

    row: npt.NDArray[np.int32]
    """Place in the member, from 0."""
    time_ms: npt.NDArray[np.int64]
    """Milliseconds since 1970-01-01 UTC, finer parts cut off."""
    value: npt.NDArray[np.float64]
    dropped: Mapping[str, int]
    """Rows per reason, zeros left out."""
    cut_times: int
    """Kept rows whose time had a finer part."""
    rounded_values: int
    """Kept rows whose integer has no float64 of its own."""
    backwards: int
    """Kept rows whose time is before that of the row above."""
    repeated: int
    """Kept rows whose time an earlier row has too."""


def rows(times: npt.NDArray[Any], values: npt.NDArray[Any], layout: Layout) -> Rows | None:
    """Rows of one member, or None where its times are of a type that cannot hold seconds.

    `times` and `values` are flat and equally long. float32 cannot: it steps by 128 s today.
    """
    if times.dtype.kind not in "Miuf" or times.dtype.itemsize < 4 or times.dtype.str[1:] == "f4":
        return None
    known, ms, parted = _instants(times)
    number = values.astype(np.float64)
    absent, infinite = np.isnan(number), np.isinf(number)
    within = known & (ms >= layout.earliest_ms) & (ms < layout.latest_ms)
    kept = within & ~absent & ~infinite
    lost = (~known, known & ~within, within & absent, within & infinite)
    counts = {reason: int(mask.sum()) for reason, mask in zip(REASONS, lost, strict=True)}
    time = ms[kept]
    backwards, repeated = _order(time)
    return Rows(
        np.flatnonzero(kept).astype(np.int32),
        time,
        number[kept],
        {reason: count for reason, count in counts.items() if count},
        int((parted & kept).sum()),
        int((_inexact(values) & kept).sum()),
        backwards,
        repeated,
    )


Instants = tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64], npt.NDArray[np.bool_]]


def _instants(times: npt.NDArray[Any]) -> Instants:
    """Which rows have a time, those times in ms, and which have a finer part."""
    if times.dtype.kind == "M":
        return _of_datetimes(times)
    if times.dtype.kind == "f":
        return _of_floats(times.astype(np.float64))
    if times.dtype.kind == "u" and times.dtype.itemsize == 8:
        times = np.minimum(times, np.uint64(2**62))
    return _of_seconds(times.astype(np.int64), np.ones(len(times), dtype=bool))


def _of_datetimes(times: npt.NDArray[Any]) -> Instants:
    unit = np.datetime_data(times.dtype)[0]
    known = ~np.isnat(times)
    count = times.astype(times.dtype.newbyteorder("=")).view(np.int64)
    if unit == "s":
        return _of_seconds(count, known)
    whole, part = np.divmod(count, _PER_MS[unit])
    return known, whole, part != 0


def _of_seconds(count: npt.NDArray[np.int64], known: npt.NDArray[np.bool_]) -> Instants:
    """Seconds beyond what 64 bits of milliseconds hold are far outside any range, and stay so."""
    most = 2**62 // 1000
    return known, np.clip(count, -most, most) * 1000, np.zeros(len(count), dtype=bool)


def _of_floats(seconds: npt.NDArray[np.float64]) -> Instants:
    known = np.isfinite(seconds)
    most = float(2**62 // 1000)
    plain = np.clip(np.where(known, seconds, 0.0), -most, most)
    whole = np.floor(plain)
    part = (plain - whole) * 1000.0
    near = np.floor(part + 0.5)
    finer = np.abs(part - near) > _CLOSE
    ms = np.where(finer, np.floor(part), near).astype(np.int64)
    return known, whole.astype(np.int64) * 1000 + ms, finer


def _inexact(values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return np.zeros(len(values), dtype=bool)
    return np.asarray(values.astype(np.longdouble) != values.astype(np.float64))


def _order(time: npt.NDArray[np.int64]) -> tuple[int, int]:
    steps = np.diff(time)
    backwards = int((steps < 0).sum())
    if backwards:
        steps = np.diff(np.sort(time))
    return backwards, int((steps == 0).sum())
