"""Answers about points and single readings."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.suites.telemetry.audit.canonical import instant
from benchwright.suites.telemetry.audit.stream import ADJUSTED, DROPOUT, Stream
from benchwright.suites.telemetry.audit.world import World

Answer = dict[str, Any]
Read = dict[str, Any]


@dataclass(slots=True)
class Call:
    """One canonical call: operation, arguments, what it answers, and the readings behind that."""

    operation: str
    arguments: dict[str, Any]
    answer: Answer
    reads: tuple[Read, ...] = ()


def read_of(stream: Stream, start: int, end: int) -> Read:
    """Evidence: the readings of a stream in [start, end)."""
    low, high = stream.span(start, end)
    content = stream.content(low, high)
    return {
        "stream": stream.id,
        "start": start,
        "end": end,
        "count": high - low,
        "content": content,
    }


def flags(stream: Stream, low: int, high: int, *, left_out: bool = True) -> dict[str, int]:
    """How many readings carry which mark, and 1 for an imputed stream; only those that occur."""
    odd = [i for i in stream.unclean if low <= i < high]
    found = {
        "time_adjusted": sum(1 for i in odd if stream.marks[i] & ADJUSTED),
        "dropout": sum(1 for i in odd if stream.marks[i] & DROPOUT),
        "sentinel": sum(1 for i in odd if stream.is_sentinel(i)),
        "range": sum(1 for i in stream.faulty_out if low <= i < high),
        "left_out": sum(1 for i in stream.excluded if low <= i < high) if left_out else 0,
        "imputed": int(stream.point.imputed),
    }
    return {name: count for name, count in found.items() if count}


def resolve(world: World, words: Mapping[str, str]) -> Call:
    """The one stream that a description means, or which it could mean."""
    fit = world.points.fitting(words)
    if len(fit) == 1:
        return Call("resolve_point", dict(words), _point(world.streams[fit[0]]))
    names = ("stream_id", "site", "point_class", "equipment", "location", "qualifiers")
    every = [{n: _point(world.streams[s])[n] for n in names} for s in fit]
    return Call("resolve_point", dict(words), {"error": "ambiguous", "candidates": every})


def _point(stream: Stream) -> Answer:
    point = stream.point
    return {
        "stream_id": point.stream,
        "site": point.site,
        "point_class": point.point_class,
        "kind": point.kind,
        "equipment": point.equipment,
        "location": point.location,
        "location_type": point.location_type,
        "qualifiers": point.qualifiers,
        "unit": point.unit,
        "owners": list(point.owners),
        "first": instant(stream.times[0]),
        "last": instant(stream.times[-1]),
    }


def exact(stream: Stream, at: int) -> Call:
    """The reading at an instant; there must be one."""
    index = bisect_left(stream.times, at)
    answer = _reading(stream, index, at, tie=False, steps=1.0)
    return _lookup(stream, at, "exact", answer, read_of(stream, at, at + 1))


def impossible(stream: Stream, local: str) -> Call:
    """An exact look-up at a wall time that clocks never showed."""
    arguments = {"stream_id": stream.id, "timestamp": local, "mode": "exact"}
    return Call("lookup_observation", arguments, {"error": "no_such_local_time", "candidates": []})


def nearest(stream: Stream, at: int, steps: float) -> Call:
    """The reading nearest to an instant, the earlier of two at the same distance."""
    behind = bisect_right(stream.times, at)
    before = behind - 1
    to_left, to_right = at - stream.times[before], stream.times[behind] - at
    tie = to_left == to_right
    index = before if to_left <= to_right else behind
    answer = _reading(stream, index, at, tie=tie, steps=steps)
    answer["matched"] = "nearest"
    read = read_of(stream, stream.times[before], stream.times[behind] + 1)
    return _lookup(stream, at, "nearest", answer, read)


def _lookup(stream: Stream, at: int, mode: str, answer: Answer, read: Read) -> Call:
    arguments = {"stream_id": stream.id, "timestamp": instant(at), "mode": mode}
    return Call("lookup_observation", arguments, answer, (read,))


def _reading(stream: Stream, index: int, at: int, *, tie: bool, steps: float) -> Answer:
    offset = stream.times[index] - at
    limit = steps * stream.step_at(stream.times[index])
    return {
        "stream_id": stream.id,
        "requested": instant(at),
        "observed": instant(stream.times[index]),
        "value": stream.values[index],
        "offset_s": offset / 1000,
        "matched": "exact",
        "tie": tie,
        "acceptable": abs(offset) <= limit,
        "count": 1,
        "coverage": None,
        "unit": stream.point.unit,
        "flags": flags(stream, index, index + 1, left_out=False),
    }
