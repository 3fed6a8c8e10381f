"""Numeric values printed, by agent, and what was left out by which rule."""

from __future__ import annotations

from collections import Counter

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.metrics.numbers import count_values
from benchwright.trajectory.metrics.numbers.shown import display_of


class Printed:
    """Fold over results: sums only."""

    def __init__(self) -> None:
        self.values: Counter[str] = Counter()
        self.excluded: Counter[str] = Counter()
        self.outputs = 0
        """Results that hold text."""

    def result(self, call: Call | None, result: Result) -> None:
        """One result; each counts once. Without its call, its text alone is judged."""
        if not result.text:
            return
        self.outputs += 1
        found = count_values(result.text, display_of(call, result))
        self.values[call.thread if call is not None else ""] += found.count
        self.excluded.update(found.excluded)
