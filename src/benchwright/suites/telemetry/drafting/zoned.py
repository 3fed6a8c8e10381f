"""What the times of a group mean: the zone, as far as files tell it, and repeated hours.

Takes groups; gives the time rule of each, with remarks. A zone is proposed only where times that
stand twice fall into the hour that its clocks pass twice; else it is UTC, to be set by a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.suites.telemetry.corpus.zones import Ints, to_utc, zone
from benchwright.suites.telemetry.drafting.clocks import ZONES, fitting_zone, offset_zone
from benchwright.suites.telemetry.drafting.groups import Group


@dataclass(frozen=True, slots=True)
class Times:
    """The time rule of a group, but for its column."""

    zone: str
    repeated: str | None
    remarks: tuple[str, ...]

    def utc(self, local: Ints) -> Ints:
        """Instants of wall-clock times of one file in the order of its rows."""
        if self.repeated is None:
            return local
        return to_utc(local, zone(self.zone), self.repeated, "forward", "draft")[0]


def zone_of(groups: Sequence[Group]) -> tuple[str, str]:
    """Zone of the calendar, and why: the one that times which stand twice speak for, else UTC."""
    told = [group for group in groups if not group.clocks[0].fixed and not _says_utc(group)]
    found = fitting_zone([times for group in told for times in group.times()]) if told else None
    if found is None and (name := offset_zone([c for group in groups for c in group.clocks])):
        why = f"offsets of times change as those of {ZONES[name]} do"
        return name, f"{why}; other zones have the same, so write yours"
    if found is None and all(group.clocks[0].fixed for group in groups):
        why = "times say which instants they are, but not whose days are meant"
        return "UTC", f"{why}; UTC stands here until you write your zone"
    if found is None:
        why = "nothing in the files tells the zone; UTC stands here until you write yours"
        return "UTC", why
    name, at = found
    shown = str(np.datetime64(at, "ms").astype("datetime64[m]")).replace("T", " ")
    return name, (
        f"times such as {shown} stand twice, as on clocks of {ZONES[name]}; "
        "other zones have the same changes, so write yours"
    )


def times_of(group: Group, calendar: str) -> Times:
    """The time rule of a group where the calendar has that zone."""
    remarks = _doubt(group)
    clock = group.clocks[0]
    if clock.zone is not None:
        return Times(clock.zone, None, remarks)
    if _says_utc(group):
        said = f"column {' and '.join(clock.columns)!r} says that its times are UTC; true?"
        return Times("UTC", _repeated(group, "UTC"), (*remarks, said))
    repeated = _repeated(group, calendar)
    remarks = (*remarks, "the zone of the clock that wrote these times, an IANA name.")
    if repeated == "earlier":
        remarks = (
            *remarks,
            "rows are in no order that could tell the two passes of an "
            "hour that the clock shows twice, so both are read as the earlier one.",
        )
    return Times(calendar, repeated, remarks)


def _says_utc(group: Group) -> bool:
    words = re.split(r"[\W_]+", " ".join(group.clocks[0].columns).lower())
    return bool({"utc", "gmt", "zulu"} & set(words))


def _doubt(group: Group) -> tuple[str, ...]:
    if group.doubt is None or group.doubt[0] == group.doubt[1]:
        return ()
    taken, other = group.doubt
    return (
        f"day or month first: every time can be read as {taken} and as {other}, and here it is "
        f"{taken}; look at a date that you know.",
    )


def _repeated(group: Group, name: str) -> str:
    """`file_order` where every file is in order of time but for repeated hours."""
    if group.long is not None:
        return "earlier"
    _, _, twice, _ = zone(name).instants(np.concatenate([c.local for c in group.clocks]))
    places = np.cumsum([0, *(len(c.local) for c in group.clocks)])
    for clock, start in zip(group.clocks, places, strict=False):
        values, inverse, counts = np.unique(clock.local, return_inverse=True, return_counts=True)
        assert len(values)
        plain = (counts[inverse] == 1) & ~twice[start : start + len(clock.local)]
        steps = np.diff(clock.local[plain])
        if not ((steps >= 0).all() or (steps <= 0).all()):
            return "earlier"
    return "file_order"
