"""Findings are matched by the places that they rest on, by the best assignment."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.stats.matching import Finding, Match, Place, match, nearness, overlap, place_of
from benchwright.trajectory.evidence import Evidence


def at(source: str, where: str) -> Place:
    found = place_of(Evidence(source, where))
    assert found is not None
    return found


def finding(name: str, *places: Place) -> Finding:
    return Finding(name, places)


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        (("log", "40-49"), ("log", "45-54"), 5 / 15),
        (("log", "40"), ("log", "lines 40-40"), 1.0),
        (("log", "40-41"), ("log", "42-43"), 0.0),
        (("log", "bytes 0-100"), ("log", "bytes 50-150"), 1 / 3),
        (("log", "bytes 0-100"), ("log", "1-2"), 0.0),
        (("log", "40"), ("artifact:run.log", "40"), 0.0),
        (("artifact:r.md", ""), ("artifact:./r.md", "1-9"), 1 / 2),
        (("artifact:d.json", "result"), ("artifact:d.json", "/result/value"), 2 / 3),
        (("artifact:d.json", "/a/b"), ("artifact:d.json", "/a/c"), 0.0),
        (("artifact:d.json", "sample_3"), ("artifact:d.json", "/sample_3"), 1.0),
        (("step", "12"), ("step", "12 call-1"), 2 / 3),
        (("step", "12"), ("step", "13"), 0.0),
        (("session", "7"), ("session", "7"), 1.0),
        (("result:h1", "row 3"), ("result:h1", ""), 1.0),
    ],
)
def test_overlap_of_two_places(a: tuple[str, str], b: tuple[str, str], common: float) -> None:
    assert overlap(at(*a), at(*b)) == pytest.approx(common)
    assert overlap(at(*b), at(*a)) == pytest.approx(common)


def test_a_run_that_ends_before_it_begins_is_no_place() -> None:
    assert place_of(Evidence("log", "9-3")) is None
    assert place_of(Evidence("log", "bytes 5-5")) is None


def test_the_best_assignment_is_not_the_first_that_fits() -> None:
    ours = [finding("A.1", at("log", "1-10")), finding("B.1", at("log", "1-4"))]
    theirs = [finding("A.1", at("log", "1-6")), finding("B.1", at("log", "7-30"))]
    assert match(ours, theirs) == (Match(0, 1, 4 / 30), Match(1, 0, 4 / 6))


def test_of_two_findings_in_one_place_each_keeps_its_own_pattern() -> None:
    place = at("log", "5")
    ours = [finding("A.1", place), finding("B.1", place)]
    assert [(m.first, m.second) for m in match(ours, ours[::-1])] == [(0, 1), (1, 0)]


def test_findings_that_touch_less_than_asked_or_point_nowhere_are_not_matched() -> None:
    ours, theirs = [finding("A.1", at("log", "1-10"))], [finding("A.1", at("log", "10-19"))]
    assert len(match(ours, theirs)) == 1
    assert match(ours, theirs, least=0.1) == ()
    assert match([finding("A.1")], [finding("A.1")]) == ()
    assert match([], ours) == ()


runs = st.tuples(st.sampled_from(["log", "artifact:a"]), st.integers(1, 12), st.integers(0, 6)).map(
    lambda t: at(t[0], f"{t[1]}-{t[1] + t[2]}")
)
trees = st.lists(st.sampled_from("xy"), max_size=3).map(
    lambda path: Place("artifact:a", tuple(path))
)
places = runs | trees
findings = st.lists(
    st.builds(Finding, st.sampled_from("AB"), st.lists(places, max_size=2).map(tuple)), max_size=4
)


@given(places, places)
def test_overlap_is_symmetric_within_bounds_and_whole_with_itself(a: Place, b: Place) -> None:
    assert overlap(a, b) == overlap(b, a)
    assert 0.0 <= overlap(a, b) <= 1.0
    assert overlap(a, a) == 1.0
    assert (overlap(a, b) == 1.0) == (a == b)


def best_by_trial(a: list[Finding], b: list[Finding]) -> float:
    """The largest sum over every way to pair two short lists."""
    small, large = sorted((a, b), key=len)
    ways = permutations(large, len(small))
    return max(sum(nearness(x, y) for x, y in zip(small, way, strict=True)) for way in ways)


@given(findings, findings, st.randoms())
def test_no_other_assignment_is_better_and_order_and_side_do_not_matter(
    a: list[Finding], b: list[Finding], luck: random.Random
) -> None:
    found = match(a, b)
    total = sum(m.overlap for m in found)
    assert total == pytest.approx(best_by_trial(a, b))
    assert len({m.first for m in found}) == len({m.second for m in found}) == len(found)
    shuffled = luck.sample(a, len(a))
    assert sum(m.overlap for m in match(b, shuffled)) == pytest.approx(total)
