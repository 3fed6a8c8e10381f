"""Numbers that the contract takes from the training part, and the outcomes that follow.

Takes measures of weeks and aggregates that are in the store; gives thresholds. A quantile is a
value that occurs: of n sorted values, the one in place ceil(q n). Weeks at the ends of a stream are
not used, nor anything that a family holds out. Margins of comparisons and rankings are not here:
they belong to the candidates that the families make.
"""

from __future__ import annotations

import json
import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchwright.suites.telemetry.contract.holdout import held_windows
from benchwright.suites.telemetry.contract.judge import Thresholds
from benchwright.suites.telemetry.contract.measure import Measures
from benchwright.suites.telemetry.contract.model import PERIODS, Bound, Contract, Quality, Tier
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.zones import Zone

_BATCH: Final = 10_000
EVERYWHERE = "*"
"""The site of a scope that takes all sites together."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One number, what it is for and how many values it was taken of."""

    name: str
    scope: str
    value: float
    count: int


def quantile(values: Sequence[float], q: float) -> float:
    """The value in place ceil(q n) of the sorted ones; the least for q = 0."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    return float(ordered[max(0, math.ceil(q * len(ordered)) - 1)])


def bounded(values: Sequence[float], bound: Bound) -> float:
    """A quantile kept between the limits of its bound; without values the stricter limit."""
    found = quantile(values, bound.quantile) if values else math.inf
    if bound.at_least is not None:
        found = max(found, bound.at_least) if values else bound.at_least
    if bound.at_most is not None:
        found = min(found, bound.at_most)
    return found if math.isfinite(found) else 0.0


def season_of(window: Window, quality: Quality) -> str:
    """The season of a window's first day; `year` where the contract names none for it."""
    month = int(window.label[5:7])
    return next((s.name for s in quality.seasons if month in s.months), "year")


class Training:
    """Coverage and gap ratio of weeks of the training part, by season."""

    def __init__(self, quality: Quality) -> None:
        self._quality = quality
        names = [*(s.name for s in quality.seasons), "year"]
        self._coverage = {name: array("d") for name in names}
        self._gap_ratio = {name: array("d") for name in names}

    def add(self, season: str, measures: Measures) -> None:
        """One more week, in which there are readings."""
        self._coverage[season].append(measures.coverage)
        self._gap_ratio[season].append(measures.gap_ratio)

    def thresholds(self) -> list[Threshold]:
        """Four numbers per season."""
        quality = self._quality
        tiers = (("answer", quality.answer), ("caution", quality.caution))
        return [
            one
            for season in self._coverage
            for name, tier in tiers
            for one in self._tier(season, name, tier)
        ]

    def _tier(self, season: str, name: str, tier: Tier) -> list[Threshold]:
        coverage, gap = self._coverage[season], self._gap_ratio[season]
        return [
            Threshold(f"{name}_coverage", season, bounded(coverage, tier.coverage), len(gap)),
            Threshold(f"{name}_gap_ratio", season, bounded(gap, tier.gap_ratio), len(gap)),
        ]


def by_season(thresholds: Iterable[Threshold]) -> dict[str, Thresholds]:
    """Quality thresholds as records, by season."""
    values: dict[str, dict[str, float]] = {}
    for one in thresholds:
        if one.name.startswith(("answer_", "caution_")):
            values.setdefault(one.scope, {})[one.name] = one.value
    return {season: Thresholds(**found) for season, found in values.items()}


def aggregate_thresholds(
    connection: Any, contract: Contract, held_streams: Sequence[str], zone: Zone
) -> list[Threshold]:
    """Floors of coverage per period; caps of absolute figures per period, site and class.

    Reads the tables of a store that is being built, but for what is held out.
    """
    found = []
    rules = contract.eligibility
    outside = " ".join(
        f'AND NOT (a.start < {end} AND a."end" > {start})'
        for start, end in held_windows(contract, zone)
    )
    for period in PERIODS:
        query = _TRAINING.format(period=period) + outside
        cursor = connection.execute(query, [contract.calendar, list(held_streams)])
        coverage = array("d")
        groups: dict[tuple[str, str], array[float]] = defaultdict(lambda: array("d"))
        while rows := cursor.fetchmany(_BATCH):
            for site, name, covered, figure in rows:
                coverage.append(covered)
                if figure is not None:
                    for place in (site, EVERYWHERE):
                        groups[place, name].append(abs(figure))
        if coverage:  # of no values there is no quantile, and nothing may be asked
            floor = bounded(coverage, rules.coverage)
            scope = scope_of(period=period)
            found.append(Threshold("coverage_floor", scope, floor, len(coverage)))
        for (site, name), figures in sorted(groups.items()):
            scope = scope_of(period=period, site=site, class_=name)
            cap = bounded(figures, rules.absolute_mean)
            found.append(Threshold("absolute_mean_cap", scope, cap, len(figures)))
    return found


_TRAINING = """
SELECT p.site, p.point_class, a.coverage, coalesce(a.mean, a.change)
FROM aggregates_{period} a JOIN points p USING (stream)
WHERE a.calendar = ? AND a.stream NOT IN (SELECT unnest(CAST(? AS VARCHAR[])))
"""


def scope_of(**said: str | None) -> str:
    """What a threshold is for, as one text; `class_` stands for the key `class`."""
    return json.dumps({name.rstrip("_"): value for name, value in said.items()}, sort_keys=True)


def columns_of(thresholds: Sequence[Threshold]) -> Mapping[str, list[Any]]:
    """Rows of the table `thresholds`, sorted by its key."""
    ordered = sorted(thresholds, key=lambda t: (t.name, t.scope))
    return {
        name: [getattr(t, name) for t in ordered] for name in ("name", "scope", "value", "count")
    }
