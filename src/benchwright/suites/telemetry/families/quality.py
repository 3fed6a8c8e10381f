"""The quality gate: whether a week of a stream is good enough."""

from __future__ import annotations

from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.families.inventory import Inventory
from benchwright.suites.telemetry.families.model import Traits
from benchwright.suites.telemetry.families.readings import Whole
from benchwright.suites.telemetry.families.sink import Sink


def offer_quality(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    """Every week with readings but the first and the last of a stream."""
    point = stream.point
    rows = inventory.store.rows(
        'SELECT first_day, start, "end", "count", outcome FROM quality_weeks '
        "WHERE stream = ? ORDER BY start",
        [point.stream],
    )
    for first_day, start, end, count, outcome in rows[1:-1]:
        if count:
            identity = {"streams": [point.stream], "first_day": first_day}
            traits = Traits((point.stream,), extra=outcome)
            sink.offer(identity, stream.site, [point], Window(start, end), traits)
