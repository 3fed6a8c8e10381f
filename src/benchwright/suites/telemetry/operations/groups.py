"""`rank_window`, and what is stored whole: `calendar_profile` and `preview`."""

from __future__ import annotations

from benchwright.suites.telemetry.contract.aggregate import MEAN_KINDS
from benchwright.suites.telemetry.operations.arguments import OneStream, RankWindow
from benchwright.suites.telemetry.operations.reads import Figures, content, handle, known
from benchwright.suites.telemetry.operations.refusals import Refused, refuse
from benchwright.suites.telemetry.operations.resolve import at_site
from benchwright.suites.telemetry.operations.results import (
    Preview,
    PreviewReading,
    Profile,
    ProfileHour,
    Ranked,
    Ranking,
)
from benchwright.suites.telemetry.operations.times import shown, window
from benchwright.suites.telemetry.operations.windows import measured
from benchwright.suites.telemetry.store.open import Store


def rank_window(store: Store, a: RankWindow) -> Ranking:
    """Order the streams of a class on a site by their means in a window; two at least.

    Streams without a reading there, and counters that fall there, are named and not ranked.
    """
    start, end = window(a.start, a.end, store.zone)
    points = at_site(store, a.site, a.point_class)
    if a.location_type is not None:
        points = [p for p in points if p.location_type == a.location_type]
    if len({p.unit for p in points}) > 1:
        raise refuse("undefined", "The streams have different units.")
    found, absent = [], []
    for point in points:
        try:
            found.append(measured(store, point.stream, start, end))
        except Refused as stop:
            if stop.refusal.error not in ("empty", "out_of_range", "counter_fell"):
                raise
            absent.append(point.stream)
    if len(found) < 2:
        raise refuse("too_few", f"{len(found)} of {len(points)} streams have readings there.")
    sign = -1.0 if a.order == "highest" else 1.0
    ordered = sorted(found, key=lambda f: (sign * _value(f), f.point.stream))
    said = {**a.model_dump(exclude={"start", "end"}), "start": start, "end": end}
    names = sorted({name for f in found for name in f.flags})
    return Ranking(
        handle=handle("rank_window", said, [content(f.stretch for f in found), absent]),
        unit=found[0].point.unit,
        count=sum(f.used for f in found),
        coverage=min(f.measures.coverage for f in found),
        flags={name: sum(f.flags.get(name, 0) for f in found) for name in names},
        start=shown(start),
        end=shown(end),
        of="mean" if found[0].mean is not None else "change",
        ranked=tuple(_ranked(i, f) for i, f in enumerate(ordered[: a.top_k], start=1)),
        margin=abs(_value(ordered[0]) - _value(ordered[1])),
        without_data=tuple(absent),
    )


def _value(found: Figures) -> float:
    value = found.mean if found.mean is not None else found.change
    assert value is not None
    return value


def _ranked(rank: int, found: Figures) -> Ranked:
    point = found.point
    return Ranked(
        rank=rank,
        stream_id=point.stream,
        equipment=point.equipment,
        location=point.location,
        value=_value(found),
        coverage=found.measures.coverage,
    )


def calendar_profile(store: Store, a: OneStream) -> Profile:
    """Means by hour of the day and day of the week, over the whole stream, local clock."""
    point, extent = known(store, a.stream_id), store.extent(a.stream_id)
    if point.kind not in MEAN_KINDS:
        raise refuse("undefined", f"{a.stream_id!r} is of kind {point.kind} and has no mean.")
    rows = store.rows(
        'SELECT day_of_week, hour, "count", mean FROM calendar_profiles WHERE stream = ? '
        "ORDER BY day_of_week, hour",
        [a.stream_id],
    )
    return Profile(
        handle=handle("calendar_profile", a.model_dump(), extent.content),
        unit=point.unit,
        count=sum(row[2] for row in rows),
        coverage=None,
        flags={"imputed": 1} if point.imputed else {},
        stream_id=a.stream_id,
        hours=tuple(
            ProfileHour(day_of_week=day, hour=hour, count=count, mean=mean)
            for day, hour, count, mean in rows
        ),
    )


def preview(store: Store, a: OneStream) -> Preview:
    """The first and last readings of a stream."""
    point, extent = known(store, a.stream_id), store.extent(a.stream_id)
    rows = store.rows(
        'SELECT "end", "at", value FROM previews WHERE stream = ? ORDER BY "at"', [a.stream_id]
    )
    ends = {
        end: tuple(PreviewReading(at=shown(at), value=v) for e, at, v in rows if e == end)
        for end in ("first", "last")
    }
    return Preview(
        handle=handle("preview", a.model_dump(), extent.content),
        unit=point.unit,
        count=extent.count,
        coverage=None,
        flags={"imputed": 1} if point.imputed else {},
        stream_id=a.stream_id,
        first=ends["first"],
        last=ends["last"],
    )
