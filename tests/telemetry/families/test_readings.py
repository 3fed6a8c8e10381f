"""Exact and nearest values: interior readings, ordinary gaps, and the negatives beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.suites.telemetry.families.model import draw
from tests.telemetry.questions import DAY, HOUR, ask, at, steady, without

TWO_WEEKS = steady("2024-01-01", 14 * 24)


def test_an_exact_value_is_asked_once_a_week_at_the_reading_that_the_seed_draws(
    tmp_path: Path,
) -> None:
    asked = ask(tmp_path, {"t": TWO_WEEKS}, ["exact_value"])
    wanted = []
    for day, readings in (("2024-01-01", 167), ("2024-01-08", 167)):
        seed = {"family": "exact_value", "variant": "usual", "streams": ["t"], "first_day": day}
        first = at(day) + (HOUR if day == "2024-01-01" else 0)
        wanted.append(first + draw(seed, readings) * HOUR)
    assert asked.told("at", "exact_value") == wanted


@pytest.mark.parametrize("count", [1, 2])
def test_the_first_and_the_last_reading_are_never_asked_for(tmp_path: Path, count: int) -> None:
    ends = {"t": steady("2024-01-02", count)}
    assert ask(tmp_path / "ends", ends, ["exact_value"]).found("exact_value") == []


def test_the_only_reading_between_first_and_last_is_asked_for(tmp_path: Path) -> None:
    asked = ask(tmp_path, {"t": steady("2024-01-02", 3)}, ["exact_value"])
    assert asked.told("at", "exact_value") == [at("2024-01-02T01:00")]


def test_a_sentinel_is_a_bad_sensor_and_never_an_exact_value(tmp_path: Path) -> None:
    series = {**steady("2024-01-02", 5), at("2024-01-02T02:00"): -9.0}
    asked = ask(tmp_path, {"t": series}, ["exact_value"])
    assert asked.told("at", "exact_value", "bad_sensor") == [at("2024-01-02T02:00")]
    only = {k: -9.0 if 0 < i < 4 else v for i, (k, v) in enumerate(series.items())}
    asked = ask(tmp_path / "all", {"t": only}, ["exact_value"])
    assert asked.found("exact_value") == []
    assert len(asked.found("exact_value", "bad_sensor")) == 1


def test_a_dropout_is_a_bad_sensor_unless_it_is_the_first_or_the_last(tmp_path: Path) -> None:
    flow = {"t": {"class": "Flow"}}
    inside = {**steady("2024-01-02", 5), at("2024-01-02T02:00"): 0.0}
    asked = ask(tmp_path, {"t": inside}, ["exact_value"], flow)
    assert asked.told("at", "exact_value", "bad_sensor") == [at("2024-01-02T02:00")]
    ends = {**steady("2024-01-02", 5), at("2024-01-02"): 0.0, at("2024-01-02T04:00"): 0.0}
    asked = ask(tmp_path / "ends", {"t": ends}, ["exact_value"], flow)
    assert asked.found("exact_value", "bad_sensor") == []


def test_a_reading_whose_time_a_policy_decided_is_neither_exact_nor_a_bad_sensor(
    tmp_path: Path,
) -> None:
    # 02:30 of Berlin stood twice on that night; the file says nothing of which it was.
    source = {"time": {"column": "time", "zone": "Europe/Berlin", "repeated": "earlier"}}
    night = at("2023-10-29T02:30")
    for name, value in (("value", 20.0), ("fault", -9.0)):
        series = {at("2023-10-28"): 20.0, night: value, at("2023-10-30"): 20.0}
        asked = ask(tmp_path / name, {"t": series}, ["exact_value"], source=source)
        assert asked.found("exact_value") == []
        assert asked.found("exact_value", "bad_sensor") == []


@pytest.mark.parametrize(("zone", "offset"), [("Europe/Berlin", 120), ("Europe/London", 60)])
def test_a_minute_that_the_clock_skipped_is_asked_for_once(
    tmp_path: Path, zone: str, offset: int
) -> None:
    series = {"t": steady("2024-03-30", 72)}
    asked = ask(tmp_path, series, ["exact_value"], zone=zone)
    (local,) = asked.told("local", "exact_value", "no_such_local_time")
    seed = {"family": "exact_value", "variant": "no_such_local_time", "streams": ["t"]}
    minute = offset + draw({**seed, "first_day": "2024-03-25"}, 60)
    assert local == f"2024-03-31T{minute // 60:02d}:{minute % 60:02d}:00"


@pytest.mark.parametrize(
    ("start", "count", "zone"),
    [
        ("2024-03-31T01:00", 3, "Europe/Berlin"),
        ("2024-03-30T23:00", 3, "Europe/Berlin"),
        ("2024-03-30", 72, "UTC"),
        ("2023-10-28", 72, "Europe/Berlin"),
    ],
    ids=["change at the first reading", "change at the last", "no change", "hour that came twice"],
)
def test_no_time_was_skipped(tmp_path: Path, start: str, count: int, zone: str) -> None:
    asked = ask(tmp_path, {"t": steady(start, count)}, ["exact_value"], zone=zone)
    assert asked.sink("exact_value", "no_such_local_time").counts.candidates == 0


def test_a_nearest_value_is_asked_for_inside_an_ordinary_gap(tmp_path: Path) -> None:
    asked = ask(tmp_path, {"t": TWO_WEEKS}, ["nearest_value"])
    assert len(asked.found("nearest_value")) == 2
    for candidate in asked.found("nearest_value"):
        over, under = map(int, str(candidate.traits.bucket).split("/"))
        base = candidate.identity["at"] - over * HOUR // under
        assert base in TWO_WEEKS and base + HOUR in TWO_WEEKS


@pytest.mark.parametrize(
    ("gap_min", "asked_for"), [(90, True), (91, False)], ids=["1.5 steps", "a minute more"]
)
def test_a_nearest_value_needs_a_gap_of_at_most_one_and_a_half_steps(
    tmp_path: Path, gap_min: int, asked_for: bool
) -> None:
    first = at("2024-01-02")
    # The declared step is an hour; the only gap between two interior readings is the middle one.
    times = [0, 60, 60 + gap_min, 120 + gap_min]
    series = {first + m * 60_000: 20.0 for m in times}
    source = {"regimes": [{"step_s": 3600}]}
    asked = ask(tmp_path, {"t": series}, ["nearest_value"], source=source)
    assert bool(asked.found("nearest_value")) is asked_for


def test_a_nearest_value_needs_a_neighbour_that_is_clean_interior_and_in_the_week(
    tmp_path: Path,
) -> None:
    def count(name: str, start: str, values: list[float]) -> int:
        series = steady(start, len(values), lambda i: values[i])
        return len(ask(tmp_path / name, {"t": series}, ["nearest_value"]).found("nearest_value"))

    assert count("clean", "2024-01-02", [1, 2, 3, 4]) == 1
    assert count("last", "2024-01-02", [1, 2, 3]) == 0
    assert count("sentinel", "2024-01-02", [1, 2, -9.0, 3, 4]) == 0
    assert count("next week", "2024-01-07T22:00", [1, 2, 3, 4]) == 0


def test_the_middle_of_a_wide_gap_is_too_far(tmp_path: Path) -> None:
    series = without(TWO_WEEKS, ("2024-01-03T01:00", "2024-01-03T06:00"))
    (candidate,) = ask(tmp_path, {"t": series}, ["nearest_value"]).found("nearest_value", "too_far")
    assert candidate.identity["at"] == at("2024-01-03T03:00")
    assert (candidate.reach.start, candidate.reach.end) == (at("2024-01-01"), at("2024-01-08"))


@pytest.mark.parametrize(
    ("more_ms", "steps", "far"), [(2, 1.0, False), (3, 1.0, True), (HOUR, 2.0, False)]
)
def test_a_gap_is_too_wide_above_twice_the_limit_and_two_milliseconds(
    tmp_path: Path, more_ms: int, steps: float, far: bool
) -> None:
    first = at("2024-01-02")
    series = {first + t: 20.0 for t in (0, HOUR, 3 * HOUR + more_ms, 4 * HOUR + more_ms)}
    rules = {"nearest_steps": steps}
    source = {"regimes": [{"step_s": 3600}]}
    asked = ask(tmp_path, {"t": series}, ["nearest_value"], contract=rules, source=source)
    assert bool(asked.found("nearest_value", "too_far")) is far


def test_a_wide_gap_needs_two_clean_interior_readings_at_its_ends(tmp_path: Path) -> None:
    for name, place in (("first", 0), ("fault", 1)):
        times = [0, 5, 6, 7] if place == 0 else [0, 1, 6, 7]
        values = [20.0, -9.0 if place else 20.0, 20.0, 20.0]
        series = {
            at("2024-01-02") + t * HOUR: v for t, v in zip(times, values, strict=True)
        }  # fmt: skip
        source = {"regimes": [{"step_s": 3600}]}
        asked = ask(tmp_path / name, {"t": series}, ["nearest_value"], source=source)
        assert asked.found("nearest_value", "too_far") == []


def test_the_larger_step_of_two_regimes_decides_what_is_too_far(tmp_path: Path) -> None:
    regimes = [{"step_s": 600}, {"start": "2024-01-02T05:00:00", "step_s": 3600}]
    series = {at("2024-01-02") + t * HOUR: 20.0 for t in (2, 3, 5, 6, 9, 10)}
    asked = ask(tmp_path, {"t": series}, ["nearest_value"], source={"regimes": regimes})
    # From 3 to 5 an end has steps of an hour; from 6 to 9 both have, and the gap is wider.
    assert asked.told("at", "nearest_value", "too_far") == [at("2024-01-02T07:30")]


def test_the_reach_of_a_gap_is_all_weeks_that_it_touches(tmp_path: Path) -> None:
    series = without(TWO_WEEKS, ("2024-01-07T12:00", "2024-01-08T12:00"))
    (candidate,) = ask(tmp_path, {"t": series}, ["nearest_value"]).found("nearest_value", "too_far")
    assert candidate.reach.end - candidate.reach.start == 14 * DAY
