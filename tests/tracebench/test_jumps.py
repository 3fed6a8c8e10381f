from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.suites.tracebench.jumps import rule_source
from benchwright.suites.tracebench.noise import LEVELS, NoiseKey, observe
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.systems import SYSTEMS, get_system

NAMES = tuple(SYSTEMS)
CELLS = st.sampled_from([0.0, -0.0, 1.0, -3.5, 1e-30, 1e30, 1e308, np.nan, np.inf, -np.inf])


def _predict(system: str) -> Callable[[pd.DataFrame], list[str]]:
    space: dict[str, Any] = {}
    exec(rule_source(system, get_system(system).labels), space)
    predict: Callable[[pd.DataFrame], list[str]] = space["predict"]
    return predict


def _frame(system: str, columns: list[np.ndarray]) -> pd.DataFrame:
    table = {f"col{i + 1}": column for i, column in enumerate(columns)}
    return pd.DataFrame({**table, "col4": get_system(system).times.astype(np.float32)})


def _answers(system: str, level: str) -> list[tuple[str, list[str]]]:
    recipes = shipped(system)
    key = NoiseKey("jumps", tuple(recipe.digest for recipe in recipes))
    runs = observe(simulate(recipes, "released"), LEVELS[level], key)
    predict = _predict(system)
    return [(recipe.label, predict(runs.frame(i))) for i, recipe in enumerate(recipes)]


@pytest.mark.parametrize("system", NAMES)
def test_the_rule_has_at_most_150_lines(system: str) -> None:
    assert len(rule_source(system, get_system(system).labels).splitlines()) <= 150


@pytest.mark.parametrize("system", NAMES)
def test_the_rule_imports_only_what_the_agents_python_has(system: str) -> None:
    tree = ast.parse(rule_source(system, get_system(system).labels))
    plain = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    parts = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert plain | parts == {"contextlib", "numpy", "scipy.ndimage", "typing"}


@pytest.mark.parametrize("system", NAMES)
def test_the_rule_opens_no_file(system: str) -> None:
    tree = ast.parse(rule_source(system, get_system(system).labels))
    called = {
        n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and hasattr(n.func, "id")
    }
    assert not called & {"open", "exec", "eval", "__import__"}


@pytest.mark.parametrize("system", NAMES)
def test_most_shipped_recipes_are_named_at_low_noise(system: str) -> None:
    answers = _answers(system, "low")
    assert all(got in ([name] for name in get_system(system).labels) for _, got in answers)
    assert np.mean([got == [truth] for truth, got in answers]) >= 0.75


@pytest.mark.parametrize("system", NAMES)
def test_high_noise_still_beats_guessing_clearly(system: str) -> None:
    assert np.mean([got == [truth] for truth, got in _answers(system, "high")]) >= 0.5


def test_equal_frames_get_equal_answers() -> None:
    assert _answers("BounceBall", "high") == _answers("BounceBall", "high")


@given(system=st.sampled_from(NAMES), cells=st.lists(CELLS, min_size=3, max_size=3))
@settings(deadline=None, max_examples=25)
def test_constant_channels_of_any_value_mean_no_change(system: str, cells: list[float]) -> None:
    rows = get_system(system).rows
    frame = _frame(system, [np.full(rows, cell) for cell in cells])
    assert _predict(system)(frame) == ["no parameter change"]


@given(
    system=st.sampled_from(NAMES),
    seed=st.integers(0, 2**32 - 1),
    size=st.sampled_from([1e-30, 1e-3, 1.0, 1e6, 1e200]),
    holes=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 498), CELLS), max_size=4),
)
@settings(deadline=None, max_examples=25)
def test_garbage_gets_one_allowed_label(
    system: str, seed: int, size: float, holes: list[tuple[int, int, float]]
) -> None:
    rows = get_system(system).rows
    columns = list(np.random.default_rng(seed).standard_normal((3, rows)) * size)
    for column, row, value in holes:
        columns[column][row] = value
    answer = _predict(system)(_frame(system, columns))
    assert len(answer) == 1 and answer[0] in get_system(system).labels


@pytest.mark.parametrize("system", NAMES)
def test_a_frame_that_is_too_short_means_no_change(system: str) -> None:
    frame = _frame(system, [np.arange(get_system(system).rows, dtype=float)] * 3)
    assert _predict(system)(frame.head(2)) == ["no parameter change"]


def test_labels_that_it_does_not_know_give_the_last_one() -> None:
    space: dict[str, Any] = {}
    exec(rule_source("BallDrop", ["label_0", "label_1"]), space)
    assert space["predict"](pd.DataFrame()) == ["label_1"]


def test_a_system_without_laws_is_refused_in_one_line() -> None:
    with pytest.raises(SpecError, match="no rule of jumps"):
        rule_source("Pendulum", ["a"])
