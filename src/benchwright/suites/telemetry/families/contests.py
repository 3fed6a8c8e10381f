"""Families about several streams: which of two is higher, and which of many is highest.

Takes groups of a site value and class; gives contests: the same streams period by period, each with
a gap between the first and the second. Margins are quantiles of the gaps of the training part.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.aggregate import MEAN_KINDS
from benchwright.suites.telemetry.contract.holdout import held_windows, is_held
from benchwright.suites.telemetry.contract.model import Family, Period
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.families.inventory import Flags, Inventory, Row, has_figure
from benchwright.suites.telemetry.families.model import Traits
from benchwright.suites.telemetry.families.sink import Sink
from benchwright.suites.telemetry.store.thresholds import (
    EVERYWHERE,
    Threshold,
    bounded,
    scope_of,
)

GROUPED: tuple[Period, ...] = ("week", "month")
Name = Literal["comparison_margin", "ranking_margin"]


@dataclass(frozen=True, slots=True)
class Contest:
    """The same streams in every period."""

    site: str
    point_class: str
    location_type: str | None
    period: Period
    points: tuple[Point, ...]
    asked: Flags
    """Where enough streams have a kept reading."""
    good: Flags
    """Where, besides, every stream with a kept reading is eligible."""
    gap: NDArray[np.float64]
    """Between the greatest figure and the next; only where `good`."""
    winner: NDArray[np.int64]
    """Place of the stream with the greatest figure."""

    def scope(self, site: str, name: Name) -> str:
        """What its margin is for; `site` may be all of them."""
        said = {"period": self.period, "site": site, "class_": self.point_class}
        if name == "ranking_margin" and site != EVERYWHERE:
            said["location_type"] = self.location_type  # type: ignore[assignment]
        return scope_of(**said)


def contests(family: Family, inventory: Inventory) -> Iterator[Contest]:
    """Every contest of a family, each set of streams once."""
    seen: set[tuple[str, ...]] = set()
    for field in family.sites:
        for site, name, group in inventory.groups(field):
            for kind, points, least in _sides(family, site, group, inventory, field):
                streams = tuple(p.stream for p in points)
                if streams not in seen:
                    seen.add(streams)
                    for period in GROUPED:
                        yield _contest(site, name, kind, period, points, least, inventory)


def _sides(
    family: Family, site: str, group: list[Point], inventory: Inventory, field: str
) -> Iterator[tuple[str | None, tuple[Point, ...], int]]:
    """Location type, streams and how many of them must have readings."""
    if family.name == "pairwise_comparison":
        members = [
            p
            for p in group
            if p.kind in MEAN_KINDS and getattr(p, field) == site and inventory.resolvable(p, field)  # type: ignore[arg-type]
        ]
        for a, b in combinations(members, 2):
            if a.equipment != b.equipment and a.unit == b.unit:
                yield None, (a, b), 2
        return
    least = inventory.contract.eligibility.group
    types = sorted({p.location_type for p in group if p.location_type is not None})
    several = len({p.location_type for p in group}) > 1
    for kind in (None, *(types if several else ())):
        chosen = tuple(p for p in group if kind is None or p.location_type == kind)
        if len(chosen) >= least and len({p.unit for p in chosen}) == 1 and has_figure(chosen[0]):
            yield kind, chosen, least


def passed_groups(family: Family, inventory: Inventory) -> Counter[str]:
    """How many groups of a site value and class give no contest, by reason."""
    found: Counter[str] = Counter()
    ranked = family.name == "ranking"
    for field in family.sites:
        for site, _, group in inventory.groups(field):
            if not any(_sides(family, site, group, inventory, field)):
                least = inventory.contract.eligibility.group if ranked else 2
                if len(group) < least:
                    found["too_few_streams"] += 1
                elif has_figure(group[0]):
                    found["several_units" if ranked else "no_pair"] += 1
    return found


def _contest(
    site: str,
    name: str,
    kind: str | None,
    period: Period,
    points: tuple[Point, ...],
    least: int,
    inventory: Inventory,
) -> Contest:
    rows = [inventory.aggregates[period].get(p.stream, _none(period, inventory)) for p in points]
    kept = np.array([row.kept for row in rows])
    eligible = np.array([row.eligible for row in rows])
    figure = np.where(kept, np.array([row.figure for row in rows]), -np.inf)
    asked: Flags = kept.sum(axis=0) >= least
    good = asked & ~(kept & ~eligible).any(axis=0)
    ordered = np.sort(np.where(good, figure, 0.0), axis=0)
    gap = np.where(good, ordered[-1] - ordered[-2], np.nan)
    winner = np.argmax(np.where(good, figure, 0.0), axis=0)
    return Contest(site, name, kind, period, points, asked, good, gap, winner)


def _none(period: Period, inventory: Inventory) -> Row:
    number = len(inventory.periods[period])
    nothing = np.zeros(number, bool)
    return Row(nothing, nothing, np.full(number, np.nan))


def margins(name: Name, every: Iterable[Contest], inventory: Inventory) -> list[Threshold]:
    """Margins of the training part, per scope and over all sites; sorted."""
    gaps: dict[str, list[float]] = defaultdict(list)
    tolerance = inventory.contract.tolerances.value
    free = {period: _free(period, inventory) for period in GROUPED}
    for contest in every:
        open_ = _open_part(contest, inventory)
        if open_ is None:
            continue
        counted = open_.good & free[contest.period]
        found = open_.gap[counted]
        found = found[found > tolerance].tolist()
        for site in (contest.site, EVERYWHERE):
            gaps[contest.scope(site, name)] += found
    bound = inventory.contract.eligibility.margin
    return [
        Threshold(name, scope, bounded(values, bound), len(values))
        for scope, values in sorted(gaps.items())
        if values
    ]


def _open_part(contest: Contest, inventory: Inventory) -> Contest | None:
    """The contest among those of its streams that no family holds out; None for fewer than two."""
    points = tuple(p for p in contest.points if not is_held(p, inventory.contract))
    if len(points) == len(contest.points):
        return contest
    if len(points) < 2:
        return None
    said = contest.site, contest.point_class, contest.location_type, contest.period
    return _contest(*said, points, 2, inventory)


def _free(period: Period, inventory: Inventory) -> Flags:
    """Periods that touch no held-out window."""
    edges = inventory.periods[period].edges
    free = np.ones(len(edges) - 1, dtype=bool)
    for start, end in held_windows(inventory.contract, inventory.store.zone):
        free &= (edges[:-1] >= end) | (edges[1:] <= start)
    return free


def offer_contests(
    name: Name,
    every: Iterable[Contest],
    found: Iterable[Threshold],
    sink: Sink,
    inventory: Inventory,
) -> None:
    """Offer every contest and period whose gap reaches its margin."""
    numbers = {t.scope: t.value for t in found}
    for contest in every:
        sites = (contest.site, EVERYWHERE)
        margin = next(
            (numbers[s] for s in (contest.scope(x, name) for x in sites) if s in numbers), None
        )
        _offer(contest, margin, sink, inventory)


def _offer(contest: Contest, margin: float | None, sink: Sink, inventory: Inventory) -> None:
    tolerance = inventory.contract.tolerances.value
    apart = contest.good & (contest.gap > tolerance)
    both, decided = _with_next(contest.good), _with_next(apart)
    sink.miss("not_eligible", int((contest.asked & ~contest.good).sum()))
    sink.miss("not_eligible", int((contest.good & ~both).sum()), "next_not_eligible")
    sink.miss("tie", int((both & ~decided).sum()))
    if margin is None:
        sink.miss("no_threshold", int(decided.sum()))
        return
    clear = decided & (np.nan_to_num(contest.gap) >= margin)
    sink.miss("margin", int((decided & ~clear).sum()))
    periods, points = inventory.periods[contest.period], contest.points
    streams = [p.stream for p in points]
    identity: dict[str, Any]
    for index in np.flatnonzero(clear).tolist():
        identity = {
            "site": contest.site,
            "streams": list(streams),
            "period": contest.period,
            "first_day": str(periods.days[index]),
        }
        winner = streams[int(contest.winner[index])]
        traits = Traits(tuple(streams), winner=winner)
        if sink.kind.family.name == "ranking":
            told = {"location_type": contest.location_type, "point_class": contest.point_class}
            identity |= told
            traits = Traits(extra=contest.location_type or "", winner=winner)
        reach = inventory.weeks(int(periods.edges[index]), int(periods.edges[index + 2]))
        sink.offer(identity, contest.site, points, reach, traits)


def _with_next(good: Flags) -> Flags:
    """Where this period and the next are good."""
    found = good.copy()
    found[:-1] &= good[1:]
    found[-1:] = False
    return found
