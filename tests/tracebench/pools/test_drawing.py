from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchwright.suites.tracebench.pools.blocks import ordered
from benchwright.suites.tracebench.pools.configurations import BLOCK, configurations, short
from benchwright.suites.tracebench.pools.policy import Policy, parse_policy
from benchwright.suites.tracebench.pools.steps import Steps, steps
from benchwright.suites.tracebench.recipes import Recipe, Step, srd, validate
from benchwright.suites.tracebench.systems import SYSTEMS


def policy(system: str = "BallDrop", **changes: Any) -> Policy:
    plain = {"name": "mine", "system": system, "seed": 1, "families": 64}
    return parse_policy({**plain, **changes}, "here")


@pytest.mark.parametrize("method", ["independent", "latin_hypercube", "sobol", "grid"])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_configurations_lie_in_the_documented_intervals(system: str, method: str) -> None:
    drawn = configurations(policy(system, baseline={"method": method}), 0)
    ends = np.array([v.documented for v in SYSTEMS[system].variables])
    assert drawn.shape == (64, len(ends))
    assert (ends[:, 0] <= drawn).all() and (drawn <= ends[:, 1]).all()


def test_a_latin_hypercube_has_one_configuration_in_every_stratum() -> None:
    drawn = configurations(policy(), 0)
    ends = np.array([v.documented for v in SYSTEMS["BallDrop"].variables])
    strata = np.floor((drawn - ends[:, 0]) / (ends[:, 1] - ends[:, 0]) * 64 - 1e-6)
    assert all(len(set(column)) >= 62 for column in strata.T)


def test_a_grid_has_every_combination_of_its_levels() -> None:
    fixed = {"distribution": "fixed", "value": 2.0}
    names = ("initial_height", "initial_velocity", "gravity", "drag_coeff")
    baseline = {"method": "grid", "levels": 3, "variables": dict.fromkeys(names, fixed)}
    baseline["variables"]["initial_velocity"] = {"distribution": "fixed", "value": 0.0}
    drawn = configurations(policy(families=9, baseline=baseline), 0)
    pairs = {(row[0], row[1]) for row in drawn}
    assert pairs == {(e, m) for e in (0.15, 0.575, 1.0) for m in (0.5, 10.25, 20.0)}


@pytest.mark.parametrize("method", ["independent", "latin_hypercube", "sobol"])
def test_a_longer_pool_continues_a_shorter_one(method: str) -> None:
    few = policy(families=BLOCK, baseline={"method": method})
    many = policy(families=2 * BLOCK, baseline={"method": method})
    assert np.array_equal(configurations(few, 0), configurations(many, 0))
    assert not np.array_equal(configurations(many, 0), configurations(many, 1))


def test_half_of_the_draws_lie_on_either_side_of_the_median() -> None:
    spread = {"distribution": "loguniform", "low": 0.5, "median": 3.2, "high": 19.4}
    drawn = configurations(policy(baseline={"variables": {"mass": spread}}), 0)[:, 1]
    assert ((drawn > 3.2).sum(), drawn.min() >= 0.5, drawn.max() <= 19.4) == (32, True, True)


def test_drawn_numbers_are_short_decimals() -> None:
    values = np.random.default_rng(0).normal(size=500) * 10.0 ** np.arange(-5, 5).repeat(50)
    assert short(values).tolist() == [float(f"{value:.6g}") for value in values]
    assert short(np.array([0.0, -0.0])).tolist() == [0.0, 0.0]


VALUES: list[dict[str, Any]] = [
    {"method": "conditional_uniform"},
    {"method": "conditional_uniform", "min_abs_multiplier": 2.0, "min_srd_multiplier": 2.0},
    {"method": "fixed_delta", "delta": 2.5},
    {"method": "fixed_srd", "target_srd": 0.5},
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("interval", ["documented", "widened"])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_step_is_a_valid_recipe_on_its_side(
    system: str, interval: str, value: dict[str, Any]
) -> None:
    chosen = policy(system, intervention={"value": value}, baseline={"interval": interval})
    values = configurations(chosen, 0)
    made = steps(chosen, 0, values)
    made = made.where(ordered(SYSTEMS[system], values)[made.family] & np.isfinite(made.value))
    assert len(made) > 20
    for place in range(0, len(made), 3):
        recipe = as_recipe(chosen, values, made, place)
        validate(recipe)
        step = recipe.step
        assert step is not None
        old, new = recipe.values[step.parameter], step.value
        assert (new > old) == (made.direction[place] == 0)
        assert 0.2 - 1e-9 <= step.time / SYSTEMS[system].horizon_s <= 0.8 + 1e-9
        variable = SYSTEMS[system].variable(step.parameter)
        assert abs(new - old) >= variable.min_abs * value.get("min_abs_multiplier", 1.0)
        assert srd(old, new) >= variable.min_srd * value.get("min_srd_multiplier", 1.0) - 1e-9
        if "delta" in value:
            assert abs(new - old) == pytest.approx(2.5, rel=1e-4)
        if "target_srd" in value:
            assert srd(old, new) == pytest.approx(0.5, rel=1e-4)


def as_recipe(chosen: Policy, values: np.ndarray, made: Steps, place: int) -> Recipe:
    names = [variable.name for variable in chosen.simulated.variables]
    numbers = dict(zip(names, values[made.family[place]].tolist(), strict=True))
    time, value = float(made.time[place]), float(made.value[place])
    return Recipe(chosen.system, numbers, Step(names[made.parameter[place]], value, time))


def test_every_side_of_every_parameter_has_its_children_or_one_gap() -> None:
    chosen = policy(intervention={"children": 4})
    made = steps(chosen, 0, configurations(chosen, 0))
    keys = zip(made.family, made.parameter, made.direction, strict=True)
    sizes: dict[tuple[int, int, int], list[bool]] = {}
    for key, value in zip(keys, made.value, strict=True):
        sizes.setdefault(key, []).append(bool(np.isfinite(value)))
    assert len(sizes) == 64 * 4 * 2
    assert {tuple(found) for found in sizes.values()} == {(True,) * 4, (False,)}


@pytest.mark.parametrize(
    ("time", "fractions"),
    [
        ({"method": "fixed", "value": 0.5}, {0.5}),
        ({"method": "choice", "values": [0.25, 0.5, 0.75]}, {0.25, 0.5, 0.75}),
    ],
)
def test_times_can_be_fixed_or_chosen(time: dict[str, Any], fractions: set[float]) -> None:
    chosen = policy(intervention={"time": time})
    made = steps(chosen, 0, configurations(chosen, 0)).time / 10.0
    assert set(made[np.isfinite(made)].tolist()) == fractions


def test_parameters_and_directions_can_be_chosen_without_changing_the_others() -> None:
    every, one = policy(), policy(intervention={"parameters": ["mass"], "directions": ["decrease"]})
    values = configurations(every, 0)
    all_made, made = steps(every, 0, values), steps(one, 0, values)
    same = all_made.where((all_made.parameter == 1) & (all_made.direction == 1))
    assert np.array_equal(made.value, same.value, equal_nan=True)
    assert np.array_equal(made.time, same.time, equal_nan=True)
