"""For every obligation the records that break it, and, but for what follows from it, it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from benchwright.suites.telemetry.obligations.model import Obligation
from benchwright.suites.telemetry.proof.asking import left_early, never_asked, too_early
from benchwright.suites.telemetry.proof.calling import (
    not_half_open,
    other_instant,
    other_period,
    other_point,
    other_quality,
    other_stream,
)
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.citing import other_handles
from benchwright.suites.telemetry.proof.stating import other_action, other_fields, other_streams
from benchwright.suites.telemetry.proof.steps import Steps


@dataclass(frozen=True, slots=True)
class Mutation:
    """A record that breaks one obligation."""

    obligation: Obligation
    kind: str
    """What was done."""
    steps: Steps


def mutations(case: Case) -> Iterator[Mutation]:
    """Every mutation of a conversation, obligation by obligation."""
    for obligation in case.duties.obligations:
        for kind, steps in MUTATE[obligation.type](case, obligation):
            yield Mutation(obligation, kind, steps)


MUTATE: Mapping[str, Callable[[Case, Obligation], Changed]] = {
    **dict.fromkeys(("asks_site", "asks_time"), never_asked),
    "no_early_call": too_early,
    "protocol_completed": left_early,
    "point_resolved": other_point,
    **dict.fromkeys(
        ("alternate_point_used", "stream_argument", "stream_carried", "winner_carried"),
        other_stream,
    ),
    **dict.fromkeys(("exact_probe", "nearest_fallback"), other_instant),
    "window_period": other_period,
    "half_open": not_half_open,
    "quality_call": other_quality,
    **dict.fromkeys(
        (
            *("initial_value", "revised_value", "observed_stated", "offset_stated"),
            *("comparison_stated", "ranking_stated", "quality_stated", "quality_decision"),
            "preference_given",
        ),
        other_fields,
    ),
    **dict.fromkeys(("reporting_action", "reporting_reason"), other_action),
    "evidence_streams": other_streams,
    "evidence_handle": other_handles,
}
"""By type of obligation."""
