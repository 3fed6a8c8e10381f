"""Controls by rewriting: the same call in other words, each of them really made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import local_day, window_of
from benchwright.suites.telemetry.corpus.zones import Zone, zone
from benchwright.suites.telemetry.obligations.model import Needed
from benchwright.suites.telemetry.obligations.spans import moment, named_streams
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.proof.case import Case, Changed
from benchwright.suites.telemetry.proof.steps import Step, instead

FAR = timezone(timedelta(hours=5, minutes=30))
"""An offset that no corpus has."""
_TIMES = ("timestamp", "start", "end")
_PERIODS: tuple[Period, ...] = ("day", "week", "month")


def rewritten(case: Case) -> Changed:
    """Every canonical call in every other form, one call at a time."""
    for at, step in enumerate(case.steps):
        if step.place is not None:
            for kind, other in _forms(case, step, case.duties.needed[step.place]):
                yield kind, instead(case.steps, at, other)


def _forms(case: Case, step: Step, needed: Needed) -> Iterator[tuple[str, Step]]:
    for kind, text in (("other_offset", _by_offset), ("local_clock", _by_clock)):
        times = _times(step.move.said, case.zone, text)
        if times:
            yield kind, case.answers.again(step, **times)
    yield from _defaults(case, step, needed)
    match step.move.name:
        case "resolve_point":
            yield from _descriptions(case, step, needed)
        case "compare_window":
            said = step.move.said
            swapped = {"stream_a": said["stream_b"], "stream_b": said["stream_a"]}
            yield "operands_swapped", case.answers.again(step, **swapped)
        case "aggregate_period":
            yield from _as_mean(case, step, needed)
        case "window_mean":
            yield from _as_period(case, step, needed)
        case "rank_window":
            yield from _regrouped(case, step, needed)
        case _:
            pass


def _times(said: Mapping[str, Any], own: Zone, text: Any) -> dict[str, str]:
    """Arguments that are instants, written otherwise; none where one cannot be."""
    found = {}
    for name in _TIMES:
        if name in said:
            at = moment(said[name], own)
            other = None if at is None else text(at, own)
            if other is None:
                return {}
            found[name] = other
    return found


def in_far_offset(at: int) -> str:
    """An instant by a clock far away."""
    since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    return since.astimezone(FAR).isoformat(timespec="milliseconds")


def _by_offset(at: int, own: Zone) -> str:
    return in_far_offset(at)


def _by_clock(at: int, own: Zone) -> str | None:
    """What the clock shows; None where it shows that twice."""
    day = local_day(at, own)
    midnight = moment(f"{day.isoformat()}T00:00:00", own)
    if midnight is None:
        return None
    shown_at = datetime(day.year, day.month, day.day) + timedelta(milliseconds=at - midnight)
    text = shown_at.isoformat()
    return text if moment(text, own) == at else None


def _defaults(case: Case, step: Step, needed: Needed) -> Iterator[tuple[str, Step]]:
    """Default arguments given where they were not, and the other way round."""
    name, said = step.move.name, step.move.said
    if name == "lookup_observation" and said.get("mode") == "exact":
        yield "default_omitted", case.answers.again(step, mode=None)
    if name == "aggregate_period":
        yield "default_given", case.answers.again(step, calendar=case.duties.calendar)
        yield "day_of_period", case.answers.again(step, date=_last_day(case, needed))
    if name == "rank_window":
        yield "default_given", case.answers.again(step, order="highest")
        yield "larger_top", case.answers.again(step, top_k=100)
    if name == "lookup_observation" and needed.error is None and said.get("mode") == "exact":
        yield "nearest_for_exact", case.answers.again(step, mode="nearest")


def _last_day(case: Case, needed: Needed) -> str:
    own = case.duties.calendar == "local"
    assert needed.end is not None
    return local_day(needed.end - 1, case.zone if own else zone("UTC")).isoformat()


def _descriptions(case: Case, step: Step, needed: Needed) -> Iterator[tuple[str, Step]]:
    """With every word left out that is not needed, and with every word that is known."""
    for name in ("equipment", "location", "qualifiers"):
        if name in step.move.said:
            less = case.answers.again(step, **{name: None})
            if _same(less, needed):
                yield "description_shorter", less
    if needed.error is None:
        point = case.answers.store.points[needed.streams[0]]
        words = {n: v for n in ("equipment", "location", "qualifiers") if (v := getattr(point, n))}
        more = case.answers.again(step, **words)
        if _same(more, needed):
            yield "description_full", more


def _same(step: Step, needed: Needed) -> bool:
    answer = step.move.answer or {}
    found = named_streams(step.move.name, step.move.said, answer)
    return sorted(found) == sorted(needed.streams) and answer.get("error") == needed.error


def _as_mean(case: Case, step: Step, needed: Needed) -> Iterator[tuple[str, Step]]:
    assert needed.start is not None and needed.end is not None
    said = {"start": shown(needed.start), "end": shown(needed.end)}
    said["stream_id"] = step.move.said["stream_id"]
    yield "period_as_window", replace(step, move=case.answers.call("window_mean", said))


def _as_period(case: Case, step: Step, needed: Needed) -> Iterator[tuple[str, Step]]:
    """Where a window is a day, week or month of a calendar."""
    assert needed.start is not None
    for calendar, own in (("utc", zone("UTC")), ("local", case.zone)):
        for period in _PERIODS:
            day = local_day(needed.start, own)
            span = window_of(day, period, own)
            if (span.start, span.end) == (needed.start, needed.end):
                said = {"stream_id": step.move.said["stream_id"], "period": period}
                more = {"date": day.isoformat(), "calendar": calendar}
                move = case.answers.call("aggregate_period", {**said, **more})
                yield "window_as_period", replace(step, move=move)
                return


def _regrouped(case: Case, step: Step, needed: Needed) -> Iterator[tuple[str, Step]]:
    """With and without a type of location, and under the other names of the site, if the same."""
    kinds = {case.answers.store.points[s].location_type for s in needed.streams} - {None}
    others: list[dict[str, Any]] = [{"location_type": kind} for kind in sorted(map(str, kinds))]
    if "location_type" in step.move.said:
        others.append({"location_type": None})
    for said in others:
        again = case.answers.again(step, **said)
        if again.move.said != step.move.said and _same(again, needed):
            yield "group_in_other_words", again
