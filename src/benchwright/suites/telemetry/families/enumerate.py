"""All candidates of a store, with margins and counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchwright.suites.telemetry.contract.model import Family
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.families.clock import offer_never_shown
from benchwright.suites.telemetry.families.contests import (
    Name,
    contests,
    margins,
    offer_contests,
    passed_groups,
)
from benchwright.suites.telemetry.families.inventory import Inventory, has_figure
from benchwright.suites.telemetry.families.means import offer_no_data, offer_period, offer_window
from benchwright.suites.telemetry.families.model import VARIANTS, Kind
from benchwright.suites.telemetry.families.points import offer_disambiguation, offer_unresolvable
from benchwright.suites.telemetry.families.quality import offer_quality
from benchwright.suites.telemetry.families.readings import (
    Whole,
    offer_bad_sensor,
    offer_exact,
    offer_nearest,
    offer_too_far,
)
from benchwright.suites.telemetry.families.sink import Sink
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.store.thresholds import Threshold

Offer = Callable[[Whole, Sink, Inventory], None]


def _days(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    offer_period(stream, "day", sink, inventory)


def _periods(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    offer_period(stream, "week", sink, inventory)
    offer_period(stream, "month", sink, inventory)


_OF_READINGS: Mapping[tuple[str, str], Offer] = {
    ("exact_value", "usual"): lambda stream, sink, _: offer_exact(stream, sink),
    ("exact_value", "bad_sensor"): lambda stream, sink, _: offer_bad_sensor(stream, sink),
    ("exact_value", "no_such_local_time"): offer_never_shown,
    ("nearest_value", "usual"): lambda stream, sink, _: offer_nearest(stream, sink),
    ("nearest_value", "too_far"): offer_too_far,
    ("quality_gate", "usual"): offer_quality,
}
_OF_FIGURES: Mapping[tuple[str, str], Offer] = {
    ("window_mean", "usual"): offer_window,
    ("daily_aggregate", "usual"): _days,
    ("daily_aggregate", "no_data"): offer_no_data,
    ("period_aggregate", "usual"): _periods,
}
_MARGIN: Mapping[str, Name] = {
    "pairwise_comparison": "comparison_margin",
    "ranking": "ranking_margin",
}


@dataclass(frozen=True, slots=True)
class Enumerated:
    """What a corpus can ask."""

    sinks: tuple[Sink, ...]
    """In the order of rows: families of the contract, each with its variants."""
    margins: tuple[Threshold, ...]


def enumerated(store: Store) -> Enumerated:
    """Every candidate of every family that the contract names.

    Cost grows with readings and, for comparisons, with the square of the streams of a class on a
    site.
    """
    inventory = Inventory(store)
    kinds = [Kind(f, v) for f in store.contract.family for v in VARIANTS[f.name]]
    sinks = tuple(Sink(kind, inventory) for kind in kinds)
    _alone(sinks, inventory)
    found: list[Threshold] = []
    for sink in sinks:
        name = sink.kind.family.name
        if name in _MARGIN:
            found += _contested(_MARGIN[name], sink, inventory)
        elif name == "point_disambiguation":
            offer = offer_unresolvable if sink.kind.negative else offer_disambiguation
            offer(sink, inventory, _reader(sink.kind.family, inventory))
    return Enumerated(sinks, tuple(found))


def _alone(sinks: tuple[Sink, ...], inventory: Inventory) -> None:
    """Families of one stream, each stream read once."""
    for point in inventory.points.values():
        for sink in sinks:
            of = (sink.kind.family.name, sink.kind.variant)
            offer = _OF_READINGS.get(of) or (has_figure(point) and _OF_FIGURES.get(of)) or None
            field = sink.kind.family.sites[0]
            if offer is not None and inventory.resolvable(point, field):
                offer(whole(point, sink.kind.family, inventory), sink, inventory)


def whole(point: Point, family: Family, inventory: Inventory) -> Whole:
    """A stream with its readings, as questions of a family call its site."""
    extent = inventory.store.extent(point.stream)
    stretch = inventory.store.readings(point.stream, extent.first, extent.last + 1)
    site = str(getattr(point, family.sites[0]))
    rules = inventory.store.rules(point.stream)
    left_out = inventory.contract.left_out
    return Whole(point, site, stretch, rules, inventory.periods["week"], left_out)


def _reader(family: Family, inventory: Inventory) -> Callable[[Point], Whole]:
    known: dict[str, Whole] = {}

    def read(point: Point) -> Whole:
        if point.stream not in known:
            if len(known) >= 64:
                known.pop(next(iter(known)))
            known[point.stream] = whole(point, family, inventory)
        return known[point.stream]

    return read


def _contested(name: Name, sink: Sink, inventory: Inventory) -> list[Threshold]:
    every = list(contests(sink.kind.family, inventory))
    found = margins(name, every, inventory)
    offer_contests(name, every, found, sink, inventory)
    sink.counts.groups = passed_groups(sink.kind.family, inventory)
    return found
