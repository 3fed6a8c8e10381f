"""The 27 types of obligations, and the records that are frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from benchwright.canonical import digest

Aspect = Literal["result", "state", "evidence", "terminal", "protocol"]
TYPES: Final[Mapping[str, tuple[Aspect, str]]] = {
    "asks_site": ("protocol", "the agent asks which site is meant"),
    "asks_time": ("protocol", "the agent asks which time is meant"),
    "no_early_call": ("protocol", "no call uses a slot before it was revealed"),
    "protocol_completed": ("protocol", "a turn is reached and answered"),
    "point_resolved": ("result", "a call resolves the point to the stream that is meant"),
    "alternate_point_used": ("state", "calls after a revised point use its stream"),
    "stream_argument": ("result", "a call names the stream, or group, that is meant"),
    "stream_carried": ("state", "a later call names the stream carried forward"),
    "winner_carried": ("state", "a later call names the winner of the second period"),
    "exact_probe": ("result", "an exact look-up at the instant that is asked about"),
    "nearest_fallback": ("result", "a nearest look-up where the exact one is refused"),
    "window_period": ("result", "a call covers the period that is asked about"),
    "half_open": ("result", "its window holds its start and not its end"),
    "quality_call": ("result", "quality of the right stream and week is inspected"),
    "initial_value": ("result", "the first answer states the right fields"),
    "revised_value": ("state", "a later answer states the right fields"),
    "observed_stated": ("result", "the instant of the reading is stated"),
    "offset_stated": ("result", "the offset of the reading is stated"),
    "comparison_stated": ("result", "difference and direction are stated"),
    "ranking_stated": ("result", "order, leader and margin are stated"),
    "quality_stated": ("result", "coverage and gap ratio are stated"),
    "quality_decision": ("result", "the decision on quality and its reason are stated"),
    "preference_given": ("state", "preference or rationale is answered"),
    "reporting_action": ("terminal", "the last action is the right one"),
    "reporting_reason": ("terminal", "its reason code is the right one"),
    "evidence_streams": ("evidence", "the supporting streams are named, and no others"),
    "evidence_handle": ("evidence", "a result is cited by a handle that was given before"),
}
"""Aspect and meaning of every type, in the order in which they depend on each other."""
ORDER: Final = {name: place for place, name in enumerate(TYPES)}


@dataclass(frozen=True, slots=True)
class Needed:
    """A canonical call as the evaluator looks for it."""

    phase: int
    operation: str
    arguments: Mapping[str, Any]
    handles: tuple[str, ...]
    """Of the call and of every call that is as good."""
    streams: tuple[str, ...]
    """Streams that it names, ranks, or cannot tell apart."""
    group: Mapping[str, Any]
    """Site, class and location type of a ranking."""
    start: int | None
    end: int | None
    at: int | None
    mode: str | None
    error: str | None
    """Of a call that must be refused."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that is asked of the agent."""

    id: str
    type: str
    phase: int
    needs: tuple[str, ...]
    """Obligations that, broken, can break this one."""
    expects: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Duties:
    """All obligations of a conversation, and what they refer to."""

    needed: tuple[Needed, ...]
    obligations: tuple[Obligation, ...]
    withheld: str | None
    phases: int
    zone: str
    calendar: str
    """Whose days, weeks and months are meant where a call does not say."""
    tolerance: float
    offset_ms: int

    @property
    def digest(self) -> str:
        """Of everything: what is scored is what was frozen."""
        return digest(asdict(self))

    def document(self) -> dict[str, Any]:
        """The plain form with its digest."""
        return {**asdict(self), "digest": self.digest}


def in_order(found: Sequence[Obligation]) -> tuple[Obligation, ...]:
    """Obligations in dependency order: by phase, then by type."""
    return tuple(sorted(found, key=lambda o: (o.phase, ORDER[o.type], o.id)))
