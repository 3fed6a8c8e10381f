"""BARS.md is read back as it was written, and only what was measured again changes."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.__main__ import available
from benchmarks.bar import Bar
from benchmarks.table import Row, merge, parse, render, row

text = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=20)
words = st.lists(text, max_size=4).map(lambda parts: " ".join(" ".join(parts).split()))
area = words.filter(bool)
rows = st.builds(
    row, st.builds(Bar, area, words, words, words, st.sampled_from([True, False, None])), area, area
)


def by_place(found: list[Row]) -> list[Row]:
    return sorted(found, key=lambda r: (r.area, r.command))


@given(st.lists(rows, max_size=6))
def test_a_page_is_read_back_as_it_was_written(found: list[Row]) -> None:
    assert parse(render(found)) == by_place(found)


@given(st.lists(rows, max_size=6), st.lists(rows, min_size=1, max_size=3))
def test_rows_of_other_commands_stay(old: list[Row], new: list[Row]) -> None:
    again = {r.command for r in new}
    merged = merge(old, new)
    assert [r for r in merged if r.command not in again] == [
        r for r in old if r.command not in again
    ]
    assert [r for r in merged if r.command in again] == new


@pytest.mark.parametrize("name", available())
def test_every_bar_module_can_be_imported_and_documents_its_measure(name: str) -> None:
    module = importlib.import_module(f"benchmarks.{name}")
    assert module.__doc__
    assert module.measure.__doc__


def test_the_figures_of_the_house_are_measured() -> None:
    assert {"layout", "newcomer"} <= set(available())
