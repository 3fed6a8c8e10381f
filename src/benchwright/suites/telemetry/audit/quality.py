"""Outcomes of windows: limits from the training part, tiers, and the first reason that applies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.suites.telemetry.audit.clock import Clock
from benchwright.suites.telemetry.audit.measures import Measures

Limits = Mapping[tuple[str, str], tuple[float | None, int]]
TIERS = ("answer", "caution")


def bounded(bounds: Mapping[str, Any], value: float | None) -> float | None:
    """A value kept between `at_least` and `at_most`; without one, the bound that is there."""
    low, high = bounds.get("at_least"), bounds.get("at_most")
    if value is None:
        return float(low) if low is not None else None if high is None else float(high)
    if low is not None:
        value = max(value, low)
    return value if high is None else min(value, high)


def quantile(values: Sequence[float], q: float) -> float | None:
    """The value in place ceil(q n) of the sorted ones; None of none."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(q * len(values)), 1) - 1]


def season(rules: Mapping[str, Any], clock: Clock, start: int) -> str:
    """The season of a window: that of the month in which it begins, `year` without seasons."""
    month = int(clock.period_of("month", start).first_day[5:7])
    for table in rules["quality"]["seasons"]:
        if month in table["months"]:
            return str(table["name"])
    return "year"


@dataclass(slots=True)
class Judge:
    """Limits by (name, season), and what they make of measures."""

    rules: Mapping[str, Any]
    limits: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)

    def learn(self, weeks: Sequence[tuple[str, Measures]]) -> None:
        """Take the limits from the weeks of the training part, each with its season."""
        names = ["year", *(t["name"] for t in self.rules["quality"]["seasons"])]
        for tier in TIERS:
            for measure in ("coverage", "gap_ratio"):
                bounds = self.rules["quality"][tier][measure]
                for name in names:
                    values = [getattr(m, measure) for s, m in weeks if s == name]
                    found = bounded(bounds, quantile(values, bounds["quantile"]))
                    if found is not None:
                        self.limits[f"{tier}_{measure}", name] = found, len(values)

    def limit(self, name: str, at: str) -> float:
        """A limit of a season."""
        return self.limits[name, at][0]

    def outcome(self, found: Measures, at: str) -> tuple[str, str | None]:
        """Answer, caution or abstain, with its reason (None for an answer)."""
        if not found.count:
            return "abstain", "no_data"
        if failed := self._thin("caution", found, at):
            return "abstain", failed
        if failed := self._faulty(found):
            return "abstain", failed
        if failed := self._thin("answer", found, at):
            return "caution", failed
        return "answer", None

    def _thin(self, tier: str, found: Measures, at: str) -> str | None:
        if found.coverage < self.limit(f"{tier}_coverage", at):
            return "coverage"
        return "gap" if found.gap_ratio > self.limit(f"{tier}_gap_ratio", at) else None

    def _faulty(self, found: Measures) -> str | None:
        rules = self.rules["quality"]
        checks = (
            ("sentinel", found.sentinel > 0),
            (
                "dropout",
                found.dropout >= rules["dropout_share"] * found.count and found.dropout > 0,
            ),
            ("frozen", found.frozen >= rules["frozen_share"] * found.count and found.frozen > 0),
            ("range", found.out_of_range > 0),
            ("spike", found.spikes > 0),
        )
        return next((name for name, failed in checks if failed), None)
