"""Thresholds of the training part: floors of coverage, caps of figures, least margins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.quality import bounded, quantile
from benchwright.suites.telemetry.audit.spans import Aggregate

Scope = tuple[tuple[str, str | None], ...]


@cache
def scope(**words: str | None) -> Scope:
    """A scope as a key: names and values in order of names."""
    return tuple(sorted(words.items()))


class Thresholds:
    """Values by (name, scope), collected first and then settled."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.bounds = {
            "coverage_floor": rules["eligibility"]["coverage"],
            "absolute_mean_cap": rules["eligibility"]["absolute_mean"],
            "comparison_margin": rules["eligibility"]["margin"],
            "ranking_margin": rules["eligibility"]["margin"],
        }
        self.collected: dict[tuple[str, Scope], list[float]] = defaultdict(list)
        self.values: dict[tuple[str, Scope], tuple[float, int]] = {}

    def add(self, name: str, value: float, *scopes: Scope) -> None:
        """One value of the training part."""
        for at in scopes:
            self.collected[name, at].append(value)

    def learn(self, kind: str, point: Point, found: Aggregate) -> None:
        """An aggregate of the training part."""
        self.add("coverage_floor", found.coverage, scope(period=kind))
        if found.figure is not None:
            own = {"period": kind, "class": point.point_class}
            whole = scope(**own, site="*")
            self.add("absolute_mean_cap", abs(found.figure), scope(**own, site=point.site), whole)

    def settle(self) -> None:
        """Take the quantiles of everything collected since."""
        for (name, at), values in self.collected.items():
            bounds = self.bounds[name]
            found = bounded(bounds, quantile(values, bounds["quantile"]))
            if found is not None:
                self.values[name, at] = found, len(values)
        self.collected.clear()

    def found(self, name: str, *scopes: Scope) -> float | None:
        """The value of the first scope that the training part has something for."""
        for at in scopes:
            if (name, at) in self.values:
                return self.values[name, at][0]
        return None

    def eligible(self, kind: str, point: Point, found: Aggregate) -> bool:
        """Kept readings, coverage at the floor, a figure, and that below the cap."""
        if not found.kept or found.figure is None:
            return False
        floor = self.found("coverage_floor", scope(period=kind))
        own = {"period": kind, "class": point.point_class}
        cap = self.found("absolute_mean_cap", scope(**own, site=point.site), scope(**own, site="*"))
        if floor is None or cap is None:
            return False
        return found.coverage >= floor and abs(found.figure) <= cap

    def records(self) -> Iterator[tuple[str, Scope, float, int]]:
        """Everything that was settled."""
        for (name, at), (value, count) in sorted(self.values.items(), key=repr):
            yield name, at, value, count
