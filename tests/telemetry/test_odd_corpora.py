"""Corpora that are odd but can be written: each is built, or refused in one line that says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.audit import audit
from benchwright.suites.telemetry.contract.periods import periods_between, window_of
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.evaluation.stated import differing
from benchwright.suites.telemetry.store.build import build_store
from tests.telemetry.corpora import channel, make, wide, written
from tests.telemetry.sets import build_into

HOURS = 24 * 7 * 11
FAMILIES = (
    *("point_disambiguation", "exact_value", "quality_gate", "pairwise_comparison", "ranking"),
)


def rows(start: datetime, columns: int, count: int = HOURS) -> str:
    head = ",".join(["time", *"abcd"[:columns]])
    lines = [
        ",".join([f"{start + timedelta(hours=n)}", *(f"{n % 17 + 3 * c}" for c in range(columns))])
        for n in range(count)
    ]
    return "\n".join([head, *lines]) + "\n"


def contract(first: str = "2024-02-05", several: bool = False) -> dict[str, Any]:
    site = ["site", "equipment"] if several else "site"
    few = {"train": 4, "dev": 2, "test": 4}
    return {
        "held_out": {"late": {"windows": [[first, "2024-03-20"]]}},
        "family": [{"name": n, "site": site, "held_out": "late", "quota": few} for n in FAMILIES],
    }


def plant(folder: Path, names: list[tuple[str, str]], **rules: Any) -> Corpus:
    """A stream for each site and equipment."""
    channels = [
        channel(column, f"id.{column}", site=site, equipment=equipment)
        for column, (site, equipment) in zip("abcd", names, strict=False)
    ]
    files = {"x.csv": rows(datetime(2024, 1, 1), len(names))}
    return written(folder, files, wide(channel=channels), zone="UTC", **rules)


def test_a_site_of_one_letter_is_told_by_no_other_word(tmp_path: Path) -> None:
    corpus = plant(tmp_path, [("T", "one"), ("T", "two"), ("T", "three")], contract=contract())
    built = build_into(corpus, tmp_path / "set")
    flown = json.loads(built.shared("preflight.json"))
    assert flown["rows"] == flown["released"] > 0
    asked = {g["script"]["withheld"]["slot"] for g in built.of("quality_gate")}
    assert asked == {"site"}


def test_equipment_may_have_the_name_of_a_site(tmp_path: Path) -> None:
    names = [("hvac", "hvac"), ("hvac", "fan"), ("fan", "hvac"), ("hvac", "pump")]
    built = build_into(plant(tmp_path, names, contract=contract(several=True)), tmp_path / "set")
    for gold in built.of("pairwise_comparison"):
        named = {point["site"] for point in gold["points"]}
        other = {point["equipment"] for point in gold["points"]}
        assert {gold["site"]} in (named, other)
    assert built.of("point_disambiguation")


def test_a_held_out_window_may_begin_before_any_calendar(tmp_path: Path) -> None:
    names = [("S", "one"), ("S", "two"), ("S", "three")]
    built = build_into(plant(tmp_path, names, contract=contract("1900-01-01")), tmp_path / "set")
    assert {gold["split"] for gold in built.golds.values()} == {"test"}


def test_a_day_that_the_clock_skips_whole_is_no_day() -> None:
    apia = zone("Pacific/Apia")
    before = window_of(date(2011, 12, 29), "day", apia)
    after = window_of(date(2011, 12, 31), "day", apia)
    assert before.end == after.start
    found = periods_between(before.start, after.start, "day", apia)
    assert found.labels() == ["2011-12-29", "2011-12-31"]
    assert all(a < b for a, b in pairwise(found.edges.tolist()))


def _long_name(folder: Path) -> Corpus:
    return plant(folder, [("S" * 301, "one")])


def _early(folder: Path) -> Corpus:
    return make(folder, {"x.csv": "time,t\n1969-12-31 23:00,1\n"}, wide())


def _late(folder: Path) -> Corpus:
    return make(folder, {"x.csv": "time,t\n2023-01-01 00:00,1\n2099-01-01 00:00,1\n"}, wide())


def _large(folder: Path) -> Corpus:
    return make(folder, {"x.csv": "time,t\n2023-01-01 00:00,1\n2023-01-01 01:00,-1e301\n"}, wide())


def _at_odds(folder: Path) -> Corpus:
    files = {"x.csv": "time,t\n2023-01-01 00:00,1\n", "y.csv": "time,t\n2023-01-01 00:00,2\n"}
    return make(folder, files, wide(), conflicts="drop")


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (_long_name, "name has 301 characters"),
        (_early, "1969-12-31T23:00:00.000Z' (1.0 in x.csv row 1"),
        (_late, "2099-01-01T00:00:00.000Z' (1.0 in x.csv row 2"),
        (_large, "-1e+301 in x.csv row 2"),
        (_at_odds, "no reading of a stream is left"),
    ],
)
def test_what_cannot_be_asked_about_is_refused_with_its_place(
    odd: Callable[[Path], Corpus], said: str, tmp_path: Path
) -> None:
    with pytest.raises(SpecError) as refused:
        build_store(odd(tmp_path / "data"), tmp_path / "store")
    assert said in str(refused.value)
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("field", "wanted", "said", "right"),
    [
        ("stream", "none", None, False),
        ("stream", "none", "none", True),
        ("deciding_check", "none", None, False),
        ("deciding_check", "none", "none", True),
        ("quality_reason", None, None, True),
        ("quality_reason", None, "none", True),
        ("quality_reason", None, "gap", False),
        ("streams", ["a", "b"], ["b", "a", "b"], True),
        ("streams", ["a", "b"], ["b"], False),
    ],
)
def test_what_is_left_out_is_not_said(field: str, wanted: Any, said: Any, right: bool) -> None:
    wrong = differing({field: said}, {field: wanted}, zone("UTC"), 0.0, 0)
    assert wrong == ([] if right else [field])


def without_rows(folder: Path, families: list[dict[str, Any]]) -> Corpus:
    rules = {**contract(), "family": families}
    return plant(folder / "data", [("S", "one"), ("S", "two")], contract=rules)


@pytest.mark.parametrize("asked", ["no quota", "no family"])
def test_a_contract_that_asks_for_no_row_is_refused_before_anything_is_written(
    tmp_path: Path, asked: str
) -> None:
    none = dict.fromkeys(("train", "dev", "test"), 0)
    few = {"held_out": "late", "quota": none, "negative": none}
    families = [{"name": n, **few} for n in FAMILIES]
    corpus = without_rows(tmp_path, families if asked == "no quota" else [])
    with pytest.raises(SpecError, match="contract asks for no row"):
        build_into(corpus, tmp_path / "out" / "set")
    assert not (tmp_path / "out").exists()


def test_data_that_no_question_fits_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    corpus = without_rows(tmp_path, [{"name": "ranking", "held_out": "late"}])
    with pytest.raises(SpecError, match="no question can be asked of these data"):
        build_into(corpus, tmp_path / "out" / "set")
    assert [*(tmp_path / "out").iterdir()] == []


def test_braces_in_names_of_sites_and_equipment_stand_as_they_are(tmp_path: Path) -> None:
    names = [("{unit}", "f{x}"), ("{unit}", "g {question}"), ("{unit}", "{{7*7}}")]
    written = [[n.replace("{", "{{").replace("}", "}}") for n in pair] for pair in names]
    templates = [(site, equipment) for site, equipment in written]
    built = build_into(plant(tmp_path, templates, contract=contract()), tmp_path / "set")
    flown = json.loads(built.shared("preflight.json"))
    assert flown["rows"] == flown["released"] > 0
    for equipment in ("f{x}", "g {question}", "{{7*7}}"):
        asked = [t.instruction for t in built.tasks.tasks if equipment in t.instruction]
        told = [g for g in built.golds.values() if equipment in g["query"]["text"]]
        assert asked and told
    held = {g["script"]["withheld"]["words"] for g in built.of("quality_gate")}
    assert any("{unit}" in words for words in held)


def test_a_period_without_training_has_no_threshold_and_builder_and_audit_agree(
    tmp_path: Path,
) -> None:
    names = [("S", "one"), ("S", "two"), ("S", "three")]
    corpus = plant(tmp_path / "data", names, contract=contract("2024-01-25"))
    built = build_into(corpus, tmp_path / "set")
    stated = json.loads(built.shared("thresholds.json"))["thresholds"]
    floors = {one["scope"]: one for one in stated if one["name"] == "coverage_floor"}
    assert sorted(floors) == ['{"period": "day"}', '{"period": "week"}']
    assert all(one["count"] > 0 for one in floors.values())
    asked = {g["identity"].get("period") for g in built.golds.values()}
    assert "month" not in asked and "week" in asked
    assert list(audit(built.path, tmp_path / "data").findings) == []
