"""Exact and nearest readings of one stream, and the questions about them that must be refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import compress
from math import floor
from operator import sub

from benchwright.suites.telemetry.audit.candidates.base import (
    Candidate,
    Pool,
    anchor,
    own_streams,
    seed,
    week_reach,
    weeks_of,
)
from benchwright.suites.telemetry.audit.canonical import draw, instant
from benchwright.suites.telemetry.audit.clock import Period, skipped
from benchwright.suites.telemetry.audit.stream import ADJUSTED, DROPOUT, Stream

FRACTIONS = tuple(map(Fraction, ("1/5", "7/20", "1/2", "13/20", "4/5")))


def _candidate(pool: Pool, stream: Stream, week: Period, at: int) -> Candidate:
    return Candidate(
        identity=pool.name(streams=[stream.id], at=at),
        touched=(stream.id,),
        reach=week_reach(week),
        point_class=stream.point.point_class,
        counted=(stream.id,),
    )


def exact(pool: Pool) -> None:
    """A clean interior reading of every week."""
    for stream in own_streams(pool.world, pool.family):
        for week, low, high in weeks_of(pool.world, stream):
            at = anchor(pool, stream.id, week, stream.clean_interior(low, high))
            if at is not None:
                pool.add(_candidate(pool, stream, week, stream.times[at]))


def bad_sensor(pool: Pool) -> None:
    """An interior reading of every week that is a fault at a sure time."""
    for stream in own_streams(pool.world, pool.family):
        if not stream.unclean:
            continue
        wrong = [i for i in stream.unclean if _is_bad(stream, i)]
        for week, low, high in weeks_of(pool.world, stream):
            admitted = [i for i in wrong if low <= i < high]
            at = anchor(pool, stream.id, week, admitted)
            if at is not None:
                pool.add(_candidate(pool, stream, week, stream.times[at]))


def _is_bad(stream: Stream, index: int) -> bool:
    mark = stream.marks[index]
    if not 0 < index < len(stream) - 1 or mark & ADJUSTED:
        return False
    return bool(mark & DROPOUT) or stream.is_sentinel(index) or stream.is_faulty_out(index)


def no_such_local_time(pool: Pool) -> None:
    """A minute of every stretch that the zone skipped while the stream was read."""
    spans, zone = pool.world.spans, pool.world.corpus.zone
    starts = spans.starts["week"]
    every = skipped(zone, starts[0], starts[-1])
    for stream in own_streams(pool.world, pool.family):
        for stretch in every:
            if not stream.times[0] < stretch.at < stream.times[-1]:
                continue
            week = spans.at("week", stretch.at)
            minute = draw(seed(pool, stream.id, week), stretch.minutes)
            made = _candidate(pool, stream, week, 0)
            made.identity = pool.name(streams=[stream.id], local=_local(stretch.wall, minute))
            pool.add(made)


def _local(wall: int, minute: int) -> str:
    return instant(wall + minute * 60_000)[:19]


def nearest(pool: Pool) -> None:
    """A time inside a typical interval between two clean interior neighbours of every week."""
    for stream in own_streams(pool.world, pool.family):
        gaps = list(map(sub, stream.times[1:], stream.times))
        for week, low, high in weeks_of(pool.world, stream):
            at = anchor(pool, stream.id, week, _typical(stream, gaps, low, high))
            if at is None:
                continue
            bucket = draw({**seed(pool, stream.id, week), "fraction": True}, len(FRACTIONS))
            asked = stream.times[at] + floor(FRACTIONS[bucket] * gaps[at])
            made = _candidate(pool, stream, week, asked)
            made.bucket = bucket
            pool.add(made)


def _typical(stream: Stream, gaps: list[int], low: int, high: int) -> list[int]:
    """Clean interior readings whose next is so too, in the range, and at most 1.5 steps off."""
    low, high = max(low, 1), min(high, len(stream) - 1) - 1
    if high <= low:
        return []
    inside = gaps[low:high]
    if len(stream.regimes) < 2:
        limit = 1.5 * stream.step_at(stream.times[low])
        near = list(compress(range(low, high), [g <= limit for g in inside]))
    else:
        steps = map(stream.step_at, stream.times[low:high])
        close = [g <= 1.5 * s for g, s in zip(inside, steps, strict=True)]
        near = list(compress(range(low, high), close))
    if len(stream.without(low, high + 1, stream.unclean)) == high + 1 - low:
        return near
    odd = set(stream.unclean)
    return [i for i in near if i not in odd and i + 1 not in odd]


def too_far(pool: Pool) -> None:
    """The middle of every gap that is too long for its nearest reading to be acceptable."""
    steps = pool.world.corpus.rules["nearest_steps"]
    for stream in own_streams(pool.world, pool.family):
        gaps = list(map(sub, stream.times[1:], stream.times))
        least = 2 * steps * min((s for _, s in stream.regimes), default=stream.step_ms) + 2
        for index in [i for i, g in enumerate(gaps) if g > least]:
            before, behind = stream.times[index], stream.times[index + 1]
            step = max(stream.step_at(before), stream.step_at(behind))
            inner = index > 0 and index + 1 < len(stream) - 1
            clean = stream.is_clean(index) and stream.is_clean(index + 1)
            if not (inner and clean and gaps[index] > 2 * steps * step + 2):
                continue
            first, last = (pool.world.spans.at("week", t) for t in (before, behind))
            made = _candidate(pool, stream, first, before + gaps[index] // 2)
            made.reach = (first.start, last.end)
            pool.add(made)
