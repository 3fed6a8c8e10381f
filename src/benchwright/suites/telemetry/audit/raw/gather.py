"""Readings of one stream from several places: in order, doubles once, conflicts told."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

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
    if all(map(int.__lt__, times, times[1:])):
        return found
    order = sorted(range(len(times)), key=times.__getitem__)
    groups: dict[int, list[int]] = {}
    for index in order:
        groups.setdefault(times[index], []).append(index)
    made = Readings()
    for at, places in groups.items():
        values = {found.values[i] for i in places}
        if len(values) > 1:
            if conflicts != "drop":
                raise UnusableInput(f"two readings of {name!r} at {at}: {sorted(values)}")
            continue
        made.times.append(at)
        made.values.append(values.pop())
        made.marks.append(_joined(found.marks, places))
    return made


def _joined(marks: bytearray, places: list[int]) -> int:
    joined = 0
    for index in places:
        joined |= marks[index]
    return joined


def merged(parts: Mapping[str, list[Readings]]) -> dict[str, Readings]:
    """The parts of every stream behind each other."""
    made = {}
    for name, pieces in parts.items():
        made[name] = whole = Readings()
        for piece in pieces:
            whole.extend(piece)
    return made
