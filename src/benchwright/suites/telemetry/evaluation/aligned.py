"""Which call stands for which canonical one: right ones first, then the best assignment.

A call whose handle is that of the canonical call, or of one as good, is right in every part, and
may stand for every canonical call that it is right for. What is left is assigned by how much of a
call is right: greedy matching would let one wrong call take the place of another and report the
wrong fault.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchwright.suites.telemetry.evaluation.trace import Made, Trace
from benchwright.suites.telemetry.obligations.model import Needed
from benchwright.suites.telemetry.obligations.spans import wall

_FIGURES = frozenset({"window_mean", "aggregate_period"})
_SAME_KIND = 100.0
_PARTS = (("stream", 40.0), ("time", 30.0), ("instant", 30.0), ("mode", 20.0), ("outcome", 5.0))


def aligned(needed: Sequence[Needed], trace: Trace) -> list[Made | None]:
    """For every canonical call the call that stands for it; None where there is none."""
    found = [_right(one, trace) for one in needed]
    taken = {made.n for made in found if made is not None}
    places = [place for place, made in enumerate(found) if made is None]
    rest = [made for made in trace.calls if made.n not in taken]
    if not places or not rest:
        return found
    worth = np.array([[_worth(needed[place], made, trace) for made in rest] for place in places])
    rows, columns = linear_sum_assignment(worth, maximize=True)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if worth[row, column] > 0:
            found[places[row]] = rest[column]
    return found


def _right(one: Needed, trace: Trace) -> Made | None:
    """The last call in time that is right in every part."""
    calls = (
        m for m in reversed(trace.calls) if m.handle in one.handles and _in_time(one, m, trace)
    )
    return next(calls, None)


def _in_time(one: Needed, made: Made, trace: Trace) -> bool:
    return one.phase >= len(trace.replies) or made.n < trace.replies[one.phase].n


def _worth(one: Needed, made: Made, trace: Trace) -> float:
    """How much of a call is right; 0 where it cannot stand for the canonical one."""
    kinds = {one.operation, made.operation}
    if not _in_time(one, made, trace) or (len(kinds) > 1 and not kinds <= _FIGURES):
        return 0.0
    right = parts(one, made)
    return _SAME_KIND + sum(worth for name, worth in _PARTS if right[name])


def parts(one: Needed, made: Made) -> dict[str, bool]:
    """What of a call is right, part by part."""
    at = made.at == one.at
    if at and one.at is None and "timestamp" in one.arguments:
        # Two times that no clock showed are the same if they are written the same.
        at = wall(made.arguments.get("timestamp")) == wall(one.arguments["timestamp"])
    return {
        "stream": sorted(made.streams) == sorted(one.streams) or _same_group(one, made),
        "time": (made.start, made.end) == (one.start, one.end),
        "instant": at,
        "mode": made.arguments.get("mode", "exact") == (one.mode or "exact"),
        "outcome": made.error == one.error,
    }


def as_good(one: Needed, made: Made) -> bool:
    """Whether a call that stands for a canonical one is right in every part."""
    return made.handle in one.handles or all(parts(one, made).values())


def _same_group(one: Needed, made: Made) -> bool:
    names = ("site", "point_class", "location_type")
    said = {name: value for name in names if (value := made.arguments.get(name)) is not None}
    return bool(one.group) and said == dict(one.group)
