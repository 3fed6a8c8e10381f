"""Days, weeks and months as instants, in UTC or by a local clock.

A period is named by its first day. Weeks start on Monday. A day whose midnight the clock skips
starts with the change; one that it skips whole is no day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.corpus.zones import DAY_MS, Zone, zone

_EPOCH: Final = date(1970, 1, 1)
_MONDAY: Final = np.datetime64("1969-12-29")
_FIRST, _AFTER = np.datetime64("1970-01-01"), np.datetime64("2100-01-02")


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open stretch of time in ms, and the first day if it is a period."""

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Periods:
    """Adjacent periods: their first days, and the instants where they start and the last ends."""

    days: NDArray[np.datetime64]
    edges: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.days)

    def windows(self) -> list[Window]:
        """One record per period."""
        edges = self.edges.tolist()
        return [
            Window(start, end, label)
            for start, end, label in zip(edges[:-1], edges[1:], self.labels(), strict=True)
        ]

    def labels(self) -> list[str]:
        """First days as text."""
        return [str(day) for day in self.days]


def window_of(day: date, period: Period, zone: Zone) -> Window:
    """The period that holds `day`."""
    every = _calendar(zone.name, period)
    at = int(np.searchsorted(every.days, np.datetime64(day), side="right")) - 1
    return _slice(every, at, at + 1).windows()[0]


def periods_between(first_ms: int, last_ms: int, period: Period, zone: Zone) -> Periods:
    """Every period that holds an instant from `first_ms` to `last_ms`, both included."""
    every = _calendar(zone.name, period)
    low = int(np.searchsorted(every.edges, first_ms, side="right")) - 1
    return _slice(every, low, int(np.searchsorted(every.edges, last_ms, side="right")))


def local_day(instant: int, zone: Zone) -> date:
    """The date that the clock shows."""
    return _EPOCH + timedelta(days=int(zone.local(np.array([instant]))[0]) // DAY_MS)


def _slice(every: Periods, low: int, high: int) -> Periods:
    return Periods(every.days[low:high], every.edges[low : high + 1])


@cache
def _calendar(zone_name: str, period: Period) -> Periods:
    """Every period from 1970 to 2099; the first week begins in 1969."""
    if period == "month":
        months = np.arange(np.datetime64("1970-01"), np.datetime64("2100-02"))
        days = months.astype("datetime64[D]")
    else:
        step = 7 if period == "week" else 1
        days = np.arange(_MONDAY if step == 7 else _FIRST, _AFTER, step)
    midnights = days.astype("datetime64[ms]").astype(np.int64)
    starts = zone(zone_name).starts_of(midnights)
    shown = np.append(np.diff(starts) > 0, True)  # a day that the clock skipped whole is none
    return Periods(days[shown][:-1], starts[shown])
