"""`lookup_observation`: the reading at an instant, or the one nearest to it."""

from __future__ import annotations

import numpy as np

from benchwright.suites.telemetry.contract.measure import implausible, is_sentinel, step_at
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, DROPOUT
from benchwright.suites.telemetry.operations.arguments import LookupObservation
from benchwright.suites.telemetry.operations.reads import handle, known
from benchwright.suites.telemetry.operations.refusals import refuse
from benchwright.suites.telemetry.operations.results import Reading
from benchwright.suites.telemetry.operations.times import instant, shown
from benchwright.suites.telemetry.store.open import Store


def lookup_observation(store: Store, a: LookupObservation) -> Reading:
    """Read one value. Of two equally near readings the earlier one counts.

    `exact` needs a reading at that very millisecond; `nearest` never goes beyond the first or last.
    """
    point, at = known(store, a.stream_id), instant(a.timestamp, store.zone)
    extent = store.extent(a.stream_id)
    if not extent.first <= at <= extent.last:
        span = f"{shown(extent.first)} to {shown(extent.last)}"
        raise refuse("out_of_range", f"{a.stream_id!r} has readings from {span} only.")
    around = store.around(a.stream_id, at)
    ts, value, marks = min(around, key=lambda row: (abs(row[0] - at), row[0]))
    if a.mode == "exact" and ts != at:
        raise refuse("empty", f"{a.stream_id!r} has {_why(store, a.stream_id, at)}")
    offsets = [abs(row[0] - at) for row in around]
    rules = store.rules(a.stream_id)
    step = float(step_at(np.array([ts]), rules)[0])
    said = {"stream_id": a.stream_id, "timestamp": at, "mode": a.mode}
    ranged = "range" in store.contract.left_out
    alone = np.array([value]), np.array([marks], dtype=np.uint8)
    flags = {
        "time_adjusted": int(marks & ADJUSTED > 0),
        "dropout": int(marks & DROPOUT > 0),
        "sentinel": int(is_sentinel(alone[0], rules.kind)[0]),
        "range": int(ranged and implausible(*alone, rules.kind)[0]),
        "imputed": int(point.imputed),
    }
    return Reading(
        handle=handle("lookup_observation", said, [list(row) for row in around]),
        unit=point.unit,
        count=1,
        coverage=None,
        flags={name: count for name, count in flags.items() if count},
        stream_id=a.stream_id,
        requested=shown(at),
        observed=shown(ts),
        value=value,
        offset_s=(ts - at) / 1000,
        matched="exact" if ts == at else "nearest",
        tie=len(offsets) == 2 and offsets[0] == offsets[1],
        acceptable=abs(ts - at) <= store.contract.nearest_steps * step,
    )


def _why(store: Store, stream: str, at: int) -> str:
    if store.dropped(stream, at):
        return f"different readings at {shown(at)}, so none of them counts; mode nearest may help."
    return f"no reading at {shown(at)}; mode nearest may."
