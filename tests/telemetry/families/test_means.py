"""Weeks of quality, 24 hours, days, weeks, months: eligible now and next, and days without data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.suites.telemetry.families.model import draw
from tests.telemetry.questions import DAY, HOUR, Asked, Series, ask, at, steady, without

LONG = steady("2024-01-01", 28 * 24)
"""Four whole weeks."""


def days(found: Asked, family: str = "daily_aggregate", variant: str = "usual") -> list[str]:
    return found.told("first_day", family, variant)


def test_quality_is_asked_of_every_week_but_the_first_and_the_last(tmp_path: Path) -> None:
    found = ask(tmp_path, {"t": LONG}, ["quality_gate"])
    assert days(found, "quality_gate") == ["2024-01-08", "2024-01-15"]


def test_quality_is_not_asked_of_a_week_without_readings(tmp_path: Path) -> None:
    series = without(LONG, ("2024-01-08", "2024-01-15"))
    assert days(ask(tmp_path, {"t": series}, ["quality_gate"]), "quality_gate") == ["2024-01-15"]


def test_the_cell_of_a_week_tells_its_outcome(tmp_path: Path) -> None:
    series = {**LONG, **dict.fromkeys(steady("2024-01-09", 24), -9.0)}
    found = ask(tmp_path, {"t": series}, ["quality_gate"]).found("quality_gate")
    assert [c.cell for c in found] == [
        ("Temperature", "2024Q1", "abstain"),
        ("Temperature", "2024Q1", "answer"),
    ]


def test_twenty_four_hours_end_at_the_full_hour_of_the_anchor(tmp_path: Path) -> None:
    series = steady("2024-01-01T00:20", 28 * 24)
    found = ask(tmp_path, {"t": series}, ["window_mean"])
    seed = {"family": "window_mean", "variant": "usual", "streams": ["t"]}
    wanted = []
    for day, first, number in (
        ("2024-01-01", 1, 167),
        ("2024-01-08", 0, 168),
        ("2024-01-15", 0, 168),
        ("2024-01-22", 0, 167),
    ):
        anchor = first + draw({**seed, "first_day": day}, number)
        wanted.append(at(day) + anchor * HOUR)
    covered = [t for t in wanted if at("2024-01-02") <= t <= at("2024-01-28")]
    # A window that reaches before the first or beyond the last reading lacks coverage.
    assert found.told("end", "window_mean") == covered
    assert found.sink("window_mean").counts.candidates == 4


def test_the_reach_of_a_window_is_the_weeks_of_both_days(tmp_path: Path) -> None:
    for candidate in ask(tmp_path, {"t": LONG}, ["window_mean"]).found("window_mean"):
        end = candidate.identity["end"]
        assert candidate.reach.start <= end - DAY and candidate.reach.end >= end + DAY
        assert {candidate.reach.start % (7 * DAY), candidate.reach.end % (7 * DAY)} == {4 * DAY}


def test_a_day_needs_itself_and_the_next_to_be_covered(tmp_path: Path) -> None:
    # Half of the 10th is missing: neither the 9th nor the 10th can be asked for.
    series = without(LONG, ("2024-01-10T12:00", "2024-01-11"))
    found = ask(tmp_path, {"t": series}, ["daily_aggregate"])
    every = [f"2024-01-{d:02d}" for d in range(1, 28)]
    assert days(found) == [d for d in every if d not in ("2024-01-09", "2024-01-10")]
    assert found.sink("daily_aggregate").counts.missed == {"not_eligible": 3}


def test_the_coverage_of_a_day_may_be_the_floor_itself(tmp_path: Path) -> None:
    # Four of 28 days lack an hour or more; the floor is place ceil(0.1 x 28) = 3 of the sorted.
    series = LONG
    for day, hours in ((5, 3), (10, 2), (15, 1), (20, 1)):
        series = without(series, (f"2024-01-{day:02d}T10:00", f"2024-01-{day:02d}T{10 + hours}:00"))
    regimes = {"regimes": [{"step_s": 3600}]}
    found = days(ask(tmp_path, {"t": series}, ["daily_aggregate"], source=regimes))
    missing = {f"2024-01-{d:02d}" for d in range(1, 28)} - set(found)
    assert missing == {"2024-01-04", "2024-01-05", "2024-01-09", "2024-01-10"}


def test_a_figure_above_the_cap_is_not_asked_for_and_the_cap_itself_is(tmp_path: Path) -> None:
    def value(i: int) -> float:
        return 20.0 + (30.0 if i // 24 == 9 else 10.0 if i // 24 == 19 else 0.0)

    series = {"t": steady("2024-01-01", 28 * 24, value)}
    rules = {"eligibility": {"absolute_mean": {"quantile": 0.96}}}
    found = days(ask(tmp_path, series, ["daily_aggregate"], contract=rules))
    # The cap is place ceil(0.96 x 28) = 27 of 28: the second greatest, which the 20th has.
    assert "2024-01-19" in found and "2024-01-20" in found
    assert "2024-01-09" not in found and "2024-01-10" not in found


def test_an_absolute_figure_counts_below_zero_as_above(tmp_path: Path) -> None:
    series = {"t": steady("2024-01-01", 28 * 24, lambda i: -15.0 if i // 24 == 9 else 5.0)}
    rules = {"eligibility": {"absolute_mean": {"quantile": 0.96}}}
    assert "2024-01-10" not in days(ask(tmp_path, series, ["daily_aggregate"], contract=rules))


@pytest.mark.parametrize(("name", "has"), [("Fan", False), ("Energy", True), ("Flow", True)])
def test_states_have_no_figure_and_counters_have_a_change(
    tmp_path: Path, name: str, has: bool
) -> None:
    series = {"t": steady("2024-01-01", 28 * 24, lambda i: 1.0 + i)}
    families = ["window_mean", "daily_aggregate", "period_aggregate"]
    found = ask(tmp_path, series, families, {"t": {"class": name}})
    assert [bool(found.found(family)) for family in families] == [has] * 3


def test_a_day_without_kept_readings_inside_a_stream_has_no_data(tmp_path: Path) -> None:
    series = without(LONG, ("2024-01-10", "2024-01-11"), ("2024-01-12", "2024-01-12T23:00"))
    series[at("2024-01-12T23:00")] = -9.0
    found = ask(tmp_path, {"t": series}, ["daily_aggregate"])
    assert days(found, variant="no_data") == ["2024-01-10", "2024-01-12"]
    (week,) = {(c.reach.start, c.reach.end) for c in found.found("daily_aggregate", "no_data")}
    assert week == (at("2024-01-08"), at("2024-01-15"))


def test_days_of_the_first_and_last_reading_are_not_days_without_data(tmp_path: Path) -> None:
    series = {**steady("2024-01-02", 48), at("2024-01-01T12:00"): -9.0, at("2024-01-04"): -9.0}
    assert days(ask(tmp_path, {"t": series}, ["daily_aggregate"]), variant="no_data") == []


def test_weeks_and_months_need_their_next_one(tmp_path: Path) -> None:
    found = ask(tmp_path, {"t": steady("2024-01-01", 91 * 24)}, ["period_aggregate"])
    told: dict[str, list[str]] = {"week": [], "month": []}
    for candidate in found.found("period_aggregate"):
        told[candidate.identity["period"]].append(candidate.identity["first_day"])
    assert told["month"] == ["2024-01-01", "2024-02-01"]
    assert told["week"] == [str(np.datetime64("2024-01-01") + 7 * i) for i in range(12)]


def test_the_reach_of_a_month_goes_to_whole_weeks_after_the_next(tmp_path: Path) -> None:
    found = ask(tmp_path, {"t": steady("2024-01-01", 91 * 24)}, ["period_aggregate"])
    months = [c for c in found.found("period_aggregate") if c.identity["period"] == "month"]
    assert [(c.reach.start, c.reach.end) for c in months] == [
        (at("2024-01-01"), at("2024-03-04")),
        (at("2024-01-29"), at("2024-04-01")),
    ]


def test_a_stream_that_cannot_be_told_apart_is_asked_nothing(tmp_path: Path) -> None:
    families = [
        *("exact_value", "nearest_value", "quality_gate", "window_mean"),
        *("daily_aggregate", "period_aggregate"),
    ]
    alike: dict[str, dict[str, Any]] = {s: {"equipment": "E"} for s in ("a", "b")}
    series: dict[str, Series] = {s: LONG for s in alike}
    found = ask(tmp_path, series, families, alike)
    assert {s.counts.candidates for s in found.every.sinks} == {0}


def test_days_are_those_of_the_clock_that_the_contract_names(tmp_path: Path) -> None:
    series = {"t": without(steady("2024-01-01", 10 * 24), ("2024-01-04T23:00", "2024-01-05T23:00"))}
    for calendar, wanted in (("local", ["2024-01-05"]), ("utc", [])):
        found = ask(
            tmp_path / calendar,
            series,
            ["daily_aggregate"],
            zone="Europe/Berlin",
            contract={"calendar": calendar},
        )
        assert days(found, variant="no_data") == wanted
