"""Stages that revise: another point, another window, another instant, a question on quality."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from benchwright.canonical import Json
from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import Window, local_day, window_of
from benchwright.suites.telemetry.corpus.zones import DAY_MS
from benchwright.suites.telemetry.dialogue.model import Phase, Reference, Script, latest
from benchwright.suites.telemetry.dialogue.phases import called, looked_up, reported
from benchwright.suites.telemetry.dialogue.policy import request
from benchwright.suites.telemetry.dialogue.stages import Lifting
from benchwright.suites.telemetry.dialogue.wording import reference, turn
from benchwright.suites.telemetry.families.enumerate import whole
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.rows.model import Action, Call
from benchwright.suites.telemetry.rows.times import Told
from benchwright.suites.telemetry.rows.wording import point_words, time_words

WINDOWED = (
    *("window_mean", "daily_aggregate", "period_aggregate"),
    *("pairwise_comparison", "ranking"),
)


def alternate_point(script: Script, work: Lifting) -> Script:
    """Of a disambiguation: another stream of the class, at the same instant."""
    if work.row.family != "point_disambiguation" or not work.usual:
        return script
    inventory, identity = work.bench.inventory, work.identity
    point = inventory.points[cast("list[str]", identity["streams"])[1]]
    described = work.bench.described(work.chosen, point)
    at = cast(int, identity["at"])
    calls = [
        work.bench.call("resolve_point", described),
        *looked_up(point.stream, at, work.bench),
    ]
    found = reference("same_time")
    names = {"point_b": point_words(described), "reference": found.phrase}
    text = turn("revise_point", identity, names)
    state = {**script.last.state, "stream": point.stream}
    return script.with_phase(reported("revise_point", text, [found], state, calls, work.bench))


def next_window(script: Script, work: Lifting) -> Script:
    """Of figures, comparisons and rankings: the next window, streams carried forward."""
    if work.row.family not in WINDOWED or not work.usual:
        return script
    before = script.last.state
    window, told = _next(before, work)
    call = _again(script.phases[0].calls[-1], window, work)
    several = "streams" in before
    found = reference("same_streams" if several else "same_stream")
    names = {"reference": f"for {found.phrase}", **time_words(told, work.bench)}
    text = turn("revise_window", work.identity, names)
    state: dict[str, Json] = {**before, "window": [window.start, window.end], **_winner(call)}
    if told.form != "trailing":
        state["first_day"] = told.value
    return script.with_phase(called("revise_window", text, [found], state, [call], work.bench))


def _next(before: Mapping[str, Json], work: Lifting) -> tuple[Window, Told]:
    _, end = cast("list[int]", before["window"])
    if "period" not in before:
        return Window(end, end + DAY_MS), Told("trailing", end + DAY_MS)
    period, clock = cast(Period, before["period"]), work.bench.inventory.clock
    window = window_of(local_day(end, clock), period, clock)
    return window, Told(period, window.label)


def _again(call: Call, window: Window, work: Lifting) -> Call:
    said: dict[str, Any] = dict(call.arguments)
    if call.operation == "aggregate_period":
        said["date"] = window.label
    else:
        said |= {"start": shown(window.start), "end": shown(window.end)}
    return work.bench.call(call.operation, said)


def _winner(call: Call) -> dict[str, Json]:
    if call.operation == "rank_window":
        return {"winner": call.answer["ranked"][0]["stream_id"]}
    if call.operation == "compare_window":
        return {"winner": call.answer[f"stream_{call.answer['higher']}"]}
    return {}


def timestamp_value(script: Script, work: Lifting) -> Script:
    """Of an exact value: another instant close by, at which there is no reading."""
    if work.row.family != "exact_value" or work.row.variant == "bad_sensor":
        return script
    if work.row.variant == "no_such_local_time":
        return _corrected(script, work)
    at = cast(int, work.identity["at"])
    week = work.chosen.candidate.reach
    return _asked_at(script, work, week.start, week.end, at)


def _corrected(script: Script, work: Lifting) -> Script:
    """The instant that a clock which was not put forward would have shown so."""
    zone = work.bench.inventory.store.zone
    local = np.datetime64(str(work.identity["local"]), "ms").astype(np.int64)
    _, before, *_ = zone.instants(np.array([local]))
    at, stream = int(before[0]), str(script.last.state["stream"])
    calls = looked_up(stream, at, work.bench)
    found = reference("same_stream")
    names = {
        "reference": found.phrase.capitalize(),
        **time_words(Told("instant", at), work.bench),
    }
    text = turn("corrected_time", work.identity, names)
    state = {**script.last.state, "at": at}
    phase = reported("revise_timestamp", text, [found], state, calls, work.bench)
    return script.with_phase(phase)


def timestamp_axis(script: Script, work: Lifting) -> Script:
    """Of windows: an instant inside the revised one, of the stream or of the winner."""
    if work.row.family not in WINDOWED or not work.usual:
        return script
    start, end = cast("list[int]", script.last.state["window"])
    return _asked_at(script, work, start, end, None)


def _asked_at(script: Script, work: Lifting, start: int, end: int, near: int | None) -> Script:
    stream, found = _about(script)
    inventory = work.bench.inventory
    every = whole(inventory.points[stream], work.chosen.kind.family, inventory)
    at = request(every, (start, end), near, work.identity, inventory)
    if at is None:
        return script
    calls = looked_up(stream, at, work.bench)
    names = {"reference": found.phrase, **time_words(Told("instant", at), work.bench)}
    text = turn("revise_timestamp", work.identity, names)
    state = {**script.last.state, "stream": stream, "at": at}
    phase = reported("revise_timestamp", text, [found], state, calls, work.bench)
    return script.with_phase(phase)


def _about(script: Script) -> tuple[str, Reference]:
    """The one stream that the next turn is about, and the words for it."""
    state = script.last.state
    if "winner" not in state or latest(script, "revise_timestamp") is not None:
        return str(state["stream"]), reference("same_stream")
    name = "winner" if state["family"] == "ranking" else "higher"
    return str(state["winner"]), reference(name, str(state["period"]))


def quality_axis(script: Script, work: Lifting) -> Script:
    """A question on the week of the latest reading, or on the one in which the window begins."""
    if work.row.family == "quality_gate" or work.row.variant in ("unresolvable", "no_data"):
        return script
    stream, found = _about(script)
    inventory = work.bench.inventory
    day = local_day(_moment(script, work), inventory.clock)
    week = window_of(day, "week", inventory.clock)
    said = {"stream_id": stream, "start": shown(week.start), "end": shown(week.end)}
    call = work.bench.call("inspect_quality_window", said)
    if call.refused:
        return script
    names = {
        "reference": found.phrase,
        **time_words(Told("week", week.label), work.bench),
    }
    text = turn("quality_check", work.identity, names)
    return script.with_phase(_quality(script, stream, call, text, found, week, work))


def _quality(
    script: Script,
    stream: str,
    call: Call,
    text: str,
    found: Reference,
    week: Window,
    work: Lifting,
) -> Phase:
    decision = str(call.answer["decision"])
    action: Action = "abstain" if decision == "abstain" else "answer"
    state: dict[str, Json] = {
        **script.last.state,
        "stream": stream,
        "week": [week.start, week.end],
        "decision": decision,
    }
    return called(
        "quality_check",
        text,
        [found],
        state,
        [call],
        work.bench,
        act=(action, str(call.answer["reason"] or "complete"), "policy:quality"),
    )


def _moment(script: Script, work: Lifting) -> int:
    asked = latest(script, "revise_timestamp", "revise_point") or script.phases[0]
    last = asked.calls[-1]
    if "observed" in last.answer:
        return work.at(last.answer["observed"])
    state = script.last.state
    if "window" in state:
        return cast("list[int]", state["window"])[0]
    return cast(int, state["at"])
