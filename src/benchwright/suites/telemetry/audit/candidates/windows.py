"""Quality of weeks, and figures of one stream: 24 hours, days, weeks and months."""

from __future__ import annotations

from benchwright.suites.telemetry.audit.candidates.base import (
    Candidate,
    Pool,
    anchor,
    own_streams,
    week_reach,
    weeks_of,
)
from benchwright.suites.telemetry.audit.clock import DAY, HOUR
from benchwright.suites.telemetry.audit.spans import aggregate
from benchwright.suites.telemetry.audit.stream import Stream


def _made(pool: Pool, stream: Stream, reach: tuple[int, int], **identity: object) -> Candidate:
    return Candidate(
        identity=pool.name(streams=[stream.id], **identity),
        touched=(stream.id,),
        reach=reach,
        point_class=stream.point.point_class,
        counted=(stream.id,),
    )


def quality(pool: Pool) -> None:
    """Every week with readings but the first and the last."""
    world = pool.world
    for stream in own_streams(world, pool.family):
        weeks = world.weeks[stream.id]
        for number in sorted(weeks)[1:-1]:
            week = world.spans.periods["week"][number]
            made = _made(pool, stream, week_reach(week), first_day=week.first_day)
            made.extra = world.judge.outcome(weeks[number], world.season(week.start))[0]
            pool.add(made)


def window_mean(pool: Pool) -> None:
    """The 24 hours up to the anchor's full hour."""
    world = pool.world
    for stream in own_streams(world, pool.family, figures=True):
        for week, low, high in weeks_of(world, stream):
            at = anchor(pool, stream.id, week, stream.clean_interior(low, high))
            if at is None:
                continue
            end = stream.times[at] // HOUR * HOUR
            both = ((end - DAY, end), (end, end + DAY))
            fine = all(_eligible(pool, stream, *window) for window in both)
            reach = world.spans.whole_weeks(end - DAY, end + DAY)
            pool.add(_made(pool, stream, reach, end=end), eligible=fine)


def _eligible(pool: Pool, stream: Stream, start: int, end: int) -> bool:
    low, high = stream.span(start, end)
    found = aggregate(stream, start, end) if low < high else None
    return found is not None and pool.world.thresholds.eligible("day", stream.point, found)


def daily(pool: Pool) -> None:
    """Every day with a kept reading, with the next."""
    _periods(pool, ("day",))


def period(pool: Pool) -> None:
    """Every week and month with a kept reading, with the next."""
    _periods(pool, ("week", "month"))


def _periods(pool: Pool, kinds: tuple[str, ...]) -> None:
    world = pool.world
    for stream in own_streams(world, pool.family, figures=True):
        for kind in kinds:
            periods = world.spans.periods[kind]
            for number, found in world.aggregates[stream.id][kind].items():
                if not found.kept:
                    continue
                if not all(world.eligible(stream.id, kind, n) for n in (number, number + 1)):
                    pool.refuse()
                    continue
                reach = world.spans.whole_weeks(periods[number].start, periods[number + 1].end)
                day = periods[number].first_day
                pool.add(_made(pool, stream, reach, period=kind, first_day=day))


def no_data(pool: Pool) -> None:
    """Every day between that of the first and that of the last reading without a kept one."""
    world = pool.world
    for stream in own_streams(world, pool.family, figures=True):
        have = world.aggregates[stream.id]["day"]
        for number, day in world.spans.touched("day", stream)[1:-1]:
            if number in have and have[number].kept:
                continue
            reach = world.spans.whole_weeks(day.start, day.end)
            pool.add(_made(pool, stream, reach, period="day", first_day=day.first_day))
