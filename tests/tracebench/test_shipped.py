from __future__ import annotations

from collections import Counter

import pytest

from benchwright.errors import SpecError
from benchwright.suites.tracebench.probes import ratio_tests, refusals
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.recipes import validate
from benchwright.suites.tracebench.shipped import ShippedRow, shipped, shipped_rows
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import SYSTEMS

EACH = pytest.mark.parametrize("system", sorted(SYSTEMS))


@EACH
def test_the_list_is_rich_enough(system: str) -> None:
    recipes = shipped(system)
    labels = Counter(recipe.label for recipe in recipes)
    assert len(recipes) == len({recipe.digest for recipe in recipes}) >= 100
    assert len({recipe.configuration for recipe in recipes}) >= 20
    assert set(labels) == set(SYSTEMS[system].labels)
    assert min(labels.values()) >= 6


@EACH
def test_every_shipped_recipe_is_valid_and_starts_from_a_published_configuration(
    system: str,
) -> None:
    known = {recipe.digest for recipe in published(system)}
    for recipe in shipped(system):
        validate(recipe)
        assert recipe.configuration in known


@EACH
def test_every_configuration_has_two_causes_and_one_unchanged_run(system: str) -> None:
    rows = shipped_rows(system)
    unchanged = Counter(row.recipe.configuration for row in rows if row.recipe.step is None)
    assert set(unchanged.values()) == {1}
    for row in rows:
        assert len(set(row.solvable_parameters)) >= 2
        assert row.recipe.configuration in unchanged


@EACH
def test_stored_verdicts_pass(system: str) -> None:
    for row in shipped_rows(system):
        assert (row.verdict is None) == (row.recipe.step is None)
        assert row.verdict is None or row.verdict.solvable


@EACH
def test_no_shipped_step_is_refused_under_either_dynamics(system: str) -> None:
    recipes = shipped(system)
    stepped = [recipe for recipe in recipes if recipe.step is not None]
    for dynamics in ("exact", "released"):
        assert set(refusals(stepped, dynamics=dynamics)) == {Reason.KEPT}


@EACH
def test_all_stored_verdicts_are_computed_again(system: str) -> None:
    compute_again(shipped_rows(system))


def compute_again(rows: tuple[ShippedRow, ...]) -> None:
    stepped = [row for row in rows if row.verdict is not None]
    assert stepped
    again = ratio_tests([row.recipe for row in stepped], dynamics="exact")
    for row, verdict in zip(stepped, again, strict=True):
        assert row.verdict is not None
        assert verdict.solvable
        assert verdict.digest == row.verdict.digest
        assert verdict.no_change == pytest.approx(row.verdict.no_change, rel=1e-4)
        assert verdict.static == pytest.approx(row.verdict.static, rel=1e-4)


def test_an_unknown_system_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SpecError, match="BallDrop"):
        shipped("BalDrop")
