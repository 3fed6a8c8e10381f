"""What the screen says: a finding, and the detector that made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from benchwright.trajectory.evidence import Evidence

if TYPE_CHECKING:
    from benchwright.diagnosis.screen.story import Story

Kind = Literal["verdict", "lead"]
"""A verdict is right as stated, whatever was meant; a lead needs a reader."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a detector returns: a sentence, and the places that show it."""

    says: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Detector:
    """One question to a trajectory; its kind and its pattern never depend on the case."""

    name: str
    kind: Kind
    pattern: str
    states: str
    """What a finding of it asserts, for the documentation."""
    find: Callable[[Story], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding on one trajectory; every pointer of its evidence leads somewhere."""

    detector: str
    kind: Kind
    pattern: str
    says: str
    evidence: tuple[Evidence, ...]
