"""Which split a question may belong to: what is held out is touched by test rows only.

Takes a family, the points that a question is about and its window; gives `test`, `rest` or None. A
question that is not a test row may touch nothing that any family holds out, streams or windows; one
that lies partly in a held-out window belongs to no split.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Literal

from benchwright.suites.telemetry.contract.model import Contract, Family, HeldOut
from benchwright.suites.telemetry.contract.periods import Window, window_of
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.zones import Zone, zone

Part = Literal["test", "rest"]

_FIRST = date(1970, 1, 1)
"""No reading lies before it, so that a window may begin at any earlier day."""


def part_of(
    family: Family, points: Sequence[Point], window: Window, contract: Contract, clock: Zone
) -> Part | None:
    """The split of a question, or None where no split may hold it."""
    own = contract.held_out[family.held_out]
    touched = _touch(own, points, window, clock)
    if touched == "inside":
        return "test"
    if touched == "across":
        return None
    return "rest" if trains(points, window, contract, clock) else None


def trains(points: Sequence[Point], window: Window, contract: Contract, clock: Zone) -> bool:
    """Whether nothing held out by any family is touched; thresholds are taken of such windows."""
    every = held_parts(contract)
    return all(_touch(held, points, window, clock) == "outside" for held in every)


def held_parts(contract: Contract) -> list[HeldOut]:
    """What families hold out; a part that none of them names holds nothing out."""
    named = {family.held_out for family in contract.family}
    return [held for name, held in contract.held_out.items() if name in named]


def _touch(
    held: HeldOut, points: Sequence[Point], window: Window, clock: Zone
) -> Literal["inside", "across", "outside"]:
    if held.field is not None:
        inside = [getattr(point, held.field) in held.values for point in points]
        return "inside" if all(inside) else "across" if any(inside) else "outside"
    for start, end in _instants(held.windows, clock.name):
        if window.start >= start and window.end <= end:
            return "inside"
        if window.start < end and window.end > start:
            return "across"
    return "outside"


def held_windows(contract: Contract, clock: Zone) -> list[tuple[int, int]]:
    """Every held-out window as instants."""
    every = held_parts(contract)
    return [pair for held in every for pair in _instants(held.windows, clock.name)]


def is_held(point: Point, contract: Contract) -> bool:
    """Whether a stream occurs in test rows only, whatever the window."""
    return any(
        held.field is not None and getattr(point, held.field) in held.values
        for held in held_parts(contract)
    )


@cache
def _instants(windows: tuple[tuple[str, str], ...], zone_name: str) -> tuple[tuple[int, int], ...]:
    return tuple(
        (
            window_of(max(date.fromisoformat(first), _FIRST), "day", zone(zone_name)).start,
            window_of(max(date.fromisoformat(after), _FIRST), "day", zone(zone_name)).start,
        )
        for first, after in windows
    )
