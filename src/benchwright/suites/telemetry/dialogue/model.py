"""A conversation as data: phases, slots, and the history of how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from benchwright.canonical import digest
from benchwright.suites.telemetry.rows.model import Answer, Call

SCRIPT_FORMAT: Final = "benchwright.telemetry-script/1"
Slot = Literal["site", "time"]
SLOTS: Final = ("site", "time", "point_class", "unit", "purpose")
"""What an agent may ask its operator for, the same in every conversation."""
Mode = Literal["clarify-site", "clarify-time", "implicit-nearest"]
PhaseKind = Literal[
    "initial_answer",
    "revise_point",
    "revise_window",
    "revise_timestamp",
    "quality_check",
    "preference_decision",
    "reporting_commitment",
    "rationale",
    "evidence",
]
FOLLOW_UPS: Final[frozenset[PhaseKind]] = frozenset({"rationale", "evidence"})
"""Phases after the last answer: no revision, and not counted as gold phases."""
Reading = Literal["exact", "nearest", "too_far", "faulty", "none", "not_asked"]
"""What the latest look-up gave."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Words of a turn that mean something said before."""

    phrase: str
    binding: str
    """Name in the state of the phase before."""


@dataclass(frozen=True, slots=True)
class Required:
    """A canonical call with everything that is as good as it."""

    call: Call
    handles: tuple[str, ...]
    """Handles of the call and of its alternatives."""


@dataclass(frozen=True, slots=True)
class Phase:
    """One turn of the operator and what must follow it."""

    kind: PhaseKind
    text: str
    references: tuple[Reference, ...]
    state: Mapping[str, Any]
    """Bindings that hold once the turn was said: streams, windows, instants, decisions."""
    required: tuple[Required, ...]
    gold: Answer
    origins: Mapping[str, str]
    """For action, reason and every field: the call or the policy that gave the value."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """Canonical calls."""
        return tuple(one.call for one in self.required)


@dataclass(frozen=True, slots=True)
class Stage:
    """One entry of the history: what a stage did to the script."""

    name: str
    status: Literal["applied", "skipped"]
    before: str
    after: str
    """Digests of the script without its history."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """A slot that the first turn leaves out."""

    slot: Slot
    words: str
    """What the operator says when asked."""
    hidden: tuple[str, ...]
    """Texts that the first turn must not hold."""


@dataclass(frozen=True, slots=True)
class Script:
    """A whole conversation."""

    mode: Mode
    withheld: Withheld | None
    phases: tuple[Phase, ...]
    closing: str
    history: tuple[Stage, ...] = field(default=())

    @property
    def digest(self) -> str:
        """Of everything but the history."""
        return digest(replace(self, history=()))

    @property
    def last(self) -> Phase:
        """The phase that the next stage builds on."""
        return self.phases[-1]

    def with_phase(self, phase: Phase) -> Script:
        """One phase more; nothing else changes."""
        return replace(self, phases=(*self.phases, phase))

    def document(self) -> dict[str, Any]:
        """The plain form, with its format."""
        return {"format": SCRIPT_FORMAT, **asdict(self)}


def latest(script: Script, *kinds: PhaseKind) -> Phase | None:
    """The last phase of these kinds."""
    return next((p for p in reversed(script.phases) if p.kind in kinds), None)
