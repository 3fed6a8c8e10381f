"""The record of a row, and its plain form in `gold.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

ROW_FORMAT: Final = "benchwright.telemetry-row/1"
Action = Literal["answer", "abstain", "re_clarify"]
ACTIONS: Final[tuple[Action, ...]] = ("answer", "abstain", "re_clarify")
AlternativeKind = Literal[
    "location_omitted", "period_form", "operands_swapped", "exact_then_nearest"
]
FieldKind = Literal["number", "offset", "instant", "id", "ids", "word", "flag"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an operation and what it answers."""

    operation: str
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any]

    @property
    def refused(self) -> bool:
        """Whether the answer is a refusal."""
        return "error" in self.answer


@dataclass(frozen=True, slots=True)
class Asked:
    """A call without its answer."""

    operation: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Calls that are as good as a canonical one."""

    kind: AlternativeKind
    call: int
    """Place of the call that they stand for."""
    instead: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the right reply is."""

    action: Action
    reason: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Read:
    """Readings that a call read."""

    stream: str
    start: int
    end: int
    count: int
    content: str
    """sha256 of instants, values and marks, each as its little-endian array."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What supports the answer."""

    streams: tuple[str, ...]
    handles: tuple[str, ...]
    reads: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """How one field of the gold is compared."""

    field: str
    kind: FieldKind
    tolerance: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One row, before any turn is made of it."""

    identity: Mapping[str, Any]
    key: str
    split: str
    site: str
    points: tuple[Mapping[str, Any], ...]
    query: Mapping[str, Any]
    calls: tuple[Call, ...]
    alternatives: tuple[Alternative, ...]
    gold: Answer
    evidence: Evidence
    verifier: tuple[Verified, ...]
    source: Mapping[str, Any]
    difficulty: Mapping[str, Any]

    @property
    def family(self) -> str:
        """Its family."""
        return str(self.identity["family"])

    @property
    def variant(self) -> str:
        """`usual`, or which negative."""
        return str(self.identity["variant"])

    def document(self) -> dict[str, Any]:
        """The plain form, with its format."""
        return {"format": ROW_FORMAT, **asdict(self)}
