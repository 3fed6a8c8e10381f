"""What the audit found and how much it compared.

A finding is a plain record; counts are kept per kind of what was compared, so that a clean result
can be told from one that looked at nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

KINDS = (
    "identities",
    "points",
    "windows",
    "arguments",
    "values",
    "offsets",
    "quality",
    "gold",
    "phases",
    "duties",
    "words",
    "thresholds",
    "candidates",
    "selection",
    "evidence",
    "handles",
)


class UnusableInput(ValueError):
    """A set, a corpus file or a data file that the audit cannot read: one line with its place."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference: where, in which field, what the set states and what the raw files give."""

    row: str
    field: str
    stated: Any
    found: Any


def same(stated: Any, found: Any) -> bool:
    """Equal as values: numbers by value (1 equals 1.0, true equals nothing but true)."""
    if isinstance(stated, bool) or isinstance(found, bool):
        return stated is found
    if isinstance(stated, int | float) and isinstance(found, int | float):
        return stated == found and not math.isnan(found)
    if isinstance(stated, list) and isinstance(found, list | tuple):
        return len(stated) == len(found) and all(map(same, stated, found))
    if isinstance(stated, dict) and isinstance(found, dict):
        return stated.keys() == found.keys() and all(same(v, found[k]) for k, v in stated.items())
    return bool(stated == found)


@dataclass(slots=True)
class Report:
    """Findings so far and the number of comparisons per kind."""

    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def compare(self, kind: str, row: str, name: str, stated: Any, found: Any) -> bool:
        """Count one comparison; note a finding where the two differ."""
        self.counts[kind] += 1
        if same(stated, found):
            return True
        self.findings.append(Finding(row, name, stated, found))
        return False

    def note(self, kind: str, row: str, name: str, stated: Any, found: Any) -> None:
        """A finding that no comparison of two values made."""
        self.counts[kind] += 1
        self.findings.append(Finding(row, name, stated, found))
