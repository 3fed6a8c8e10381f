"""The nine operations: answers by hand, every refusal, handles that depend on what was read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.suites.telemetry.operations import Refusal, operations
from benchwright.suites.telemetry.operations.declare import DECLARED
from benchwright.suites.telemetry.operations.results import Result
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import BadArguments, answered
from tests.telemetry.corpora import channel, make, wide

BERLIN = {"column": "time", "zone": "Europe/Berlin", "repeated": "earlier"}
ROWS = [
    "2023-10-28 00:00,1,4,7,100,0",
    "2023-10-28 01:00,2,5,8,101,1",
    "2023-10-28 03:00,3,,9.5,102.5,0",
    "2023-10-29 12:00,4,7,-9,103,1",
    "2023-11-05 12:00,4,7,8,104,1",
]
CLASSES = [
    {"name": "T", "kind": "instant", "unit": "K", "sentinels": [-9.0]},
    {"name": "E", "kind": "cumulative", "unit": "MWh"},
    {"name": "S", "kind": "state"},
]
CONTRACT: dict[str, Any] = {
    "held_out": {"unit": {"field": "equipment", "values": ["U3"]}},
    "family": [{"name": "window_mean", "site": "equipment", "held_out": "unit"}],
}


def store_of(folder: Path, rows: list[str]) -> Store:
    kinds = {
        "a": ("T", "U1"),
        "b": ("T", "U2"),
        "c": ("T", "U3"),
        "e": ("E", "U1"),
        "s": ("S", "U1"),
    }
    rules = [
        channel(name, **{"class": kind}, equipment=unit, site="plant")
        for name, (kind, unit) in kinds.items()
    ]
    files = {"x.csv": "time,a,b,c,e,s\n" + "\n".join(rows) + "\n"}
    source = wide(time=BERLIN, channel=rules, regimes=[{"step_s": 3600}])
    corpus = make(
        folder, files, source, zone="Europe/Berlin", contract=CONTRACT, **{"class": CLASSES}
    )
    return Store(build_store(corpus, folder / "store"))


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return store_of(tmp_path_factory.mktemp("plant"), ROWS)


def ask(store: Store, operation: str, **given: Any) -> Any:
    found = {o.name: o for o in operations(store)}[operation]
    return answered(found, given)


DAY = {"start": "2023-10-28T00:00", "end": "2023-10-29T00:00"}


def test_there_are_nine_each_with_words_and_schemas(plant: Store) -> None:
    assert [o.name for o in operations(plant)] == [
        *("resolve_point", "lookup_observation", "window_mean", "aggregate_period"),
        *("compare_window", "rank_window", "inspect_quality_window", "calendar_profile", "preview"),
    ]
    for o in operations(plant):
        assert o.doc and issubclass(o.result, Result)
        assert o.arguments.model_json_schema()["additionalProperties"] is False
    assert len(DECLARED) == 9


def test_a_description_that_fits_one_point_is_resolved(plant: Store) -> None:
    found = ask(plant, "resolve_point", site="plant", point_class="T", equipment="U2")
    assert (found.stream_id, found.unit, found.first) == ("b", "K", "2023-10-27T22:00:00.000Z")
    by_unit = ask(plant, "resolve_point", site="U2", point_class="T")
    assert by_unit.stream_id == "b"


def test_a_description_that_fits_several_lists_them_and_what_to_ask(plant: Store) -> None:
    found = ask(plant, "resolve_point", site="plant", point_class="T")
    assert (found.error, found.ask) == ("ambiguous", ("equipment",))
    assert [c["stream_id"] for c in found.candidates] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"site": "plannt", "point_class": "T"}, "No site 'plannt'. Did you mean plant"),
        ({"site": "plant", "point_class": "X"}, "No 'X' on 'plant'"),
        ({"site": "plant", "point_class": "T", "equipment": "U9"}, "No equipment 'U9' there"),
        ({"site": "plant", "point_class": "T", "location": "roof"}, "No location 'roof'"),
    ],
)
def test_names_that_nobody_has_are_unknown(plant: Store, given: Any, said: str) -> None:
    found = ask(plant, "resolve_point", **given)
    assert found.error == "unknown" and said in found.message


def test_exact_and_nearest_readings_and_the_earlier_one_of_a_tie(plant: Store) -> None:
    exact = ask(plant, "lookup_observation", stream_id="a", timestamp="2023-10-28T01:00:00+02:00")
    assert (exact.value, exact.offset_s, exact.matched, exact.acceptable) == (2, 0, "exact", True)
    near = {"stream_id": "a", "timestamp": "2023-10-28T02:00", "mode": "nearest"}
    tie = ask(plant, "lookup_observation", **near)
    assert (tie.value, tie.offset_s, tie.tie, tie.matched) == (2, -3600, True, "nearest")
    far = ask(plant, "lookup_observation", **{**near, "timestamp": "2023-10-28T10:00"})
    assert (far.value, far.acceptable) == (3, False)
    later = ask(plant, "lookup_observation", **{**near, "timestamp": "2023-10-28T02:00:00.001"})
    assert (later.value, later.offset_s, later.tie) == (3, 3599.999, False)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"stream_id": "zz", "timestamp": "2023-10-28T01:00Z"}, "unknown"),
        ({"stream_id": "a", "timestamp": "2023-10-28T02:00"}, "empty"),
        ({"stream_id": "a", "timestamp": "2020-01-01T00:00Z", "mode": "nearest"}, "out_of_range"),
        ({"stream_id": "a", "timestamp": "2023-03-26T02:30"}, "no_such_local_time"),
        ({"stream_id": "a", "timestamp": "2023-10-29T02:30"}, "ambiguous"),
        ({"stream_id": "a", "timestamp": "yesterday noon"}, "bad_argument"),
        ({"stream_id": "a", "timestamp": "2023-10-28T01:00Z", "mode": "near"}, "bad_argument"),
        ({"stream_id": "a", "timestamp": "2023-10-28T01:00Z", "extra": "x"}, "bad_argument"),
    ],
)
def test_every_way_a_look_up_can_fail_has_its_own_error(
    plant: Store, given: Any, error: str
) -> None:
    assert ask(plant, "lookup_observation", **given).error == error


def test_a_wall_time_that_comes_twice_offers_both_instants(plant: Store) -> None:
    found = ask(plant, "lookup_observation", stream_id="a", timestamp="2023-10-29T02:30")
    assert found.candidates == (
        {"timestamp": "2023-10-29T00:30:00.000Z"},
        {"timestamp": "2023-10-29T01:30:00.000Z"},
    )


def test_a_window_mean_leaves_its_end_out(plant: Store) -> None:
    found = ask(
        plant, "window_mean", stream_id="a", start="2023-10-28T00:00", end="2023-10-28T03:00"
    )
    assert (found.mean, found.count, found.least, found.greatest) == (1.5, 2, 1, 2)
    assert found.coverage == 2 / 3
    more = ask(
        plant, "window_mean", stream_id="a", start="2023-10-28T00:00", end="2023-10-28T03:01"
    )
    assert (more.mean, more.count) == (2, 3)


def test_left_out_readings_are_flagged_and_a_window_of_only_such_is_empty(plant: Store) -> None:
    span = {"stream_id": "c", "start": "2023-10-28T03:00", "end": "2023-10-30T00:00"}
    found = ask(plant, "window_mean", **span)
    assert (found.mean, found.count) == (9.5, 1)
    assert found.flags == {"sentinel": 1, "left_out": 1}
    assert ask(plant, "window_mean", **{**span, "start": "2023-10-29T12:00"}).error == "empty"


def test_counters_have_a_change_and_states_have_nothing(plant: Store) -> None:
    found = ask(plant, "window_mean", stream_id="e", **DAY)
    assert (found.mean, found.change, found.unit) == (None, 2.5, "MWh")
    assert ask(plant, "window_mean", stream_id="s", **DAY).error == "undefined"
    assert ask(plant, "calendar_profile", stream_id="s").error == "undefined"


@pytest.mark.parametrize(
    ("start", "end", "error"),
    [
        ("2023-10-28T05:00", "2023-10-28T06:00", "empty"),
        ("2022-01-01", "2022-01-02", "out_of_range"),
        ("2023-10-28T05:00", "2023-10-28T05:00", "bad_argument"),
    ],
)
def test_windows_without_readings_say_which_kind(
    plant: Store, start: str, end: str, error: str
) -> None:
    for name in ("window_mean", "inspect_quality_window"):
        assert ask(plant, name, stream_id="a", start=start, end=end).error == error


def test_periods_follow_the_calendar(plant: Store) -> None:
    given = {"stream_id": "a", "period": "day", "date": "2023-10-28"}
    local = ask(plant, "aggregate_period", **given)
    assert (local.calendar, local.count, local.mean) == ("local", 3, 2)
    utc = ask(plant, "aggregate_period", **given, calendar="utc")
    assert (utc.count, utc.mean) == (1, 3)
    week = ask(plant, "aggregate_period", stream_id="a", period="week", date="2023-10-29")
    assert (week.first_day, week.count) == ("2023-10-23", 4)
    assert ask(plant, "aggregate_period", **{**given, "date": "2023-13-01"}).error == "bad_argument"


def test_a_period_is_the_stored_aggregate(plant: Store) -> None:
    rows = plant.rows(
        'SELECT stream, calendar, first_day, mean, "count", coverage FROM aggregates_day '
        "JOIN points USING (stream) WHERE kind = 'instant' AND mean IS NOT NULL"
    )
    assert rows
    for stream, calendar, day, *figures in rows:
        given = {"stream_id": stream, "period": "day", "date": day, "calendar": calendar}
        found = ask(plant, "aggregate_period", **given)
        assert [found.mean, found.count, found.coverage] == figures


def test_a_comparison_is_symmetric_but_for_its_sign(plant: Store) -> None:
    one = ask(plant, "compare_window", stream_a="a", stream_b="b", **DAY)
    two = ask(plant, "compare_window", stream_a="b", stream_b="a", **DAY)
    assert (one.mean_a, one.mean_b, one.difference, one.higher) == (2, 4.5, -2.5, "b")
    assert (two.difference, two.higher, two.handle != one.handle) == (2.5, "a", True)
    assert ask(plant, "compare_window", stream_a="a", stream_b="a", **DAY).error == "bad_argument"
    assert ask(plant, "compare_window", stream_a="a", stream_b="e", **DAY).error == "undefined"


def test_a_ranking_orders_by_mean_and_names_streams_without_data(plant: Store) -> None:
    given = {"site": "plant", "point_class": "T", **DAY}
    found = ask(plant, "rank_window", **given)
    assert [r.stream_id for r in found.ranked] == ["c", "b", "a"]
    assert found.margin == pytest.approx(49 / 6 - 4.5 + 0.0)
    low = ask(plant, "rank_window", **given, order="lowest", top_k=1)
    assert [(r.stream_id, r.value) for r in low.ranked] == [("a", 2)]
    late = {"start": "2023-10-28T03:00", "end": "2023-10-28T04:00"}
    assert ask(plant, "rank_window", **{**given, **late}).without_data == ("b",)
    few = ask(plant, "rank_window", site="plant", point_class="E", **DAY)
    assert few.error == "too_few"


def test_equal_means_are_ranked_by_stream_id_with_no_margin(plant: Store) -> None:
    span = {"start": "2023-11-05T00:00", "end": "2023-11-06T00:00"}
    found = ask(plant, "rank_window", site="plant", point_class="T", **span)
    assert [r.stream_id for r in found.ranked] == ["c", "b", "a"]
    same = ask(plant, "compare_window", stream_a="b", stream_b="b", **span)
    assert same.error == "bad_argument"


def test_quality_tells_decision_reason_and_measures(plant: Store) -> None:
    found = ask(plant, "inspect_quality_window", stream_id="a", **DAY)
    assert (found.decision, found.reason, found.coverage) == ("abstain", "coverage", 3 / 24)
    assert (found.gap_ratio, found.greatest_gap_s) == (21.0, 75_600.0)


def test_profiles_and_previews_are_those_of_the_stream(plant: Store) -> None:
    profile = ask(plant, "calendar_profile", stream_id="a")
    assert [(h.day_of_week, h.hour, h.mean) for h in profile.hours] == [
        *((5, 0, 1), (5, 1, 2), (5, 3, 3)),
        (6, 12, 4),
    ]
    shown = ask(plant, "preview", stream_id="a")
    assert [r.value for r in shown.first + shown.last] == [1, 2, 3, 4, 4]
    assert shown.count == 5


def test_equal_questions_have_equal_handles_however_they_are_written(plant: Store) -> None:
    local = ask(plant, "window_mean", stream_id="a", **DAY)
    utc = {"start": "2023-10-27T22:00:00.000Z", "end": "2023-10-28T22:00Z"}
    assert ask(plant, "window_mean", stream_id="a", **utc).handle == local.handle
    assert ask(plant, "inspect_quality_window", stream_id="a", **utc).handle != local.handle
    given = {"stream_id": "a", "period": "day"}
    days = [ask(plant, "aggregate_period", **given, date=f"2023-10-{d}") for d in (28, 29)]
    assert days[0].handle != days[1].handle
    assert ask(plant, "aggregate_period", **given, date="2023-10-28", calendar="local") == days[0]


def test_a_handle_changes_with_what_was_read_and_with_nothing_else(
    plant: Store, tmp_path: Path
) -> None:
    other = store_of(tmp_path, [*ROWS[:2], ROWS[2].replace(",3,", ",3.5,"), *ROWS[3:]])
    early = {"start": "2023-10-28T00:00", "end": "2023-10-28T02:00"}

    def handles(store: Store) -> list[str]:
        spans: list[dict[str, Any]] = [DAY, early]
        return [ask(store, "window_mean", stream_id="a", **span).handle for span in spans]

    (whole, part), (whole_too, part_too) = handles(plant), handles(other)
    assert whole != whole_too
    assert part == part_too


def test_no_operation_raises_whatever_it_is_given(plant: Store) -> None:
    odd: list[Any] = ["", "none", "x" * 400, "2023-10-28T00:00", None, 5, [], "9999-12-31T23:59Z"]
    for operation in operations(plant):
        for value in odd:
            given = {name: value for name in operation.arguments.model_fields}
            found = answered(operation, given)
            assert isinstance(found, Refusal | BadArguments) and found.message


@pytest.mark.parametrize("early", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_that_no_date_can_name_is_a_bad_argument(plant: Store, early: str) -> None:
    given = {"stream_id": "a", "start": early, "end": "9999-12-31T23:59:59Z"}
    for operation in ("inspect_quality_window", "window_mean"):
        found = ask(plant, operation, **given)
        assert isinstance(found, Refusal) and found.error == "bad_argument"


def test_the_papers_worked_row_has_the_published_answers(tmp_path: Path) -> None:
    """One reading every ten minutes; one gap of 633.78 s; the week from Monday 31 January 2022."""
    start = int(np.datetime64("2022-01-31T00:03:23.640", "ms").astype(int))
    ts = start + 600_000 * np.arange(1008)
    ts[700:] += 33_780
    ts = ts[ts < start + 7 * 86_400_000 - 203_640]
    reading = int(np.datetime64("2022-02-03T07:03:23.640", "ms").astype(int))
    assert reading in ts.tolist()
    rows = [f"{t / 1000:.3f},{12.9457 if t == reading else 10 + i % 5}" for i, t in enumerate(ts)]
    files = {"a.csv": "time,t\n" + "\n".join(rows) + "\n"}
    times = {"column": "time", "form": "unix_s", "zone": "UTC"}
    corpus = make(tmp_path, files, wide(time=times), contract={"calendar": "utc"})
    store = Store(build_store(corpus, tmp_path / "store"))
    exact = ask(store, "lookup_observation", stream_id="t", timestamp="2022-02-03T07:03:23.640Z")
    assert (exact.value, exact.matched) == (12.9457, "exact")
    probe = {"stream_id": "t", "timestamp": "2022-02-03T07:03:00Z"}
    assert ask(store, "lookup_observation", **probe).error == "empty"
    near = ask(store, "lookup_observation", **probe, mode="nearest")
    assert (near.value, near.offset_s, near.acceptable) == (12.9457, 23.64, True)
    week = {"start": "2022-01-31T00:00Z", "end": "2022-02-07T00:00Z"}
    quality = ask(store, "inspect_quality_window", stream_id="t", **week)
    assert (quality.coverage, round(quality.gap_ratio, 4)) == (pytest.approx(1, abs=2e-3), 1.0563)
    assert quality.decision == "answer"


def test_stored_weeks_and_the_operation_judge_alike_in_every_season(tmp_path: Path) -> None:
    """A week that starts on the first of a month in UTC starts in the month before in New York."""
    start = np.datetime64("2024-01-01T00:00")
    hours = [h for h in range(24 * 7 * 16) if h % 24 < (23 if h < 24 * 7 * 13 else 19)]
    rows = [f"{start + np.timedelta64(h, 'h')},{h % 50}" for h in hours]
    quality = {"seasons": [{"name": "first", "months": [1, 2, 3]}]}
    corpus = make(
        tmp_path,
        {"a.csv": "time,t\n" + "\n".join(rows) + "\n"},
        wide(regimes=[{"step_s": 3600}]),
        zone="America/New_York",
        contract={"calendar": "utc", "quality": quality},
    )
    store = Store(build_store(corpus, tmp_path / "store"))
    weeks = store.rows('SELECT start, "end", outcome, reason, first_day FROM quality_weeks')
    seasons = set()
    for first, end, outcome, reason, day in weeks:
        span = {"start": f"{np.datetime64(first, 'ms')}Z", "end": f"{np.datetime64(end, 'ms')}Z"}
        found = ask(store, "inspect_quality_window", stream_id="t", **span)
        assert (found.decision, found.reason) == (outcome, reason)
        assert found.season == ("first" if day < "2024-04" else "year")
        seasons.add((found.season, found.decision))
    assert len(seasons) > 1 and "2024-04-01" in {week[4] for week in weeks}
