"""Families about the figure of one stream: 24 hours, a day, a week or month, and a day without any.

Every usual question has a next period that could be asked about as well.
"""

from __future__ import annotations

import numpy as np

from benchwright.suites.telemetry.contract.aggregate import aggregate, usable
from benchwright.suites.telemetry.contract.measure import HOUR_MS, expected
from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.zones import DAY_MS
from benchwright.suites.telemetry.families.inventory import Inventory
from benchwright.suites.telemetry.families.model import Traits
from benchwright.suites.telemetry.families.readings import Whole
from benchwright.suites.telemetry.families.sink import Sink

_WHY = ("not_eligible", "next_not_eligible")


def offer_window(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    """The 24 hours up to the full hour of the anchor of every week."""
    point = stream.point
    for place, _ in stream.anchors(stream.clean, sink):
        end = int(stream.stretch.ts[place]) // HOUR_MS * HOUR_MS
        windows = [Window(end - DAY_MS, end), Window(end, end + DAY_MS)]
        bad = next((n for n, w in enumerate(windows) if not _eligible(stream, w, inventory)), None)
        if bad is not None:
            sink.miss("not_eligible", why=_WHY[bad])
            continue
        reach = inventory.weeks(end - DAY_MS, end + DAY_MS)
        identity = {"streams": [point.stream], "end": end}
        sink.offer(identity, stream.site, [point], reach, Traits((point.stream,)))


def _eligible(stream: Whole, window: Window, inventory: Inventory) -> bool:
    a, b = np.searchsorted(stream.stretch.ts, [window.start, window.end]).tolist()
    if a == b:
        return False
    ts, value = stream.stretch.ts[a:b], stream.stretch.value[a:b]
    marks = stream.stretch.marks[a:b]
    kind = stream.rules.kind
    covered = min(1.0, len(ts) / expected(window, ts, stream.rules))
    kept = usable(value, marks, kind, inventory.contract.left_out)
    cap = inventory.cap("day", stream.point)
    if cap is None or covered < inventory.floor("day") or not kept.any():
        return False
    edges = np.array([window.start, window.end])
    decimals = inventory.store.extent(stream.point.stream).decimals
    found = aggregate(ts, value, kept, edges, decimals, stream.point.kind)
    figure = found.change[0] if stream.point.kind == "cumulative" else found.mean[0]
    return bool(abs(figure) <= cap)


def offer_period(stream: Whole, period: Period, sink: Sink, inventory: Inventory) -> None:
    """Every period with a kept reading."""
    point, row = stream.point, inventory.aggregates[period].get(stream.point.stream)
    if row is None:
        return
    before, good = row.kept, row.eligible.copy()
    good[:-1] &= row.eligible[1:]
    good[-1:] = False
    for why, fine in zip(_WHY, (row.eligible, good), strict=True):
        sink.miss("not_eligible", int((before & ~fine).sum()), why)
        before = fine
    periods = inventory.periods[period]
    for index in np.flatnonzero(good).tolist():
        reach = inventory.weeks(int(periods.edges[index]), int(periods.edges[index + 2]))
        identity = {
            "streams": [point.stream],
            "period": period,
            "first_day": str(periods.days[index]),
        }
        sink.offer(identity, stream.site, [point], reach, Traits((point.stream,)))


def offer_no_data(stream: Whole, sink: Sink, inventory: Inventory) -> None:
    """Days inside a stream without a kept reading."""
    point, row = stream.point, inventory.aggregates["day"].get(stream.point.stream)
    if row is None:
        return
    periods, ts = inventory.periods["day"], stream.stretch.ts
    ends = np.searchsorted(periods.edges, [ts[0], ts[-1]], side="right") - 1
    for index in range(int(ends[0]) + 1, int(ends[1])):
        if not row.kept[index]:
            day = Window(int(periods.edges[index]), int(periods.edges[index + 1]))
            identity = {
                "streams": [point.stream],
                "period": "day",
                "first_day": str(periods.days[index]),
            }
            reach = inventory.weeks(day.start, day.end)
            sink.offer(identity, stream.site, [point], reach, Traits((point.stream,)))
