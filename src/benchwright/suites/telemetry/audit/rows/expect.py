"""A whole row from its identity: what each family asks, calls, answers and holds as right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.suites.telemetry.audit.canonical import Identity
from benchwright.suites.telemetry.audit.clock import DAY, Period
from benchwright.suites.telemetry.audit.contract import Family
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.points import description
from benchwright.suites.telemetry.audit.rows import look, windows
from benchwright.suites.telemetry.audit.rows.look import Call
from benchwright.suites.telemetry.audit.stream import DROPOUT, Stream
from benchwright.suites.telemetry.audit.world import World

Fields = dict[str, Any]


@dataclass(slots=True)
class Row:
    """What a row must state."""

    site: str
    words: list[dict[str, str]]
    time: dict[str, Any]
    calls: list[Call]
    gold: Fields = field(default_factory=dict)
    action: str = "answer"
    reason: str = "complete"


class Asked:
    """An identity and the streams, site and descriptions that it means."""

    def __init__(self, world: World, family: Family, identity: Identity) -> None:
        self.world = world
        self.identity = identity
        try:
            self.streams = [world.streams[s] for s in identity["streams"]]
        except KeyError as error:
            raise UnusableInput(
                f"a row of a stream that the raw files do not hold: {error}"
            ) from error
        self.site_field = self._site_field(family)
        self.site = str(self.streams[0].point.value(self.site_field))

    def _site_field(self, family: Family) -> str:
        """The first site field whose value is the identity's; the family's first without one."""
        site = self.identity.get("site")
        if site is None:
            return family.sites[0]
        for name in family.sites:
            if all(s.point.value(name) == site for s in self.streams):
                return name
        return family.sites[0]

    def words(self, stream: Stream) -> dict[str, str]:
        """How the question names a stream."""
        return description(stream.point, self.site_field) or {}

    def resolved(self, stream: Stream) -> Call:
        """The call that finds a stream."""
        return look.resolve(self.world, self.words(stream))

    def period(self) -> Period:
        """The period that the identity names; a week without one."""
        clock = self.world.corpus.clock
        kind = self.identity.get("period", "week")
        return clock.named(kind, self.identity["first_day"])

    def row(self, time: dict[str, Any], *calls: Call, **gold: Any) -> Row:
        """A row about the first stream."""
        stream = self.streams[0]
        every = [self.resolved(stream), *calls]
        return Row(self.site, [self.words(stream)], time, every, gold)


def _instant(at: int) -> dict[str, Any]:
    return {"form": "instant", "value": at}


def _named(period: Period) -> dict[str, Any]:
    return {"form": period.kind, "value": period.first_day}


def _picked(answer: Mapping[str, Any], *names: str) -> Fields:
    return {name: answer[name] for name in names}


def disambiguation(asked: Asked) -> Row:
    """Which stream is meant and what it read; or that nothing tells streams apart."""
    at = asked.identity["at"]
    stream = asked.streams[0]
    if asked.identity["variant"] == "unresolvable":
        row = asked.row(_instant(at), error="ambiguous", candidates=[s.id for s in asked.streams])
        row.action, row.reason = "re_clarify", "ambiguous_point"
        return row
    call = look.exact(stream, at)
    return asked.row(
        _instant(at), call, stream=stream.id, **_picked(call.answer, "observed", "value")
    )


LOOKED = ("observed", "value", "offset_s", "tie", "acceptable")


def exact(asked: Asked) -> Row:
    """A reading at an instant; or a bad one, or a time that never was."""
    stream = asked.streams[0]
    if asked.identity["variant"] == "no_such_local_time":
        local = asked.identity["local"]
        time = {"form": "local", "local": local}
        row = asked.row(time, look.impossible(stream, local), error="no_such_local_time")
        row.action, row.reason = "re_clarify", "no_such_local_time"
        return row
    at = asked.identity["at"]
    call = look.exact(stream, at)
    row = asked.row(
        _instant(at), call, stream=stream.id, **_picked(call.answer, "observed", "value")
    )
    if asked.identity["variant"] == "bad_sensor":
        index = stream.span(at, at + 1)[0]
        value = "sentinel" if stream.is_sentinel(index) else "range"
        row.action, row.reason = "abstain", "dropout" if stream.marks[index] & DROPOUT else value
        row.gold["flag"] = row.reason
    return row


def nearest(asked: Asked) -> Row:
    """The reading nearest to an instant; or that it is too far."""
    stream, at = asked.streams[0], asked.identity["at"]
    call = look.nearest(stream, at, asked.world.corpus.rules["nearest_steps"])
    row = asked.row(_instant(at), call, stream=stream.id, **_picked(call.answer, *LOOKED))
    if asked.identity["variant"] == "too_far":
        row.action, row.reason = "re_clarify", "nearest_too_far"
    return row


def quality(asked: Asked) -> Row:
    """What the data of a week are good for."""
    stream, week = asked.streams[0], asked.period()
    call = windows.inspect_quality(asked.world, stream, week)
    named = _picked(call.answer, "coverage", "gap_ratio", "decision", "reason")
    row = asked.row(_named(week), call, stream=stream.id, **named)
    if named["decision"] == "abstain":
        row.action = "abstain"
    if named["decision"] != "answer":
        row.reason = named["reason"]
    return row


def _figure(stream: Stream, call: Call) -> Fields:
    of = "change" if stream.point.kind == "cumulative" else "mean"
    return {"stream": stream.id, "of": of, "value": call.answer[of]}


def window_mean(asked: Asked) -> Row:
    """The figure of 24 hours."""
    stream, end = asked.streams[0], asked.identity["end"]
    call = windows.window_mean(stream, end - DAY, end)
    return asked.row({"form": "trailing", "value": end}, call, **_figure(stream, call))


def aggregate(asked: Asked) -> Row:
    """The figure of a day, week or month; or that no reading counts there."""
    stream, period = asked.streams[0], asked.period()
    call = windows.aggregate_period(stream, period, asked.world.corpus.rules["calendar"])
    if "error" in call.answer:
        row = asked.row(_named(period), call, error=call.answer["error"])
        row.action, row.reason = "abstain", "no_observation"
        return row
    return asked.row(_named(period), call, **_figure(stream, call))


def comparison(asked: Asked) -> Row:
    """Two means and which is higher."""
    a, b = asked.streams
    period = asked.period()
    call = windows.compare(a, b, period.start, period.end)
    gold = _picked(call.answer, "mean_a", "mean_b", "difference")
    gold["higher"] = a.id if call.answer["higher"] == "a" else b.id
    calls = [asked.resolved(a), asked.resolved(b), call]
    return Row(asked.site, [asked.words(a), asked.words(b)], _named(period), calls, gold)


def ranking(asked: Asked) -> Row:
    """Streams in order and by how much the first leads."""
    period = asked.period()
    words = {"site": asked.site, "point_class": asked.identity["point_class"]}
    if asked.identity["location_type"] is not None:
        words["location_type"] = asked.identity["location_type"]
    call = windows.rank(asked.streams, words, period.start, period.end)
    ids = [r["stream_id"] for r in call.answer["ranked"]]
    gold = {
        "ranked": ids,
        "winner": ids[0],
        "value": call.answer["ranked"][0]["value"],
        "margin": call.answer["margin"],
    }
    return Row(asked.site, [words], _named(period), [call], gold)


FAMILIES: dict[str, Callable[[Asked], Row]] = {
    "point_disambiguation": disambiguation,
    "exact_value": exact,
    "nearest_value": nearest,
    "quality_gate": quality,
    "window_mean": window_mean,
    "daily_aggregate": aggregate,
    "period_aggregate": aggregate,
    "pairwise_comparison": comparison,
    "ranking": ranking,
}
