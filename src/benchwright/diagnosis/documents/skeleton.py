"""What a document must have: its parts in order, and the floors of each (paper, table 10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

THIN = Fraction(3, 5)
"""Factor of the thin profile."""
THIN_REASONS = ("no_decision", "no_computation", "timeout", "infrastructure")
"""Beginnings of the reason of a score that select the thin profile."""

MOST_SHORT, SHORT = 0.28, 200
MOST_STUBS, STUB = 0.05, 100
LEAST_ANCHORED = 0.85
MOST_REPEATED = 0.08
MOST_COPIED = 0.20


@dataclass(frozen=True, slots=True)
class Part:
    """One section: characters, numbered issues and rows of claims that it must have at least."""

    title: str
    characters: int
    issues: int = 0
    rows: int = 0
    stage: str = ""
    """Letter of a stage section, "" for others."""


@dataclass(frozen=True, slots=True)
class Floors:
    """Least figures of a document."""

    profile: str
    characters: int
    issues: int
    characters_per_issue: int
    anchors: int
    quotes: int
    parts: tuple[Part, ...]


CORE = "Core Verdict"
CHECKLIST = "Sentence-by-Sentence Checklist"

FULL = Floors("full", 16_000, 28, 300, 300, 8, (
    Part(CORE, 850),
    Part("Metadata", 720),
    Part("Trajectory Arc", 380),
    Part("Credit Due", 760),
    Part("A. Ideation & Planning", 760, 3, stage="A"),
    Part("B. Retrieval & Synthesis", 1020, 4, stage="B"),
    Part("C. Execution & Implementation", 2550, 10, stage="C"),
    Part("D. Analysis & Interpretation", 600, 3, stage="D"),
    Part("E. Writing & Documentation", 640, 3, stage="E"),
    Part("F. Self-Verification & Review", 640, 3, stage="F"),
    Part("X. Cross-Stage Dynamics", 520, 2, stage="X"),
    Part(CHECKLIST, 1100, rows=12),
    Part("Numerical Grounding Notes", 600),
    Part("Retraction / Correction Log", 340),
    Part("One-Line Verdict", 210),
))  # fmt: skip
"""The published floors. Rows of the checklist count its header and rule, as published."""


def thinned(full: Floors) -> Floors:
    """The floors times 0.6, cut to whole numbers; two issues a stage at least, 300 per issue."""
    parts = tuple(
        replace(
            part,
            characters=int(part.characters * THIN),
            issues=max(int(part.issues * THIN), 2) if part.issues else 0,
            rows=int(part.rows * THIN),
        )
        for part in full.parts
    )
    return Floors(
        "thin",
        int(full.characters * THIN),
        int(full.issues * THIN),
        full.characters_per_issue,
        int(full.anchors * THIN),
        int(full.quotes * THIN),
        parts,
    )


def floors_for(reason: str | None) -> Floors:
    """The floors for a document about an episode whose score has this reason; None: full."""
    return thinned(FULL) if reason is not None and reason.startswith(THIN_REASONS) else FULL
