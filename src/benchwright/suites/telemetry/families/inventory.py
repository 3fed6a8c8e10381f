"""What questions are made of: points by site and class, aggregates per period, thresholds.

Takes a store; gives lookups and arrays that all families share. Every array of a period has an
entry per period of the clock, from the first to the last that any stream reaches into.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.aggregate import MEAN_KINDS
from benchwright.suites.telemetry.contract.model import PERIODS, Field_, Period
from benchwright.suites.telemetry.contract.periods import Periods, Window, periods_between
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.zones import Zone, zone
from benchwright.suites.telemetry.operations.resolve import site_fields
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.store.thresholds import EVERYWHERE, scope_of

Flags = NDArray[np.bool_]
Description = Mapping[str, str]
NAMED = ("equipment", "location", "qualifiers")


@dataclass(frozen=True, slots=True)
class Row:
    """Aggregates of one stream, an entry per period."""

    kept: Flags
    """Whether there is a kept reading."""
    eligible: Flags
    figure: NDArray[np.float64]
    """Mean or change; NaN where there is none."""


def has_figure(point: Point) -> bool:
    """Whether the kind of a stream has a mean or a change."""
    return point.kind in MEAN_KINDS or point.kind == "cumulative"


class Inventory:
    """A store as questions see it."""

    def __init__(self, store: Store) -> None:
        self.store, self.contract = store, store.contract
        self.clock: Zone = store.zone if self.contract.calendar == "local" else zone("UTC")
        self.points = store.points
        self._by_site = self._sites()

    def _sites(self) -> dict[tuple[str, str], list[Point]]:
        found: dict[tuple[str, str], dict[str, Point]] = defaultdict(dict)
        for point in self.points.values():
            for field in site_fields(self.contract):
                value = getattr(point, field)
                if value is not None:
                    found[value, point.point_class][point.stream] = point
        return {name: [group[s] for s in sorted(group)] for name, group in found.items()}

    def groups(self, field: Field_) -> list[tuple[str, str, list[Point]]]:
        """Site value, class and members, for every value of a field; sorted."""
        values = {(getattr(p, field), p.point_class) for p in self.points.values()}
        named = sorted((value, name) for value, name in values if value is not None)
        return [(value, name, self._by_site[value, name]) for value, name in named]

    def described(self, point: Point, field: Field_) -> Description | None:
        """All that a question can say of a point; None where the point has no such site."""
        site = getattr(point, field)
        if site is None:
            return None
        said = {name: getattr(point, name) for name in NAMED}
        if said["equipment"] == site:
            del said["equipment"]
        return {
            "site": site,
            "point_class": point.point_class,
            **{name: value for name, value in said.items() if value},
        }

    def fits(self, description: Description) -> list[Point]:
        """Points that a description can mean, by stream id."""
        group = self._by_site.get((description["site"], description["point_class"]), [])
        rest = [(k, v) for k, v in description.items() if k in NAMED]
        return [p for p in group if all(getattr(p, k) == v for k, v in rest)]

    def resolvable(self, point: Point, field: Field_) -> bool:
        """Whether a point can be told from every other."""
        description = self.described(point, field)
        return description is not None and len(self.fits(description)) == 1

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], float]:
        return {(t.name, t.scope): t.value for t in self.store.thresholds}

    def floor(self, period: Period) -> float:
        """The least coverage of an aggregate that a question may be about.

        Infinite where the training part has no aggregate of such a period: none is enough then.
        """
        return self._numbers.get(("coverage_floor", scope_of(period=period)), inf)

    def cap(self, period: Period, point: Point) -> float | None:
        """The greatest absolute figure; None where the training part has none of the class."""
        for site in (point.site, EVERYWHERE):
            scope = scope_of(period=period, site=site, class_=point.point_class)
            if ("absolute_mean_cap", scope) in self._numbers:
                return self._numbers["absolute_mean_cap", scope]
        return None

    @cached_property
    def periods(self) -> dict[Period, Periods]:
        """The calendar of the clock over the whole corpus."""
        extents = [self.store.extent(stream) for stream in self.points]
        first = min((e.first for e in extents), default=0)
        last = max((e.last for e in extents), default=0)
        return {p: periods_between(first, last, p, self.clock) for p in PERIODS}

    @cached_property
    def aggregates(self) -> dict[Period, dict[str, Row]]:
        """Aggregates of the clock's calendar by period and stream."""
        return {period: self._aggregates(period) for period in PERIODS}

    def _aggregates(self, period: Period) -> dict[str, Row]:
        calendar, periods = self.contract.calendar, self.periods[period]
        columns = self.store.connection.execute(
            'SELECT stream, start, "count", coverage, coalesce(mean, change) AS figure '
            f"FROM aggregates_{period} WHERE calendar = ? ORDER BY stream, start",
            [calendar],
        ).fetchnumpy()
        names, begins = np.unique(columns["stream"].astype(str), return_index=True)
        at = np.searchsorted(periods.edges, columns["start"])
        ends = np.append(begins[1:], len(at)).tolist()
        figure = np.ma.filled(columns["figure"].astype(np.float64), np.nan)
        found = {}
        for name, a, b in zip(names.tolist(), begins.tolist(), ends, strict=True):
            row = np.full(len(periods), np.nan)
            row[at[a:b]] = figure[a:b]
            kept, covered = np.zeros(len(periods), bool), np.zeros(len(periods))
            kept[at[a:b]] = columns["count"][a:b] > 0
            covered[at[a:b]] = columns["coverage"][a:b]
            found[name] = Row(kept, self._eligible(period, name, kept, covered, row), row)
        return found

    def _eligible(
        self,
        period: Period,
        stream: str,
        kept: Flags,
        covered: NDArray[np.float64],
        figure: NDArray[np.float64],
    ) -> Flags:
        cap = self.cap(period, self.points[stream])
        if cap is None:
            return np.zeros(len(kept), bool)
        found: Flags = kept & (covered >= self.floor(period)) & (np.abs(figure) <= cap)
        return found

    def weeks(self, start: int, end: int) -> Window:
        """The stretch from `start` up to `end`, extended to whole weeks of the clock."""
        edges = self.periods["week"].edges
        low = int(np.searchsorted(edges, start, side="right")) - 1
        high = int(np.searchsorted(edges, end, side="left"))
        if low >= 0 and high < len(edges):
            return Window(int(edges[low]), int(edges[high]))
        around = periods_between(start, end - 1, "week", self.clock).edges
        return Window(int(around[0]), int(around[-1]))
