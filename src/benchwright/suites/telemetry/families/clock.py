"""Times that the clock never showed: what a question in local time can be wrong about."""

from __future__ import annotations

import numpy as np

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.families.inventory import Inventory
from benchwright.suites.telemetry.families.model import Traits, draw
from benchwright.suites.telemetry.families.readings import Whole
from benchwright.suites.telemetry.families.sink import Sink

_MINUTE_MS = 60_000


def skipped(zone: Zone, first: int, last: int) -> list[tuple[int, int, int]]:
    """Changes strictly inside that skip a stretch: instant, and wall times of its two ends."""
    found = []
    inside = np.flatnonzero((zone.changes > first) & (zone.changes < last))
    for index in inside.tolist():
        change = int(zone.changes[index])
        before, after = (int(o) for o in zone.offsets[index : index + 2])
        if after > before:
            found.append((change, change + before, change + after))
    return found


def offer_never_shown(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    """A minute of every stretch that the corpus's zone skipped while the stream ran."""
    ts, point = stream.stretch.ts, stream.point
    for change, low, high in skipped(inventory.store.zone, int(ts[0]), int(ts[-1])):
        week = inventory.weeks(change, change + 1)
        label = str(stream.weeks.days[np.searchsorted(stream.weeks.edges, week.start)])
        minute = draw(sink.seed(point.stream, label), (high - low) // _MINUTE_MS)
        local = np.datetime64(low + minute * _MINUTE_MS, "ms").astype("datetime64[s]")
        identity = {"streams": [point.stream], "local": str(local)}
        sink.offer(identity, stream.site, [point], week, Traits((point.stream,)))
