"""How much of what was owed can be counted: the part that every table carries.

Takes score rows; gives counts. An episode that has no number is counted by who is to blame for it,
and by `not run` while nobody is: it never leaves the denominator without a trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchwright.scoring.model import ScoreRow

NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Episodes of one table row. planned = scored + invalid + the sum of `missing`."""

    planned: int
    finished: int
    """Episodes with a closing record, whatever their end."""
    scored: int
    invalid: int
    """Answered against the contract; counts as wrong, never as missing."""
    missing: Mapping[str, int]
    """Episodes without a score by owner of the failure; `not run` when there is none."""

    @property
    def complete(self) -> bool:
        """Whether every planned episode has a number."""
        return not self.missing


def cover(rows: Iterable[ScoreRow]) -> Coverage:
    """Coverage of rows of one metric, one row per planned episode."""
    kept = list(rows)
    status = Counter(row.status for row in kept)
    blame = Counter(row.owner or NOT_RUN for row in kept if not counts(row))
    return Coverage(
        planned=len(kept),
        finished=len(kept) - status["missing"],
        scored=status["scored"],
        invalid=status["invalid"],
        missing=dict(sorted(blame.items())),
    )


def counts(row: ScoreRow) -> bool:
    """Whether this row has a number: it was scored, or it was invalid and therefore 0."""
    return row.status in ("scored", "invalid")
