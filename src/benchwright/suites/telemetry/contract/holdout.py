"""Which split a question may belong to: what is held out is touched by test rows only.

Takes a family, the points that a question is about and its window; gives `test`, `rest` or None. A
question that is not a test row may touch nothing that any family holds out, streams or windows; one
that lies partly in a held-out window belongs to no split.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Literal

from benchwright.errors import SpecError
from benchwright.storage import nearest
from benchwright.suites.telemetry.contract.model import Contract, Family, HeldOut
from benchwright.suites.telemetry.contract.periods import Window, local_day, window_of
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
    return [held for _, held in _named(contract)]


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


def refuse_unknown(contract: Contract, points: Iterable[Point], where: str) -> None:
    """Refuse a held-out value that no point has: it would hold nothing out.

    Raises:
        SpecError: the first such value, with the nearest that there is.
    """
    every = list(points)
    for name, held in _named(contract):
        known = {v for p in every if held.field and (v := getattr(p, held.field)) is not None}
        for value in held.values:
            if value not in known:
                raise SpecError(
                    f"held-out value is no {held.field} of the corpus",
                    value=value,
                    where=f"{where}: contract: held_out {name}",
                    hint=nearest(value, known) if known else f"No point has a {held.field}.",
                )


def refuse_outside(contract: Contract, span: tuple[int, int], clock: Zone, where: str) -> None:
    """Refuse a held-out window outside of `span`: first and last instant of all readings in ms.

    Raises:
        SpecError: the first such window, with the days of the first and the last reading.
    """
    for name, held in _named(contract):
        instants = _instants(held.windows, clock.name)
        for pair, (start, end) in zip(held.windows, instants, strict=True):
            if end <= span[0] or start > span[1]:
                days = (local_day(at, clock) for at in span)
                raise SpecError(
                    "held-out window lies outside of the data",
                    value=list(pair),
                    where=f"{where}: contract: held_out {name}",
                    hint="Readings run from {} to {}.".format(*days),
                )


def _named(contract: Contract) -> list[tuple[str, HeldOut]]:
    """Parts that some family names."""
    named = {family.held_out for family in contract.family}
    return [(name, held) for name, held in contract.held_out.items() if name in named]
