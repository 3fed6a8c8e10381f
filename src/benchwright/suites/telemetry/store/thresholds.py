"""Numbers that the contract takes from the training part, and the outcomes that follow.

Takes measures of all weeks and aggregates that are in the store; gives thresholds. A quantile is a
value that occurs: of n sorted values, the one in place ceil(q n). Weeks at the ends of a stream are
not used, nor anything that a family holds out. Margins of comparisons and rankings are not here:
they belong to the candidates that the families make.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.suites.telemetry.contract.holdout import held_windows
from benchwright.suites.telemetry.contract.judge import Thresholds
from benchwright.suites.telemetry.contract.measure import Measures
from benchwright.suites.telemetry.contract.model import PERIODS, Bound, Contract, Quality, Tier
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.zones import Zone

EVERYWHERE = "*"
"""The site of a scope that takes all sites together."""


@dataclass(frozen=True, slots=True)
class Week:
    """One week of one stream."""

    stream: str
    window: Window
    measures: Measures
    training: bool
    """Nothing held out, and not the first or last week of its stream."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One number, what it is for and how many values it was taken of."""

    name: str
    scope: str
    value: float
    count: int


def quantile(values: Sequence[float], q: float) -> float:
    """The value in place ceil(q n) of the sorted ones; the least for q = 0."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(q * len(ordered)) - 1)]


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


def quality_thresholds(weeks: Iterable[Week], quality: Quality) -> list[Threshold]:
    """Four numbers per season."""
    seasons = [*(s.name for s in quality.seasons), "year"]
    groups: dict[str, list[Measures]] = {season: [] for season in seasons}
    for week in weeks:
        if week.training and week.measures.count:
            groups[season_of(week.window, quality)].append(week.measures)
    found = []
    for season, measures in groups.items():
        for tier_name, tier in (("answer", quality.answer), ("caution", quality.caution)):
            found += _tier(season, tier_name, tier, measures)
    return found


def _tier(season: str, name: str, tier: Tier, measures: Sequence[Measures]) -> list[Threshold]:
    coverage = bounded([m.coverage for m in measures], tier.coverage)
    gap = bounded([m.gap_ratio for m in measures], tier.gap_ratio)
    return [
        Threshold(f"{name}_coverage", season, coverage, len(measures)),
        Threshold(f"{name}_gap_ratio", season, gap, len(measures)),
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
        rows = connection.execute(query, [contract.calendar, list(held_streams)]).fetchall()
        found.append(
            Threshold(
                "coverage_floor",
                scope_of(period=period),
                bounded([row[2] for row in rows], rules.coverage),
                len(rows),
            )
        )
        groups: dict[tuple[str, str], list[float]] = {}
        for site, name, _, figure in rows:
            if figure is not None:
                for scope in (site, EVERYWHERE):
                    groups.setdefault((scope, name), []).append(abs(figure))
        for (site, name), figures in sorted(groups.items()):
            cap = bounded(figures, rules.absolute_mean)
            scope = scope_of(period=period, site=site, class_=name)
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
