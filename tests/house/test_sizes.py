"""Files and functions stay small (design 1), in what ships and in what tests it."""

from __future__ import annotations

from statistics import median

import pytest

from tools.source import ROOT, file_sizes, function_sizes

TREES = ("src", "tests", "benchmarks", "tools")


@pytest.mark.parametrize("tree", TREES)
def test_no_file_is_over_400_lines(tree: str) -> None:
    assert [s for s in file_sizes(ROOT / tree) if s.lines > 400] == []


@pytest.mark.parametrize("tree", TREES)
def test_no_function_is_over_60_lines(tree: str) -> None:
    assert [s for s in function_sizes(ROOT / tree) if s.lines > 60] == []


@pytest.mark.parametrize("tree", TREES)
def test_no_function_has_more_than_8_parameters(tree: str) -> None:
    assert [s for s in function_sizes(ROOT / tree) if s.parameters > 8] == []


@pytest.mark.parametrize("tree", TREES)
def test_the_median_file_has_at_most_150_lines(tree: str) -> None:
    assert median(s.lines for s in file_sizes(ROOT / tree)) <= 150


@pytest.mark.parametrize("tree", TREES)
def test_the_median_function_has_at_most_10_lines(tree: str) -> None:
    assert median(s.lines for s in function_sizes(ROOT / tree)) <= 10


def test_the_script_that_sets_up_has_fewer_than_200_lines() -> None:
    assert len((ROOT / "run.py").read_text().splitlines()) < 200
