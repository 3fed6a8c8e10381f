"""The share of issues that fit no pattern: whether the taxonomy is full enough (paper 3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.diagnosis.labels.model import Labels
from benchwright.stats.intervals import clopper_pearson


@dataclass(frozen=True, slots=True)
class NoneRate:
    """Issues without a pattern, of all that were labelled one by one."""

    none: int
    issues: int
    share: float | None
    """None where no issue was labelled."""
    interval: tuple[float, float]
    """Exact, 95 %, as if issues were independent; those of one document are alike, so it is a
    little too narrow. (0, 1) without an issue."""


def none_rate(every: Iterable[Labels]) -> NoneRate:
    """Over every label with the number of an issue; labels of whole documents count for nothing."""
    issues = [x for labels in every for x in labels.labels if x.issue is not None]
    none = sum(label.pattern is None for label in issues)
    share = none / len(issues) if issues else None
    return NoneRate(none, len(issues), share, clopper_pearson(none, len(issues)))


def none_rates(every: Iterable[Labels]) -> dict[str, NoneRate]:
    """The rate of each rater who labelled issues, by name."""
    own: dict[str, list[Labels]] = {}
    for labels in every:
        if any(label.issue is not None for label in labels.labels):
            own.setdefault(labels.rater, []).append(labels)
    return {rater: none_rate(own[rater]) for rater in sorted(own)}
