"""Which of several points is meant: usual and unresolvable questions."""

from __future__ import annotations

from collections.abc import Sequence

from benchwright.suites.telemetry.audit.candidates.base import (
    Candidate,
    Pool,
    anchor,
    week_reach,
    weeks_of,
)
from benchwright.suites.telemetry.audit.clock import Period
from benchwright.suites.telemetry.audit.points import Point


def usual(pool: Pool) -> None:
    """Resolvable streams of groups of at least two, by weeks, with the alternate that follows."""
    seen: set[tuple[str, str]] = set()
    for site_field in pool.family.sites:
        whole = pool.world.points.whole_groups(site_field)
        for name, group in pool.world.points.groups(site_field).items():
            if len(whole[name]) > 1:
                clean = _Clean(pool, group)
                for place in range(len(group)):
                    _of_stream(pool, name[0], group, place, clean, seen)


class _Clean:
    """Weeks in which a stream of a group has a clean reading."""

    def __init__(self, pool: Pool, group: Sequence[Point]) -> None:
        self.weeks: dict[str, set[str]] = {}
        self.ends: dict[str, tuple[int, int]] = {}
        for point in group:
            stream = pool.world.streams[point.stream]
            self.ends[point.stream] = (stream.times[0], stream.times[-1])
            self.weeks[point.stream] = {
                week.first_day
                for week, low, high in weeks_of(pool.world, stream)
                if stream.without(low, high, stream.unclean)
            }

    def answers(self, stream: str, first_day: str, at: int) -> bool:
        """Whether a stream has a clean reading in a week and runs at an instant of it."""
        first, last = self.ends[stream]
        return first_day in self.weeks[stream] and first <= at <= last


def _of_stream(
    pool: Pool,
    site: str,
    group: Sequence[Point],
    place: int,
    clean: _Clean,
    seen: set[tuple[str, str]],
) -> None:
    point = group[place]
    stream = pool.world.streams[point.stream]
    others = [p.stream for p in (*group[place + 1 :], *group[:place])]
    for week, low, high in weeks_of(pool.world, stream):
        at = anchor(pool, stream.id, week, stream.clean_interior(low, high))
        if at is None or (stream.id, week.first_day) in seen:
            continue
        seen.add((stream.id, week.first_day))
        instant = stream.times[at]
        other = next((o for o in others if clean.answers(o, week.first_day, instant)), None)
        if other is None:
            pool.refuse()
            continue
        pool.add(_candidate(pool, site, (stream.id, other), stream.times[at], week))


def _candidate(pool: Pool, site: str, streams: tuple[str, ...], at: int, week: Period) -> Candidate:
    return Candidate(
        identity=pool.name(site=site, streams=list(streams), at=at),
        touched=streams,
        reach=week_reach(week),
        point_class=pool.world.streams[streams[0]].point.point_class,
        counted=streams[:1],
    )


def unresolvable(pool: Pool) -> None:
    """Sets of streams that share one description, by the weeks of the first of them."""
    seen: set[tuple[str, ...]] = set()
    for site_field in pool.family.sites:
        for streams, words in sorted(pool.world.points.shared(site_field).items()):
            if streams in seen:
                continue
            seen.add(streams)
            first = pool.world.streams[streams[0]]
            for week, low, high in weeks_of(pool.world, first):
                at = anchor(pool, first.id, week, first.clean_interior(low, high))
                if at is not None:
                    pool.add(_candidate(pool, words["site"], streams, first.times[at], week))
