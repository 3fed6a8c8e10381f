"""Candidates and counts: records that enumeration makes and selection reads."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchwright.canonical import canonical_json
from benchwright.suites.telemetry.contract.holdout import Part
from benchwright.suites.telemetry.contract.model import Family, Quota
from benchwright.suites.telemetry.contract.periods import Window

USUAL: Final = "usual"
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "point_disambiguation": (USUAL, "unresolvable"),
    "exact_value": (USUAL, "bad_sensor", "no_such_local_time"),
    "nearest_value": (USUAL, "too_far"),
    "quality_gate": (USUAL,),
    "window_mean": (USUAL,),
    "daily_aggregate": (USUAL, "no_data"),
    "period_aggregate": (USUAL,),
    "pairwise_comparison": (USUAL,),
    "ranking": (USUAL,),
}
"""Variants of every family in the order of rows; all but `usual` are negative."""

Identity = Mapping[str, Any]
"""Plain JSON data, integers and texts only."""


def key_of(identity: Identity) -> str:
    """sha256 of an identity: the order of candidates, which no property of them decides."""
    return hashlib.sha256(canonical_json(identity)).hexdigest()


def draw(seed: Identity, n: int) -> int:
    """A number from 0 up to `n` that depends on `seed` alone."""
    return int(key_of(seed), 16) % n


@dataclass(frozen=True, slots=True)
class Traits:
    """What caps and cells look at."""

    streams: tuple[str, ...] = ()
    """Of which the cap `stream` counts rows."""
    extra: str = ""
    """One more part of the cell."""
    winner: str | None = None
    bucket: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One eligible question."""

    identity: Identity
    key: str
    site: str
    """The site value that the question names."""
    reach: Window
    part: Part
    cell: tuple[str, ...]
    traits: Traits


@dataclass(frozen=True, slots=True)
class Kind:
    """A family with one of its variants."""

    family: Family
    variant: str

    @property
    def quota(self) -> Quota:
        """Most rows per split."""
        return self.family.negative if self.negative else self.family.quota

    @property
    def negative(self) -> bool:
        """Whether the right reply is to abstain or to ask."""
        return self.variant != USUAL


@dataclass(slots=True)
class Counts:
    """Of one kind: how many questions there were, and what became of them."""

    candidates: int = 0
    eligible: int = 0
    across: int = 0
    """Eligible, and of no split: partly held out, or held out by another family."""
    missed: Counter[str] = field(default_factory=Counter)
    """Reasons of those that are not eligible."""
    why: Counter[str] = field(default_factory=Counter)
    """The same, with what lies in the next period told apart."""
    groups: Counter[str] = field(default_factory=Counter)
    """Reasons of groups of streams that give no candidate."""
