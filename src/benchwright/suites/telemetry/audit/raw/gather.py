"""Readings of one stream from several places: in order, doubles once, conflicts told."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import compress
from operator import eq, lt

from benchwright.suites.telemetry.audit.findings import UnusableInput


@dataclass(slots=True)
class Readings:
    """Parallel arrays of one stream: ms since 1970, values, marks (a byte each)."""

    times: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    marks: bytearray = field(default_factory=bytearray)

    def extend(self, other: Readings) -> None:
        """Append the readings of another place."""
        self.times.extend(other.times)
        self.values.extend(other.values)
        self.marks.extend(other.marks)


def settled(name: str, found: Readings, conflicts: str) -> Readings:
    """In order of time, each instant once.

    Equal readings count once, with the marks of all. Two different ones stop (`refuse`) or are both
    left out (`drop`).
    """
    times = found.times
    if all(map(lt, times, times[1:])):
        return found
    order = sorted(range(len(times)), key=times.__getitem__)
    at = array("q", [times[i] for i in order])
    values = array("d", [found.values[i] for i in order])
    marks = bytearray(found.marks[i] for i in order)
    again = list(compress(range(1, len(at)), map(eq, at[1:], at)))
    if not again:
        return Readings(at, values, marks)
    keep = bytearray(b"\1") * len(at)
    for last in reversed(again):
        keep[last] = 0
        marks[last - 1] |= marks[last]
    _conflicts(name, at, values, keep, again, conflicts)
    return Readings(
        array("q", compress(at, keep)),
        array("d", compress(values, keep)),
        bytearray(compress(marks, keep)),
    )


def _conflicts(
    name: str,
    at: array[int],
    values: array[float],
    keep: bytearray,
    again: list[int],
    policy: str,
) -> None:
    """Two different values at one instant stop, or take the one that would be kept along."""
    for place in again:
        if values[place] == values[place - 1]:
            continue
        if policy != "drop":
            both = sorted((values[place], values[place - 1]))
            raise UnusableInput(f"two readings of {name!r} at {at[place]}: {both}")
        keep[bisect_left(at, at[place])] = 0


def merged(parts: Mapping[str, list[Readings]]) -> dict[str, Readings]:
    """The parts of every stream behind each other."""
    made = {}
    for name, pieces in parts.items():
        made[name] = whole = Readings()
        for piece in pieces:
            whole.extend(piece)
    return made
