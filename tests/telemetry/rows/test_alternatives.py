"""Calls that are as good as canonical ones: four kinds, each with one that is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchwright.suites.telemetry.rows.alternatives import alternatives, as_good
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.model import Alternative, Asked, Call
from benchwright.suites.telemetry.rows.row import bench_of
from tests.telemetry.questions import HOUR, ask, at, steady, without

LONG = steady("2024-01-01", 21 * 24)
ROOMS = {
    "a": {"equipment": "E", "location": "1"},
    "b": {"equipment": "E", "location": "2"},
    "c": {"equipment": "F", "location": "1"},
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    series = {
        "a": {t: v + 1 for t, v in LONG.items()},
        "b": without(LONG, ("2024-01-09T01:00", "2024-01-09T02:00")),
        "c": LONG,
    }
    folder = tmp_path_factory.mktemp("rooms")
    return bench_of(ask(folder, series, ["exact_value"], ROOMS, zone="Europe/Berlin").store)


def named(bench: Bench, call: Call) -> list[Alternative]:
    return list(alternatives([call], bench))


def point(bench: Bench, **said: str) -> Call:
    base = {"site": "S", "point_class": "Temperature"}
    return bench.call("resolve_point", {**base, **said})


def test_a_location_that_nothing_hangs_on_may_be_left_out(bench: Bench) -> None:
    call = point(bench, equipment="F", location="1")
    (found,) = named(bench, call)
    less = {"site": "S", "point_class": "Temperature", "equipment": "F"}
    assert (found.kind, found.instead) == ("location_omitted", (Asked("resolve_point", less),))


def test_a_location_that_is_needed_may_not(bench: Bench) -> None:
    assert named(bench, point(bench, equipment="E", location="1")) == []


@pytest.mark.parametrize(
    ("third", "kinds"),
    [("E", []), ("F", ["location_omitted"])],
    ids=["a third stream fits", "the same two fit"],
)
def test_of_streams_that_nothing_tells_apart_the_same_must_fit(
    tmp_path: Path, third: str, kinds: list[str]
) -> None:
    points = {s: {"equipment": "E", "location": "1"} for s in "ab"}
    points["c"] = {"equipment": third, "location": "2"}
    store = ask(tmp_path, {s: steady("2024-01-02", 4) for s in points}, ["exact_value"], points)
    bench = bench_of(store.store)
    call = point(bench, equipment="E", location="1")
    assert call.refused and [a.kind for a in named(bench, call)] == kinds


def test_a_period_may_be_told_as_a_window(bench: Bench) -> None:
    call = bench.call("aggregate_period", {"stream_id": "a", "period": "day", "date": "2024-01-09"})
    (found,) = named(bench, call)
    window = {"stream_id": "a", "start": "2024-01-08T23:00:00.000Z"}
    window["end"] = "2024-01-09T23:00:00.000Z"
    assert (found.kind, found.instead) == ("period_form", (Asked("window_mean", window),))


@pytest.mark.parametrize("end", ["2024-01-09T22:00:00.000Z", "2024-01-10T23:00:00.000Z"])
def test_a_window_that_is_another_period_is_none(bench: Bench, end: str) -> None:
    call = bench.call("aggregate_period", {"stream_id": "a", "period": "day", "date": "2024-01-09"})
    window = {"stream_id": "a", "start": "2024-01-08T23:00:00.000Z", "end": end}
    assert not as_good(call, (Asked("window_mean", window),), bench)


WINDOW = {"start": "2024-01-08T23:00:00.000Z", "end": "2024-01-09T23:00:00.000Z"}


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ("window_mean", {"stream_id": "a"}),
        ("inspect_quality_window", {"stream_id": "a"}),
        ("rank_window", {"site": "S", "point_class": "Temperature"}),
    ],
)
def test_a_window_may_be_told_by_the_clock(
    bench: Bench, operation: str, said: dict[str, Any]
) -> None:
    call = bench.call(operation, {**said, **WINDOW})
    (found,) = named(bench, call)
    assert found.kind == "period_form"
    told = found.instead[0].arguments
    assert told["start"] == "2024-01-09T00:00:00.000+01:00"
    assert told["end"] == "2024-01-10T00:00:00.000+01:00"
    wrong = {**told, "start": "2024-01-09T00:00:00.000+00:00"}
    assert not as_good(call, (Asked(operation, wrong),), bench)


def test_both_operands_may_be_swapped(bench: Bench) -> None:
    call = bench.call("compare_window", {"stream_a": "a", "stream_b": "c", **WINDOW})
    kinds = {a.kind: a.instead[0] for a in named(bench, call)}
    assert set(kinds) == {"period_form", "operands_swapped"}
    swapped = kinds["operands_swapped"]
    assert swapped.arguments == {"stream_a": "c", "stream_b": "a", **WINDOW}
    other = bench.call(swapped.operation, swapped.arguments).answer
    assert (call.answer["higher"], other["higher"]) == ("a", "b")
    assert call.answer["difference"] == -other["difference"] == 1.0


@pytest.mark.parametrize(
    "instead",
    [
        {"stream_a": "c", "stream_b": "c"},
        {"stream_a": "a", "stream_b": "a"},
        {"stream_a": "b", "stream_b": "a"},
        {"stream_a": "c", "stream_b": "a", "end": "2024-01-10T23:00:00.000Z"},
    ],
    ids=["only the first", "only the second", "a third stream", "another window"],
)
def test_operands_that_are_swapped_inconsistently_are_none(
    bench: Bench, instead: dict[str, str]
) -> None:
    # All series differ by one everywhere, so that the number alone would not tell.
    call = bench.call("compare_window", {"stream_a": "a", "stream_b": "c", **WINDOW})
    assert not as_good(call, (Asked("compare_window", {**call.arguments, **instead}),), bench)


def look(bench: Bench, stream: str, timestamp: str, mode: str) -> Call:
    said = {"stream_id": stream, "timestamp": timestamp, "mode": mode}
    return bench.call("lookup_observation", said)


def test_an_exact_value_may_be_looked_up_as_the_nearest(bench: Bench) -> None:
    (found,) = named(bench, look(bench, "a", "2024-01-09T01:00:00Z", "exact"))
    assert found.kind == "exact_then_nearest"
    assert [asked.arguments["mode"] for asked in found.instead] == ["nearest"]


def test_a_nearest_value_may_be_probed_for_exactly_first(bench: Bench) -> None:
    (found,) = named(bench, look(bench, "b", "2024-01-09T01:20:00Z", "nearest"))
    assert found.kind == "exact_then_nearest"
    assert [asked.arguments["mode"] for asked in found.instead] == ["exact", "nearest"]
    assert bench.call("lookup_observation", found.instead[0].arguments).refused


def test_an_exact_probe_that_is_not_refused_is_none(bench: Bench) -> None:
    assert named(bench, look(bench, "a", "2024-01-09T01:00:00Z", "nearest")) == []


def test_the_nearest_to_another_instant_is_none(bench: Bench) -> None:
    call = look(bench, "a", "2024-01-09T01:00:00Z", "exact")
    said = {**call.arguments, "mode": "nearest", "timestamp": "2024-01-09T01:40:00Z"}
    assert not as_good(call, (Asked("lookup_observation", said),), bench)


def test_what_was_refused_has_no_alternatives(bench: Bench) -> None:
    call = look(bench, "b", "2024-01-09T01:00:00Z", "exact")
    assert call.refused and named(bench, call) == []
    assert at("2024-01-09T01:00") % HOUR == 0
