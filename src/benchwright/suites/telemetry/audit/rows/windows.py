"""Answers about windows of one stream and of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from benchwright.suites.telemetry.audit.canonical import instant
from benchwright.suites.telemetry.audit.clock import Period
from benchwright.suites.telemetry.audit.figures import figures
from benchwright.suites.telemetry.audit.measures import coverage, measures
from benchwright.suites.telemetry.audit.rows.look import Answer, Call, flags, read_of
from benchwright.suites.telemetry.audit.stream import Stream
from benchwright.suites.telemetry.audit.world import World

# A ranking shows ten streams unless it is asked for more, and a hundred at most.
TOP_K, MOST_RANKED = 10, 100


def _bounds(start: int, end: int) -> dict[str, str]:
    return {"start": instant(start), "end": instant(end)}


def _summary(stream: Stream, start: int, end: int) -> Answer:
    found = figures(stream, start, end)
    return {
        **_bounds(start, end),
        "stream_id": stream.id,
        "unit": stream.point.unit,
        "count": found.count,
        "coverage": coverage(stream, start, end),
        "flags": flags(stream, *stream.span(start, end)),
        "mean": found.mean,
        "change": found.change,
        "least": found.least,
        "greatest": found.greatest,
    }


def window_mean(stream: Stream, start: int, end: int) -> Call:
    """Figures of a window."""
    answer = {**_summary(stream, start, end), "period": None, "first_day": None, "calendar": None}
    arguments = {"stream_id": stream.id, **_bounds(start, end)}
    return Call("window_mean", arguments, answer, (read_of(stream, start, end),))


def aggregate_period(stream: Stream, period: Period, calendar: str) -> Call:
    """Figures of a day, week or month; `empty` where no reading counts."""
    arguments = {"stream_id": stream.id, "period": period.kind, "date": period.first_day}
    answer = _summary(stream, period.start, period.end)
    if not answer["count"]:
        return Call("aggregate_period", arguments, {"error": "empty", "candidates": []})
    answer |= {"period": period.kind, "first_day": period.first_day, "calendar": calendar}
    return Call("aggregate_period", arguments, answer, (read_of(stream, period.start, period.end),))


def inspect_quality(world: World, stream: Stream, week: Period) -> Call:
    """Measures of a week and what they come to."""
    found = measures(stream, week.start, week.end)
    season = world.season(week.start)
    decision, reason = world.judge.outcome(found, season)
    answer = {
        **_bounds(week.start, week.end),
        "stream_id": stream.id,
        "unit": stream.point.unit,
        "count": found.count,
        "coverage": found.coverage,
        "gap_ratio": found.gap_ratio,
        "greatest_gap_s": found.gap_ms / 1000,
        "frozen": found.frozen,
        "out_of_range": found.out_of_range,
        "spikes": found.spikes,
        "flags": flags(stream, *stream.span(week.start, week.end)),
        "season": season,
        "decision": decision,
        "reason": reason,
    }
    arguments = {"stream_id": stream.id, **_bounds(week.start, week.end)}
    read = read_of(stream, week.start, week.end)
    return Call("inspect_quality_window", arguments, answer, (read,))


def _joined(streams: Sequence[Stream], start: int, end: int) -> Answer:
    """What answers about several streams say of all of them: the least coverage, sums of counts."""
    every: Counter[str] = Counter()
    for stream in streams:
        every.update(flags(stream, *stream.span(start, end)))
    return {
        **_bounds(start, end),
        "unit": streams[0].point.unit,
        "count": sum(figures(s, start, end).count for s in streams),
        "coverage": min(coverage(s, start, end) for s in streams),
        "flags": dict(every),
    }


def compare(a: Stream, b: Stream, start: int, end: int) -> Call:
    """Both means, and the first minus the second."""
    means = [figures(s, start, end).mean for s in (a, b)]
    difference = (means[0] or 0.0) - (means[1] or 0.0)
    answer = {
        **_joined((a, b), start, end),
        "stream_a": a.id,
        "stream_b": b.id,
        "mean_a": means[0],
        "mean_b": means[1],
        "difference": difference,
        "higher": "a" if difference > 0 else "b",
    }
    arguments = {"stream_a": a.id, "stream_b": b.id, **_bounds(start, end)}
    reads = tuple(read_of(s, start, end) for s in (a, b))
    return Call("compare_window", arguments, answer, reads)


def rank(streams: Sequence[Stream], words: dict[str, str], start: int, end: int) -> Call:
    """Streams by figure, the greatest first, equal ones by id; those without one apart."""
    found = {s.id: figures(s, start, end).figure for s in streams}
    have = [s for s in streams if found[s.id] is not None]
    have.sort(key=lambda s: (-(found[s.id] or 0.0), s.id))
    ranked = [
        {
            "rank": place,
            "stream_id": stream.id,
            "equipment": stream.point.equipment,
            "location": stream.point.location,
            "value": found[stream.id],
            "coverage": coverage(stream, start, end),
        }
        for place, stream in enumerate(have, 1)
    ]
    answer = {
        **_joined(have, start, end),
        "of": "change" if streams[0].point.kind == "cumulative" else "mean",
        "ranked": ranked,
        "margin": (found[have[0].id] or 0.0) - (found[have[1].id] or 0.0),
        "without_data": [s.id for s in streams if found[s.id] is None],
    }
    reads = tuple(read_of(s, start, end) for s in sorted(have, key=lambda s: s.id))
    arguments: dict[str, Any] = {**words, **_bounds(start, end)}
    if len(streams) > TOP_K:
        arguments["top_k"] = MOST_RANKED
    return Call("rank_window", arguments, answer, reads)
