"""From measures to an outcome: answer, caution or abstain, with the first reason that applies.

Takes measures and thresholds; gives an outcome. The order of reasons is fixed: no_data, coverage,
gap, sentinel, dropout, frozen, range, spike. A caution's reason is the check of the better tier
that failed.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.suites.telemetry.contract.measure import Measures
from benchwright.suites.telemetry.contract.model import Outcome, Quality

REASONS = ("no_data", "coverage", "gap", "sentinel", "dropout", "frozen", "range", "spike")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Numbers of one season."""

    answer_coverage: float
    answer_gap_ratio: float
    caution_coverage: float
    caution_gap_ratio: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be done with a window."""

    outcome: Outcome
    reason: str | None
    """None only for `answer`."""


def judge(measures: Measures, thresholds: Thresholds, quality: Quality) -> Verdict:
    """The outcome of a window."""
    reason = _first(measures, thresholds.caution_coverage, thresholds.caution_gap_ratio, quality)
    if reason is not None:
        return Verdict("abstain", reason)
    reason = _first(measures, thresholds.answer_coverage, thresholds.answer_gap_ratio, quality)
    return Verdict("answer", None) if reason is None else Verdict("caution", reason)


def _first(m: Measures, coverage: float, gap_ratio: float, quality: Quality) -> str | None:
    share = max(m.count, 1)
    failed = {
        "no_data": m.count == 0,
        "coverage": m.coverage < coverage,
        "gap": m.gap_ratio > gap_ratio,
        "sentinel": m.sentinel > 0,
        "dropout": m.dropout >= quality.dropout_share * share and m.dropout > 0,
        "frozen": m.frozen >= quality.frozen_share * share and m.frozen > 0,
        "range": m.range > 0,
        "spike": m.spike > 0,
    }
    return next((reason for reason in REASONS if failed[reason]), None)
