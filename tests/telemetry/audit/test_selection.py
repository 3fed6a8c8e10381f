"""Rounds over cells, caps, quotas, splits; held-out parts."""

from __future__ import annotations

from typing import Any

from benchwright.suites.telemetry.audit.candidates.base import Candidate
from benchwright.suites.telemetry.audit.clock import Clock
from benchwright.suites.telemetry.audit.holdout import Holdout
from benchwright.suites.telemetry.audit.points import Points, description
from benchwright.suites.telemetry.audit.selection import Chooser, cell_of, splits
from tests.telemetry.audit.made import DAY, MONDAY, corpus, point

CAPS = {"cell": 2, "stream": 2, "winner": 1, "offset_bucket": 1}


def candidate(
    key: str, stream: str, point_class: str = "T", day: int = 0, **more: Any
) -> Candidate:
    start = MONDAY + day * DAY
    reach = (start, start + 7 * DAY)
    return Candidate({"key": key}, (stream,), reach, point_class, (stream,), key=key, **more)


def chosen(candidates: list[Candidate], quota: int = 10) -> str:
    return "".join(c.key for c in Chooser(CAPS, Clock("UTC")).choose(candidates, quota))


def test_each_round_takes_one_of_every_cell_in_the_order_of_first_candidates() -> None:
    some = [candidate(k, k, c) for k, c in zip("abcde", "TTTUV", strict=True)]
    assert chosen(some) == "adeb"
    assert chosen(some, quota=2) == "ad"


def test_a_quarter_is_a_cell_and_next_years_is_another() -> None:
    clock = Clock("UTC")
    cells = {cell_of(candidate("a", "a", day=d), clock) for d in (0, 40, 100, 366)}
    assert cells == {("T", q, None) for q in ("2024-1", "2024-2", "2025-1")}


def test_a_stream_is_passed_over_for_good_once_its_cap_is_full() -> None:
    some = [candidate(k, s, c) for k, s, c in ("axT", "bxU", "cxV", "dyT", "exU", "fyU")]
    assert chosen(some) == "abdf"


def test_winners_and_fractions_are_capped() -> None:
    assert chosen([candidate(k, k, k, winner="w") for k in "abc"]) == "a"
    assert chosen([candidate(k, k, k, bucket=i // 2) for i, k in enumerate("abcd")]) == "ac"


def test_every_fifth_of_the_rest_goes_to_dev_in_the_order_of_keys() -> None:
    some = [candidate(k, k, part="rest") for k in "kjihgfedcba"] + [
        candidate("z", "z", part="test")
    ]
    made = {split: "".join(c.key for c in found) for split, found in splits(some, 5).items()}
    assert made == {"train": "abcdfghik", "dev": "ej", "test": "z"}


HELD = {
    "held_out": {
        "unit": {"field": "equipment", "values": ["E b"]},
        "spring": {"windows": [["2024-03-01", "2024-05-01"]]},
    },
    "family": [
        {"name": "exact_value", "site": "equipment", "held_out": "unit"},
        {"name": "ranking", "held_out": "spring"},
    ],
}


def test_what_one_family_holds_out_is_in_no_rest_of_another() -> None:
    made = corpus("UTC", **HELD)
    holdout = Holdout(made)
    single, ranking = made.families
    winter, spring = (MONDAY, MONDAY + 7 * DAY), (MONDAY + 63 * DAY, MONDAY + 70 * DAY)
    border = (MONDAY + 49 * DAY, MONDAY + 56 * DAY)
    a, b = point("a"), point("b")
    parts = {
        (f.name, p.stream, reach): holdout.part(f, [p], reach)
        for f in (single, ranking)
        for p in (a, b)
        for reach in (winter, spring, border)
    }
    assert [parts["exact_value", "a", r] for r in (winter, spring, border)] == ["rest", None, None]
    assert [parts["exact_value", "b", r] for r in (winter, spring, border)] == ["test"] * 3
    assert [parts["ranking", "a", r] for r in (winter, spring, border)] == ["rest", "test", None]
    assert [parts["ranking", "b", r] for r in (winter, spring, border)] == [None, "test", None]


def test_a_description_leaves_out_what_is_the_site_and_means_one_stream_or_several() -> None:
    a, b = point("a", equipment="E"), point("b", equipment="E", location="here")
    points = Points([a, b], ("site", "equipment"))
    assert description(b, "equipment") == {"site": "E", "point_class": "T", "location": "here"}
    assert points.fitting({"site": "E", "point_class": "T"}) == ["a", "b"]
    assert not points.resolvable(a, "equipment")
    assert points.resolvable(b, "site")
    assert points.shared("site") == {}
    twins = Points([point("a", equipment="E"), point("b", equipment="E")], ("site",))
    assert list(twins.shared("site")) == [("a", "b")]
