"""The contract: strict, hashed, and nothing that is held out gets into train or dev."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.contract.holdout import part_of
from benchwright.suites.telemetry.contract.model import FAMILIES, Contract, read_contract
from benchwright.suites.telemetry.contract.periods import Window, periods_between
from benchwright.suites.telemetry.corpus.load import load_corpus, shipped_corpora
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.zones import zone

HELD = {"unit": {"field": "equipment", "values": ["B"]}}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"calender": "utc"}, r"unknown key: 'calender'.*Did you mean calendar"),
        ({"calendar": "mars"}, "value cannot be used: 'mars'"),
        ({"quality": {"frozen_shares": 0.5}}, r"unknown key: 'frozen_shares'.*frozen_share\?"),
        ({"quality": {"frozen_share": 1.5}}, "value cannot be used: 1.5"),
        ({"family": [{"name": "rankin", "held_out": "unit"}]}, "Did you mean ranking"),
        ({"family": [{"name": "ranking", "held_out": "units"}]}, "Did you mean unit"),
        ({"family": [{"name": "ranking", "held_out": "unit"}] * 2}, "name stands twice"),
        ({"held_out": {"x": {"field": "site"}}}, "needs a field with values, or windows"),
        ({"held_out": {"x": {"windows": [["2024-02-01", "2024-01-01"]]}}}, "no pair of dates"),
    ],
)
def test_a_contract_that_cannot_be_is_refused(table: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        read_contract({"held_out": HELD, **table}, "x.toml")


def test_every_rule_is_in_the_digest() -> None:
    plain = read_contract({}, "x").digest
    others = [
        {"calendar": "utc"},
        {"version": 2},
        {"quality": {"dropout_share": 0.06}},
        {"limits": {"calls": 41}},
        {"held_out": HELD},
        {"tolerances": {"offset_ms": 2}},
    ]
    digests = {read_contract(table, "x").digest for table in others}
    assert len(digests | {plain}) == len(others) + 1


@pytest.mark.parametrize("name", shipped_corpora())
def test_every_shipped_contract_can_be_read_and_names_known_families(name: str) -> None:
    corpus = load_corpus(name)
    contract = read_contract(corpus.contract, corpus.where)
    assert {family.name for family in contract.family} <= set(FAMILIES)
    assert contract.family


def point(equipment: str) -> Point:
    return Point(equipment, "Nis", "T", "instant", equipment, None, None, None, "", None, False, ())


def heat() -> tuple[Contract, list[Point], list[Window]]:
    corpus = load_corpus("xai4heat")
    contract = read_contract(corpus.contract, corpus.where)
    first = int(np.datetime64("2023-05-01", "ms").astype(int))
    last = int(np.datetime64("2024-08-01", "ms").astype(int))
    clock = zone(corpus.file.zone)
    windows = [
        window
        for period in ("day", "week", "month")
        for window in periods_between(first, last, period, clock).windows()  # type: ignore[arg-type]
    ]
    return contract, [point(name) for name in ("L4", "L8", "L12", "L17", "L22")], windows


def test_no_test_window_and_no_test_only_stream_is_in_train_or_dev() -> None:
    contract, points, windows = heat()
    clock = zone("Europe/Belgrade")
    tests, rest = set(), set()
    for family in contract.family:
        size = 1 if family.held_out == "substation" else 2
        for group in combinations(points, size):
            for window in windows:
                part = part_of(family, group, window, contract, clock)
                chosen = tests if part == "test" else rest if part == "rest" else set()
                chosen |= {(p.equipment, window) for p in group}
    assert tests and rest
    assert not tests & rest
    assert {name for name, _ in rest} == {"L4", "L8", "L12", "L22"}
    assert all(w.label < "2023-10-01" or w.label >= "2024-05-01" for _, w in rest)


def test_what_lies_across_a_border_belongs_to_no_split() -> None:
    contract, points, windows = heat()
    clock = zone("Europe/Belgrade")
    ranking = next(f for f in contract.family if f.name == "ranking")
    week = next(w for w in windows if w.label == "2023-09-25" and w.end - w.start > 2**29)
    assert part_of(ranking, points[:3], week, contract, clock) is None
    mean = next(f for f in contract.family if f.name == "window_mean")
    free = next(w for w in windows if w.label == "2023-07-03")
    assert part_of(mean, [points[0], points[3]], free, contract, clock) is None
    assert part_of(mean, [points[3]], free, contract, clock) == "test"
    assert part_of(mean, [points[0]], free, contract, clock) == "rest"
