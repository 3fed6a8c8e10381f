"""Disambiguation: others of the class on the same site, descriptions that tell apart or do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.telemetry.questions import Asked, ask, at, steady, without

FAMILY = "point_disambiguation"
WEEKS = steady("2024-01-01", 14 * 24)


def asked(folder: Path, points: dict[str, dict[str, Any]], **series: Any) -> Asked:
    return ask(folder, {s: series.get(s, WEEKS) for s in points}, [FAMILY], points)


def pairs(found: Asked) -> set[tuple[str, ...]]:
    return {tuple(streams) for streams in found.told("streams", FAMILY)}


def test_two_streams_of_a_class_on_a_site_are_each_the_others_alternate(tmp_path: Path) -> None:
    found = asked(tmp_path, {"a": {}, "b": {}})
    assert pairs(found) == {("a", "b"), ("b", "a")}
    assert len(found.found(FAMILY)) == 4


@pytest.mark.parametrize(
    "other", [{"site": "T"}, {"class": "Flow"}], ids=["other site", "other class"]
)
def test_a_stream_alone_of_its_class_on_its_site_is_not_asked_for(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    found = asked(tmp_path, {"a": {}, "b": other})
    assert found.sink(FAMILY).counts.candidates == 0


def test_the_alternate_is_the_next_in_the_circle_with_a_clean_reading_that_week(
    tmp_path: Path,
) -> None:
    # b rests in the second week, but for its last reading, which is not interior.
    b = without(WEEKS, ("2024-01-08", "2024-01-14T23:00"))
    found = asked(tmp_path, {"a": {}, "b": {}, "c": {}}, b=b)
    first, second = at("2024-01-01"), at("2024-01-08")
    by_week = {
        (c.identity["streams"][0], c.reach.start): c.identity["streams"][1]
        for c in found.found(FAMILY)
    }
    assert by_week == {
        ("a", first): "b",
        ("b", first): "c",
        ("c", first): "a",
        ("a", second): "c",
        ("c", second): "a",
    }


def test_a_week_in_which_no_other_has_a_reading_is_counted_and_not_asked_for(
    tmp_path: Path,
) -> None:
    found = asked(tmp_path, {"a": {}, "b": {}}, b=steady("2024-01-01", 7 * 24))
    assert [c.reach.start for c in found.found(FAMILY)] == [at("2024-01-01")] * 2
    assert found.sink(FAMILY).counts.missed == {"no_alternate": 1}


def test_a_week_that_one_site_field_gave_is_not_repeated_by_the_next(tmp_path: Path) -> None:
    rooms = {s: {"equipment": "E", "location": s} for s in ("a", "b")}
    family = {"name": FAMILY, "site": ["site", "equipment"]}
    found = ask(tmp_path, {s: WEEKS for s in rooms}, [family], rooms)
    assert [c.site for c in found.found(FAMILY)] == ["S"] * 4


def test_the_second_site_field_asks_where_the_first_cannot(tmp_path: Path) -> None:
    # On the site, c is alone with its room but shares room 1; within its unit all are told apart.
    points = {
        "a": {"site": "S", "equipment": "E", "location": "1"},
        "b": {"site": "T", "equipment": "E", "location": "2"},
    }
    family = {"name": FAMILY, "site": ["site", "equipment"]}
    found = ask(tmp_path, {s: WEEKS for s in points}, [family], points)
    assert {c.site for c in found.found(FAMILY)} == {"E"}
    assert pairs(found) == {("a", "b"), ("b", "a")}


def test_streams_with_equal_descriptions_are_unresolvable_and_nothing_else(
    tmp_path: Path,
) -> None:
    points = {"a": {"equipment": "E"}, "b": {"equipment": "E"}, "c": {"equipment": "F"}}
    found = asked(tmp_path, points)
    assert found.told("streams", FAMILY, "unresolvable") == [["a", "b"]] * 2
    assert pairs(found) == set()
    assert found.sink(FAMILY).counts.missed == {"no_alternate": 2}


def test_streams_that_any_word_tells_apart_are_resolvable(tmp_path: Path) -> None:
    points = {s: {"equipment": "E", "location": s} for s in ("a", "b")}
    found = asked(tmp_path, points)
    assert found.found(FAMILY, "unresolvable") == []
    assert pairs(found) == {("a", "b"), ("b", "a")}


def test_a_description_that_also_fits_a_fuller_one_is_neither(tmp_path: Path) -> None:
    # `the Temperature of S, equipment E` fits both; that of b fits b alone.
    points = {"a": {"equipment": "E"}, "b": {"equipment": "E", "location": "1"}}
    found = asked(tmp_path, points)
    assert found.found(FAMILY, "unresolvable") == []
    assert found.found(FAMILY) == []


@pytest.mark.parametrize(("number", "weeks"), [(50, 1), (51, 0)])
def test_at_most_fifty_streams_are_listed(tmp_path: Path, number: int, weeks: int) -> None:
    names = [f"s{i:02d}" for i in range(number)]
    series = {name: steady("2024-01-02", 5) for name in names}
    points = {name: {"equipment": "E"} for name in names}
    found = ask(tmp_path, series, [FAMILY], points)
    assert found.told("streams", FAMILY, "unresolvable") == [names] * weeks


def test_unresolvable_streams_are_asked_for_at_a_clean_reading_of_the_first(
    tmp_path: Path,
) -> None:
    points = {"a": {"equipment": "E"}, "b": {"equipment": "E"}}
    a = {**steady("2024-01-02", 3), at("2024-01-02T01:00"): -9.0}
    assert asked(tmp_path / "1", points, a=a).found(FAMILY, "unresolvable") == []
    a[at("2024-01-02T01:00")] = 20.0
    found = asked(tmp_path / "2", points, a=a)
    assert found.told("at", FAMILY, "unresolvable") == [at("2024-01-02T01:00")]
