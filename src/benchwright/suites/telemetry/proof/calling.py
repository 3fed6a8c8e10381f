"""Mutations of calls: left out; another stream, instant, period or week; a millisecond off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import window_of
from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.obligations.model import Needed, Obligation
from benchwright.suites.telemetry.obligations.spans import named_streams
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.steps import Step, call_at, instead, without

_FEW = 2


def _one(case: Case, obligation: Obligation) -> tuple[int, int, Needed, Step]:
    place = int(obligation.expects["call"])
    at = call_at(case.steps, place)
    return place, at, case.duties.needed[place], case.steps[at]


def other_point(case: Case, obligation: Obligation) -> Changed:
    """Resolve other points; resolve none."""
    _, at, needed, step = _one(case, obligation)
    own = needed.streams[0]
    found = 0
    for said in case.answers.descriptions(own):
        other = replace(step, move=case.answers.call("resolve_point", said))
        if _named(other) == sorted(needed.streams):
            continue
        yield "another_point", instead(case.steps, at, other)
        found += 1
        if found == _FEW:
            break
    yield "point_not_resolved", without(case.steps, at)


def other_stream(case: Case, obligation: Obligation) -> Changed:
    """Another stream of the class, or another group; of a winner, the one of the period before."""
    place, at, needed, step = _one(case, obligation)
    if needed.group:
        for group in _groups(case, needed, step):
            yield "another_group", instead(case.steps, at, group)
        return
    others = [s for s in case.answers.others(needed.streams[0]) if s not in needed.streams]
    if obligation.type == "winner_carried":
        others = [*_losers(case, place), *others]
    for other in dict.fromkeys(others[:_FEW]):
        for name in ("stream_id", "stream_a", "stream_b"):
            if name in step.move.said:
                again = case.answers.again(step, **{name: other})
                yield "another_stream", instead(case.steps, at, again)


def _losers(case: Case, place: int) -> Iterator[str]:
    """Who led before, and who did not lead."""
    winner = case.duties.needed[place].streams[0]
    for phase in case.script.phases:
        known = [str(phase.state.get("winner")), *map(str, phase.state.get("streams") or [])]
        yield from (s for s in known if s != winner and s in case.answers.store.points)


def _groups(case: Case, needed: Needed, step: Step) -> Iterator[Step]:
    def every() -> Iterator[Step]:
        for group in case.answers.groups(needed.group):
            again = case.answers.again(step, location_type=None, **group)
            if _named(again) != sorted(needed.streams):
                yield again

    return islice(every(), _FEW)


def _named(step: Step) -> list[str]:
    return sorted(named_streams(step.move.name, step.move.said, step.move.answer or {}))


def other_instant(case: Case, obligation: Obligation) -> Changed:
    """Look up at another instant, in the other mode, or not at all."""
    _, at, needed, step = _one(case, obligation)
    yield "look_up_left_out", without(case.steps, at)
    if needed.at is not None:
        for late in (-3_600_000, 1):
            again = case.answers.again(step, timestamp=shown(needed.at + late))
            yield "another_instant", instead(case.steps, at, again)
    else:
        text = str(needed.arguments["timestamp"])
        later = f"{text[:14]}{(int(text[14:16]) + 1) % 60:02}{text[16:]}"
        yield "another_instant", instead(case.steps, at, case.answers.again(step, timestamp=later))


def other_period(case: Case, obligation: Obligation) -> Changed:
    """The period before, or the one after; or none."""
    _, at, needed, step = _one(case, obligation)
    yield "window_left_out", without(case.steps, at)
    for again in _periods(case, needed, step):
        yield "another_period", instead(case.steps, at, again)


def _periods(case: Case, needed: Needed, step: Step) -> Iterator[Step]:
    said = step.move.said
    if "period" in said:
        for day in _days(case, str(said["date"]), said["period"], said.get("calendar")):
            yield case.answers.again(step, date=day.isoformat())
        return
    assert needed.start is not None and needed.end is not None
    long = needed.end - needed.start
    for late in (-long, long):
        yield case.answers.again(
            step, start=shown(needed.start + late), end=shown(needed.end + late)
        )


def _days(case: Case, text: str, period: Period, calendar: str | None) -> Iterator[date]:
    own = (calendar or case.duties.calendar) == "local"
    first = date.fromisoformat(
        window_of(date.fromisoformat(text), period, case.zone if own else zone("UTC")).label
    )
    yield first - timedelta(days=1)
    yield first + timedelta(days={"day": 1, "week": 7, "month": 31}[period])


def not_half_open(case: Case, obligation: Obligation) -> Changed:
    """A window that ends a millisecond early, or one that holds its end."""
    _, at, needed, step = _one(case, obligation)
    assert needed.start is not None and needed.end is not None
    for kind, late in (("ends_early", -1), ("closed", 1)):
        ends = {"start": shown(needed.start), "end": shown(needed.end + late)}
        if step.move.name == "aggregate_period":
            said = {"stream_id": step.move.said["stream_id"], **ends}
            again = replace(step, move=case.answers.call("window_mean", said))
        else:
            again = case.answers.again(step, **ends)
        yield kind, instead(case.steps, at, again)


def other_quality(case: Case, obligation: Obligation) -> Changed:
    """Quality of another stream, of another week, of a window a millisecond off, or of none."""
    yield from other_stream(case, obligation)
    yield from not_half_open(case, obligation)
    _, at, needed, step = _one(case, obligation)
    yield "quality_left_out", without(case.steps, at)
    for again in _periods(case, needed, step):
        yield "another_week", instead(case.steps, at, again)
