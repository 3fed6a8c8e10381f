"""`Attempt`: one planned episode with everything that a table needs to count its samples.

Takes the rows, checks and contract of one episode; gives how each owed sample came out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchwright.errors import TaskSetError
from benchwright.scoring.model import Check, ScoreRow
from benchwright.stats.coverage import counts

Fate = Literal["right", "wrong", "unknown"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One planned episode under one metric, reached or not."""

    row: ScoreRow
    labels: tuple[str, ...]
    """Allowed answers; their number sets the chance level. None: a guess earns nothing."""
    owed: tuple[str, ...]
    """Names of the samples that this metric is made of."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    """By sample name; empty while the episode has no sheet."""
    values: Mapping[str, float | None] = field(default_factory=dict)
    """The other metrics of this episode by name, for averages shown beside the accuracy."""

    def fate(self, sample: str) -> Fate:
        """How one owed sample came out. Without a score row nothing is known of any sample."""
        if not counts(self.row):
            return "unknown"
        check = self.checks.get(sample)
        if check is None:
            return "wrong" if self.row.status == "invalid" else "unknown"
        return {"pass": "right", "fail": "wrong"}.get(check.outcome, "unknown")  # type: ignore[return-value]

    def tally(self) -> Counter[Fate]:
        """Number of owed samples by fate."""
        return Counter(self.fate(sample) for sample in self.owed)


def group(attempts: Iterable[Attempt], axes: Sequence[str]) -> dict[tuple[str, ...], list[Attempt]]:
    """Attempts by the values of `axes`, in sorted order of those values; refuses mixed scorers."""
    kept = list(attempts)
    refuse_mixed_scorers(attempt.row for attempt in kept)
    found: dict[tuple[str, ...], list[Attempt]] = {}
    for attempt in kept:
        key = tuple(attempt.row.axes.get(axis, "") for axis in axes)
        found.setdefault(key, []).append(attempt)
    return dict(sorted(found.items()))


def refuse_mixed_scorers(rows: Iterable[ScoreRow]) -> None:
    """One table, one scorer version: otherwise two different questions share a number."""
    names = sorted({row.scorer for row in rows if row.status != "missing"})
    if len(names) > 1:
        raise TaskSetError(
            "rows of different scorer versions cannot share a table",
            value=names,
            where="score rows",
            hint="Score the older run again with `benchwright score RUN`, or report it alone.",
        )
