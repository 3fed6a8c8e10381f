"""Difficulty is told in a row and decides nothing."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from benchwright.suites.telemetry.families.manifest import manifest_lines
from benchwright.suites.telemetry.families.model import Candidate, Traits
from benchwright.suites.telemetry.families.selected import selected
from benchwright.suites.telemetry.rows.model import Row
from benchwright.suites.telemetry.rows.row import bench_of, row_of
from tests.telemetry.questions import ask, steady

FAMILIES = ("pairwise_comparison", "ranking")
LEVELS = {"a": [9, 4, 7, 8, 9, 5], "b": [4, 6, 5, 2, 3, 1], "c": [1, 2, 1, 4, 2, 3]}


def rows(folder: Path, times: float) -> tuple[list[str], list[Row]]:
    """The selection and rows of three streams whose readings are all `times` as great."""
    series = {
        name: steady("2024-01-01", 6 * 168, lambda i, own=own: times * own[i // 168])
        for name, own in LEVELS.items()
    }
    rules = {"eligibility": {"absolute_mean": {"quantile": 1.0}}}
    asked = ask(folder, series, FAMILIES, contract=rules)
    chosen = selected(asked.every, 5).chosen
    bench = bench_of(asked.store)
    return manifest_lines(chosen), [row_of(one, bench) for one in chosen]


def test_another_difficulty_selects_the_same(tmp_path: Path) -> None:
    plain, before = rows(tmp_path / "plain", 1.0)
    great, after = rows(tmp_path / "great", 4.0)
    assert plain == great and len(plain) > 4
    for one, other in zip(before, after, strict=True):
        assert other.difficulty["margin"] == pytest.approx(4 * one.difficulty["margin"])
        assert one.difficulty["margin"] != 0


def test_no_candidate_carries_a_difficulty(tmp_path: Path) -> None:
    _, (row, *_) = rows(tmp_path, 1.0)
    known = {field.name for record in (Candidate, Traits) for field in fields(record)}
    assert set(row.difficulty) == {"confusable", "readings", "coverage", "margin"}
    assert not known & set(row.difficulty)
