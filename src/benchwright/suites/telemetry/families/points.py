"""Disambiguation: one of several streams of a class on a site, or two that nothing tells apart."""

from __future__ import annotations

from benchwright.suites.telemetry.contract.model import Field_
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.families.inventory import Inventory
from benchwright.suites.telemetry.families.model import Traits
from benchwright.suites.telemetry.families.readings import Reader, Whole, clean_in
from benchwright.suites.telemetry.families.sink import Sink

MOST_ALIKE = 50
"""Streams that a refusal lists."""


def offer_disambiguation(sink: Sink, inventory: Inventory, read: Reader) -> None:
    """Every stream that has others of its class beside it, with one of them as the alternate."""
    seen: set[tuple[str, str]] = set()
    for field in sink.kind.family.sites:
        for site, _, group in inventory.groups(field):
            if len(group) > 1:
                named = _named(group, field, site)
                members = [p for p in named if inventory.resolvable(p, field)]
                for index in range(len(members)):
                    around = members[index:] + members[:index]
                    _offer_target(sink, site, around, read, seen)


def _offer_target(
    sink: Sink, site: str, around: list[Point], read: Reader, seen: set[tuple[str, str]]
) -> None:
    """Questions about the first of `around`; the others follow in the order of preference."""
    target, stream = around[0], read(around[0])
    for place, week in stream.anchors(stream.clean, sink):
        if (target.stream, week.label) in seen:
            continue
        seen.add((target.stream, week.label))
        at = int(stream.stretch.ts[place])
        other = next((p for p in around[1:] if _answers(read(p), at, week)), None)
        if other is None:
            sink.miss("no_alternate")
            continue
        streams = [target.stream, other.stream]
        identity = {"site": site, "streams": streams, "at": at}
        sink.offer(identity, site, [target, other], week, Traits((target.stream,)))


def _answers(stream: Whole, at: int, week: Window) -> bool:
    """Whether a stream has a clean reading in a week, and runs at an instant of it."""
    ts = stream.stretch.ts
    return bool(ts[0] <= at <= ts[-1]) and clean_in(stream, week)


def offer_unresolvable(sink: Sink, inventory: Inventory, read: Reader) -> None:
    """Streams that share every word of their description."""
    seen: set[tuple[str, ...]] = set()
    for field in sink.kind.family.sites:
        for site, _, group in inventory.groups(field):
            for alike in _alike(_named(group, field, site), field, inventory):
                streams = tuple(p.stream for p in alike)
                if streams not in seen:
                    seen.add(streams)
                    _offer_alike(sink, site, alike, read)


def _named(group: list[Point], field: Field_, site: str) -> list[Point]:
    """Members whose own field is the site; equipment can have the name of another point's site."""
    return [p for p in group if getattr(p, field) == site]


def _alike(group: list[Point], field: Field_, inventory: Inventory) -> list[list[Point]]:
    found = {}
    for point in group:
        description = inventory.described(point, field)
        if description is None:
            continue
        fitting = inventory.fits(description)
        same = all(inventory.described(p, field) == description for p in fitting)
        if same and 2 <= len(fitting) <= MOST_ALIKE:
            found[tuple(p.stream for p in fitting)] = fitting
    return list(found.values())


def _offer_alike(sink: Sink, site: str, alike: list[Point], read: Reader) -> None:
    stream = read(alike[0])
    streams = [p.stream for p in alike]
    for place, week in stream.anchors(stream.clean, sink):
        identity = {"site": site, "streams": list(streams), "at": int(stream.stretch.ts[place])}
        sink.offer(identity, site, alike, week, Traits((streams[0],)))
