"""Operations on one stream and a window, and on two streams."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from benchwright.suites.telemetry.contract.aggregate import MEAN_KINDS
from benchwright.suites.telemetry.contract.judge import judge
from benchwright.suites.telemetry.contract.periods import Window, local_day, window_of
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.operations.arguments import (
    AggregatePeriod,
    CompareWindow,
    Windowed,
)
from benchwright.suites.telemetry.operations.reads import (
    Figures,
    content,
    figures,
    handle,
    known,
)
from benchwright.suites.telemetry.operations.refusals import refuse
from benchwright.suites.telemetry.operations.results import (
    Comparison,
    QualityResult,
    WindowResult,
)
from benchwright.suites.telemetry.operations.times import shown, window
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.store.thresholds import season_of


def window_mean(store: Store, a: Windowed) -> WindowResult:
    """Mean, least and greatest of the readings of a window; a counter has a change, no mean."""
    start, end = window(a.start, a.end, store.zone)
    said = {"stream_id": a.stream_id, "start": start, "end": end}
    found = measured(store, a.stream_id, start, end)
    return _result("window_mean", said, found, start, end)


def aggregate_period(store: Store, a: AggregatePeriod) -> WindowResult:
    """Mean, least, greatest or change of the day, week or month that holds a date."""
    calendar = a.calendar or store.contract.calendar
    clock = store.zone if calendar == "local" else zone("UTC")
    try:
        day = date.fromisoformat(a.date)
    except ValueError:
        raise refuse("bad_argument", f"{a.date!r} is no date; write 2022-02-03.") from None
    if not 1970 <= day.year < 2099:
        raise refuse("out_of_range", f"{a.date} lies outside 1970 to 2098.")
    span = window_of(day, a.period, clock)
    said = {
        "stream_id": a.stream_id,
        "period": a.period,
        "first_day": span.label,
        "calendar": calendar,
    }
    found = measured(store, a.stream_id, span.start, span.end)
    result = _result("aggregate_period", said, found, span.start, span.end)
    return result.model_copy(
        update={"calendar": calendar, "period": a.period, "first_day": span.label}
    )


def compare_window(store: Store, a: CompareWindow) -> Comparison:
    """Means of two streams in one window, and which is higher."""
    start, end = window(a.start, a.end, store.zone)
    if a.stream_a == a.stream_b:
        raise refuse("bad_argument", "A stream cannot be compared with itself.")
    one, two = (_with_mean(store, s, start, end) for s in (a.stream_a, a.stream_b))
    if one.point.unit != two.point.unit:
        raise refuse("undefined", f"Units differ: {one.point.unit} and {two.point.unit}.")
    assert one.mean is not None and two.mean is not None
    difference = one.mean - two.mean
    tie = abs(difference) <= store.contract.tolerances.value
    said = {"stream_a": a.stream_a, "stream_b": a.stream_b, "start": start, "end": end}
    names = sorted(one.flags.keys() | two.flags.keys())
    return Comparison(
        handle=handle("compare_window", said, content((one.stretch, two.stretch))),
        unit=one.point.unit,
        count=one.used + two.used,
        coverage=min(one.measures.coverage, two.measures.coverage),
        flags={name: one.flags.get(name, 0) + two.flags.get(name, 0) for name in names},
        start=shown(start),
        end=shown(end),
        stream_a=a.stream_a,
        stream_b=a.stream_b,
        mean_a=one.mean,
        mean_b=two.mean,
        difference=difference,
        higher="tie" if tie else "a" if difference > 0 else "b",
    )


def inspect_quality_window(store: Store, a: Windowed) -> QualityResult:
    """Whether the readings of a window are good enough to report: answer, caution or abstain."""
    start, end = window(a.start, a.end, store.zone)
    found = figures(store, a.stream_id, start, end)
    m, quality = found.measures, store.contract.quality
    clock = store.zone if store.contract.calendar == "local" else zone("UTC")
    label = local_day(start, clock).isoformat()
    season = season_of(Window(start, end, label), quality)
    verdict = judge(m, store.seasons[season], quality)
    said = {"stream_id": a.stream_id, "start": start, "end": end}
    return QualityResult(
        handle=handle("inspect_quality_window", said, content([found.stretch])),
        unit=found.point.unit,
        count=m.count,
        coverage=m.coverage,
        flags=found.flags,
        stream_id=a.stream_id,
        start=shown(start),
        end=shown(end),
        gap_ratio=m.gap_ratio,
        greatest_gap_s=m.gap_ms / 1000,
        frozen=m.frozen,
        out_of_range=m.range,
        spikes=m.spike,
        decision=verdict.outcome,
        reason=verdict.reason,
        season=season,
    )


def measured(store: Store, stream: str, start: int, end: int) -> Figures:
    """Figures of a stream that has a mean or a change there."""
    point = known(store, stream)
    if point.kind not in MEAN_KINDS and point.kind != "cumulative":
        raise _meaningless(point)
    found = figures(store, stream, start, end)
    if not found.used:
        raise refuse("empty", f"All {found.measures.count} readings there are marked as faults.")
    if point.kind == "cumulative" and found.change is None:
        why = "it was exchanged or reset; ask on either side of that"
        raise refuse("counter_fell", f"{stream!r} falls inside the window: {why}.")
    return found


def _with_mean(store: Store, stream: str, start: int, end: int) -> Figures:
    found = measured(store, stream, start, end)
    if found.mean is None:
        raise _meaningless(found.point)
    return found


def _meaningless(point: Point) -> Exception:
    said = "has a change, not a mean" if point.kind == "cumulative" else "has no mean"
    return refuse("undefined", f"{point.stream!r} is of kind {point.kind} and {said}.")


def _result(
    name: str, said: Mapping[str, object], found: Figures, start: int, end: int
) -> WindowResult:
    return WindowResult(
        handle=handle(name, said, content([found.stretch])),
        unit=found.point.unit,
        count=found.used,
        coverage=found.measures.coverage,
        flags=found.flags,
        stream_id=found.point.stream,
        start=shown(start),
        end=shown(end),
        mean=found.mean,
        least=found.least,
        greatest=found.greatest,
        change=found.change,
    )
