"""A flaw of a label file: which rule, where, what was found and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Rule = Literal[
    "version",
    "pattern_unknown",
    "pattern_missing",
    "pattern_twice",
    "hit_and_partial",
    "evidence_missing",
    "evidence_astray",
    "credit_only",
    "retracted_only",
    "confidence_range",
    "severity",
    "kinds_mixed",
    "issue_unknown",
    "issue_twice",
    "issue_unlabelled",
    "stage_differs",
    "root_cause_differs",
    "verdict_and_hits",
]
RULES: tuple[str, ...] = get_args(Rule)
READINGS: frozenset[str] = frozenset({"stage_differs", "root_cause_differs", "verdict_and_hits"})
"""Rules that only report: two readings differ, and either may be right."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """One flaw."""

    rule: Rule
    problem: str
    where: str
    """Which label: `label 3, C.2` or `issue 7`; `file` for the whole."""
    got: str
    need: str

    @property
    def breaks(self) -> bool:
        """Whether it makes the file a bad one; False for what is only reported."""
        return self.rule not in READINGS
