"""Comparisons and rankings: who may be compared, ties, margins and where these are taken."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.telemetry.questions import WEEK, Asked, Series, ask, at, steady, without

PAIR, RANK = "pairwise_comparison", "ranking"
START = "2024-01-01"


def levels(*weekly: float) -> dict[int, float]:
    """Hourly readings that stay at one number for a week, then at the next."""
    return steady(START, 168 * len(weekly), lambda i: weekly[i // 168])


def contest(
    folder: Path,
    family: str,
    series: Mapping[str, Series],
    points: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Asked:
    rules = {"eligibility": {"absolute_mean": {"quantile": 1.0}}, **more.pop("contract", {})}
    return ask(folder, series, [{"name": family, **more.pop("rule", {})}], points,
               contract=rules, **more)  # fmt: skip


def weeks(found: Asked, family: str) -> list[tuple[Sequence[str], str]]:
    return [
        (c.identity["streams"], c.identity["first_day"])
        for c in found.found(family)
        if c.identity["period"] == "week"
    ]


def margins(found: Asked) -> dict[tuple[str, ...], tuple[float, int]]:
    """Value and count of weekly margins by their scope: site, then what else it says."""
    told = {}
    for one in found.every.margins:
        scope = json.loads(one.scope)
        if scope.pop("period") == "week":
            rest = [scope.pop("site"), *(str(v) for k, v in sorted(scope.items()))]
            told[tuple(rest)] = (one.value, one.count)
    return told


def test_two_streams_are_compared_where_both_are_eligible_now_and_next(tmp_path: Path) -> None:
    found = contest(tmp_path, PAIR, {"a": levels(9, 9, 9, 9), "b": levels(4, 4, 4, 4)})
    assert weeks(found, PAIR) == [(["a", "b"], day) for day in ("2024-01-01", "2024-01-08",
                                                                 "2024-01-15")]  # fmt: skip
    assert {c.traits.winner for c in found.found(PAIR)} == {"a"}


@pytest.mark.parametrize(
    "other",
    [{"equipment": "a"}, {"site": "T"}, {"class": "Flow"}, {"unit": "K"}],
    ids=["same equipment", "other site", "other class", "other unit"],
)
def test_who_cannot_be_compared(tmp_path: Path, other: dict[str, Any]) -> None:
    rooms = {"a": {"location": "1"}, "b": {"location": "2", **other}}
    found = contest(tmp_path, PAIR, {"a": levels(9, 9, 9), "b": levels(4, 4, 4)}, rooms)
    assert found.sink(PAIR).counts.candidates == 0


def test_counters_have_no_mean_to_compare_and_have_a_change_to_rank(tmp_path: Path) -> None:
    series = {s: steady(START, 4 * 168, (1.0 * n).__mul__) for n, s in enumerate("abc", 1)}
    points = {s: {"class": "Energy"} for s in series}
    assert contest(tmp_path / "p", PAIR, series, points).sink(PAIR).counts.candidates == 0
    found = contest(tmp_path / "r", RANK, series, points)
    assert {c.traits.winner for c in found.found(RANK)} == {"c"}


def test_equal_means_are_a_tie_now_or_next(tmp_path: Path) -> None:
    found = contest(tmp_path, PAIR, {"a": levels(9, 9, 4, 9, 9, 9), "b": levels(4, 4, 4, 4, 4, 4)})
    # The third week is a tie, so the second has no next week that could be asked about.
    assert [day for _, day in weeks(found, PAIR)] == ["2024-01-01", "2024-01-22", "2024-01-29"]
    assert found.sink(PAIR).counts.missed["tie"] == 2


@pytest.mark.parametrize(("apart", "compared"), [(0.00004, False), (0.0002, True)])
def test_a_difference_within_the_tolerance_is_a_tie(
    tmp_path: Path, apart: float, compared: bool
) -> None:
    series = {"a": levels(9, 9, 9), "b": levels(*[9 + apart] * 3)}
    assert bool(contest(tmp_path, PAIR, series).found(PAIR)) is compared


def test_the_first_difference_reaches_the_median_and_the_next_need_not(tmp_path: Path) -> None:
    series = {"a": levels(5, 2, 4, 1, 3, 6), "b": levels(0, 0, 0, 0, 0, 0)}
    found = contest(tmp_path, PAIR, series)
    assert margins(found) == {("S", "Temperature"): (3.0, 6), ("*", "Temperature"): (3.0, 6)}
    # Of 5 2 4 1 3 6 the median is 3; the last week has no next one.
    days = [day for _, day in weeks(found, PAIR)]
    assert days == ["2024-01-01", "2024-01-15", "2024-01-29"]
    assert found.sink(PAIR).counts.missed["margin"] >= 2


def test_a_margin_is_taken_of_what_nobody_holds_out(tmp_path: Path) -> None:
    held = {"late": {"windows": [["2024-01-15", "2024-02-12"]]}}
    series = {"a": levels(5, 2, 4, 1, 3, 5), "b": levels(0, 0, 0, 0, 0, 0)}
    rule = {"held_out": "late"}
    found = contest(tmp_path, PAIR, series, contract={"held_out": held}, rule=rule)
    assert margins(found)["S", "Temperature"] == (2.0, 2)
    parts = {c.identity["first_day"]: c.part for c in found.found(PAIR)}
    # The second week reaches into the third, which is held out: no split may have it.
    assert parts == {"2024-01-01": "rest", "2024-01-15": "test", "2024-01-29": "test"}


@pytest.mark.parametrize(("high", "weeks_of_t"), [(3, 2), (2, 0)], ids=["reached", "missed"])
def test_without_a_margin_of_its_own_a_site_takes_that_of_all(
    tmp_path: Path, high: float, weeks_of_t: int
) -> None:
    held = {"unit": {"field": "equipment", "values": ["x", "y"]}}
    points = {"a": {}, "b": {}, "x": {"site": "T"}, "y": {"site": "T"}}
    series = {"a": levels(3, 3, 3), "b": levels(0, 0, 0)}
    series |= {"x": levels(high, high, high), "y": levels(0, 0, 0)}
    rule = {"held_out": "unit"}
    found = contest(tmp_path, PAIR, series, points, contract={"held_out": held}, rule=rule)
    assert set(margins(found)) == {("S", "Temperature"), ("*", "Temperature")}
    assert len([c for c in found.found(PAIR) if c.site == "T"]) == weeks_of_t


def test_without_any_margin_there_is_no_question(tmp_path: Path) -> None:
    held = {"unit": {"field": "equipment", "values": ["b"]}}
    series = {"a": levels(3, 3, 3), "b": levels(2, 2, 2)}
    rule = {"held_out": "unit"}
    found = contest(tmp_path, PAIR, series, contract={"held_out": held}, rule=rule)
    assert found.every.margins == () and found.found(PAIR) == []
    assert found.sink(PAIR).counts.missed["no_threshold"] == 2


def test_a_pair_that_one_site_field_gave_is_not_repeated(tmp_path: Path) -> None:
    points = {"a": {"location": "H"}, "b": {"location": "H"}}
    series = {"a": levels(9, 9, 9), "b": levels(4, 4, 4)}
    found = contest(tmp_path, PAIR, series, points, rule={"site": ["site", "location"]})
    assert {c.site for c in found.found(PAIR)} == {"S"}


THREE = {"a": levels(9, 9, 9, 9), "b": levels(4, 4, 4, 4), "c": levels(1, 1, 1, 1)}


def test_three_streams_are_ranked_and_two_are_not(tmp_path: Path) -> None:
    found = contest(tmp_path / "3", RANK, THREE)
    assert weeks(found, RANK) == [
        (["a", "b", "c"], day) for day in ("2024-01-01", "2024-01-08", "2024-01-15")
    ]
    two = {name: THREE[name] for name in "ab"}
    assert contest(tmp_path / "2", RANK, two).sink(RANK).counts.candidates == 0


def test_a_week_is_ranked_where_three_have_readings_now_and_next(tmp_path: Path) -> None:
    series = {**THREE, "c": without(THREE["c"], ("2024-01-15", "2024-01-22"))}
    found = contest(tmp_path, RANK, series)
    assert [day for _, day in weeks(found, RANK)] == ["2024-01-01"]


def test_a_stream_without_readings_does_not_hinder_three_others(tmp_path: Path) -> None:
    short = {"d": steady(START, 24)}
    found = contest(tmp_path, RANK, {**THREE, **short})
    # In the first week d has one day only, and is not eligible; later it has nothing.
    ranked = weeks(found, RANK)
    assert ranked == [(["a", "b", "c", "d"], day) for day in ("2024-01-08", "2024-01-15")]


def test_a_group_with_two_units_is_not_ranked(tmp_path: Path) -> None:
    found = contest(tmp_path, RANK, THREE, {"b": {"unit": "K"}})
    assert found.sink(RANK).counts.candidates == 0


def test_location_types_are_ranked_where_there_are_several(tmp_path: Path) -> None:
    names = "abcdef"
    series = {s: levels(*[9 - i] * 4) for i, s in enumerate(names)}
    points = {s: {"location": s, "location_type": "room" if s in "abc" else "hall"} for s in names}
    found = contest(tmp_path / "two", RANK, series, points)
    groups = {(c.identity["location_type"], "".join(c.identity["streams"]), c.cell[2])
              for c in found.found(RANK)}  # fmt: skip
    assert groups == {(None, names, ""), ("room", "abc", "room"), ("hall", "def", "hall")}
    alike = {s: {"location": s, "location_type": "room"} for s in names}
    found = contest(tmp_path / "one", RANK, series, alike)
    assert {c.identity["location_type"] for c in found.found(RANK)} == {None}


def test_a_ranking_of_resolvable_and_other_streams_is_of_all(tmp_path: Path) -> None:
    alike = {s: {"equipment": "E"} for s in "bc"}
    assert len(weeks(contest(tmp_path, RANK, THREE, alike), RANK)) == 3
    assert weeks(contest(tmp_path / "pairs", PAIR, THREE, alike), PAIR) == []


def test_the_margin_of_a_ranking_is_between_first_and_second(tmp_path: Path) -> None:
    series = {"a": levels(1, 2, 3, 9), "b": levels(0, 0, 0, 0), "c": levels(-5, -5, -5, -5)}
    found = contest(tmp_path, RANK, series)
    told = margins(found)
    assert told["S", "Temperature", "None"] == told["*", "Temperature"] == (2.0, 4)
    assert [day for _, day in weeks(found, RANK)] == ["2024-01-08", "2024-01-15"]


def test_a_tie_for_the_first_place_is_no_ranking(tmp_path: Path) -> None:
    series = {**THREE, "b": levels(9, 4, 4, 4)}
    assert [d for _, d in weeks(contest(tmp_path, RANK, series), RANK)] == [
        "2024-01-08",
        "2024-01-15",
    ]


def test_held_out_streams_are_left_out_of_margins_and_touched_by_rankings(tmp_path: Path) -> None:
    held = {"unit": {"field": "equipment", "values": ["c"]}}
    found = contest(tmp_path, RANK, THREE, contract={"held_out": held}, rule={"held_out": "unit"})
    # a and b are ranked among themselves: 9 - 4; the group with c belongs to no split.
    assert margins(found)["S", "Temperature", "None"] == (5.0, 4)
    assert found.found(RANK) == [] and found.sink(RANK).counts.across > 0


def test_the_reach_of_a_comparison_is_both_weeks(tmp_path: Path) -> None:
    found = contest(tmp_path, PAIR, {"a": levels(9, 9, 9), "b": levels(4, 4, 4)})
    reach = found.found(PAIR)[0].reach
    assert (reach.start, reach.end) == (at(START), at(START) + 2 * WEEK)
