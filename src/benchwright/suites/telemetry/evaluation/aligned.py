"""Which call stands for which canonical one: the best assignment, by how much of a call is right.

Greedy matching would let one wrong call take the place of another and report the wrong fault. A
call whose handle is that of the canonical call, or of one as good, is right in every part, however
it was written: handles are digests of operation, arguments in one form and what was read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchwright.suites.telemetry.evaluation.trace import Made, Trace
from benchwright.suites.telemetry.obligations.model import Needed

_FIGURES = frozenset({"window_mean", "aggregate_period"})
_RIGHT, _SAME_KIND = 1000.0, 100.0


def aligned(needed: Sequence[Needed], trace: Trace) -> list[Made | None]:
    """For every canonical call the call that stands for it; None where there is none."""
    found: list[Made | None] = [None] * len(needed)
    if not needed or not trace.calls:
        return found
    worth = np.array([[_worth(one, made, trace) for made in trace.calls] for one in needed])
    rows, columns = linear_sum_assignment(worth, maximize=True)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if worth[row, column] > 0:
            found[row] = trace.calls[column]
    return found


def _worth(one: Needed, made: Made, trace: Trace) -> float:
    """How much of a call is right; 0 where it cannot stand for the canonical one."""
    if one.phase < len(trace.replies) and made.n > trace.replies[one.phase].n:
        return 0.0
    kinds = {one.operation, made.operation}
    if len(kinds) > 1 and not kinds <= _FIGURES:
        return 0.0
    if made.handle in one.handles:
        return _RIGHT
    right = 40.0 * (sorted(made.streams) == sorted(one.streams))
    right += 15.0 * (made.start == one.start) + 15.0 * (made.end == one.end)
    right += 30.0 * (made.at == one.at)
    right += 20.0 * (made.arguments.get("mode", "exact") == (one.mode or "exact"))
    right += 5.0 * (made.error == one.error)
    return float(_SAME_KIND + right)
