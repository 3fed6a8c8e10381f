"""Test batches and held-out samples: quotas, distinct configurations, no recipe twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.suites.tracebench.batches import Split, eligible, quota, split
from benchwright.suites.tracebench.matching import Edge, colour, select
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.systems import SYSTEMS, System

BALL = SYSTEMS["BallDrop"]
VALUES = {v.name: v.interval[0] for v in BALL.variables}


def configuration(number: int, parameters: Iterable[str]) -> list[Recipe]:
    """A baseline and one step per named parameter; batches never look at the size of a step."""
    values = {**VALUES, "initial_height": 1 + number / 100}
    steps = [Step(name, 5.0, 4.0) for name in parameters]
    return [Recipe("BallDrop", values, step) for step in (None, *steps)]


def parts(system: System, seeds: Iterable[int], heldout: object = "rest") -> Split:
    recipes = shipped(system.name)
    return split(recipes, system.labels, seeds=list(seeds), samples=10, heldout=heldout, key="k")  # type: ignore[arg-type]


def test_five_classes_get_two_samples_each() -> None:
    assert list(quota(BALL.labels, 10).values()) == [2, 2, 2, 2, 2]


def test_of_six_classes_the_first_four_get_two_samples_and_the_last_two_one() -> None:
    assert list(quota(SYSTEMS["BounceBall"].labels, 10).values()) == [2, 2, 2, 2, 1, 1]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seeds", [(0,), (0, 1), (3, 1, 2)])
def test_every_shipped_batch_is_balanced_and_of_distinct_configurations(
    name: str, seeds: tuple[int, ...]
) -> None:
    system = SYSTEMS[name]
    tests = parts(system, seeds).tests
    assert sorted(tests) == sorted(seeds)
    for batch in tests.values():
        assert Counter(recipe.label for recipe in batch) == quota(system.labels, 10)
        assert len({recipe.configuration for recipe in batch}) == 10


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_recipe_serves_two_seeds(name: str) -> None:
    batches = parts(SYSTEMS[name], range(3)).tests.values()
    assert len({recipe.digest for batch in batches for recipe in batch}) == 30


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("heldout", ["rest", 5])
def test_no_heldout_configuration_is_in_a_batch(name: str, heldout: object) -> None:
    made = parts(SYSTEMS[name], range(2), heldout)
    used = {recipe.configuration for batch in made.tests.values() for recipe in batch}
    assert made.heldout
    assert not used & {recipe.configuration for recipe in made.heldout}


def test_a_number_of_heldout_samples_is_counted_per_class() -> None:
    made = parts(BALL, [0], 5)
    assert Counter(recipe.label for recipe in made.heldout) == dict.fromkeys(BALL.labels, 5)


def test_the_order_in_which_recipes_are_listed_changes_nothing() -> None:
    recipes = shipped("BallDrop")
    one = split(recipes, BALL.labels, seeds=[0, 1], samples=10, heldout="rest", key="k")
    two = split(recipes[::-1], BALL.labels, seeds=[1, 0], samples=10, heldout="rest", key="k")
    assert one == two


def test_another_pool_seed_draws_other_batches() -> None:
    made = [
        split(shipped("BallDrop"), BALL.labels, seeds=[0], samples=10, heldout=0, key=key).tests
        for key in ("one", "two")
    ]
    assert made[0] != made[1]


def test_a_configuration_with_one_cause_contributes_no_sample_of_any_class() -> None:
    lonely = configuration(1, ["mass"])
    assert eligible(lonely) == ()
    assert len(eligible(configuration(2, ["mass", "gravity"]))) == 3


def test_the_unchanged_run_of_a_listed_configuration_needs_no_listing() -> None:
    steps = configuration(1, ["mass", "gravity"])[1:]
    labels = {recipe.label for recipe in eligible(steps)}
    assert labels == {"mass", "gravity acceleration", "no parameter change"}


def test_too_few_configurations_are_refused_with_numbers() -> None:
    names = ["restitution", "mass", "drag_coeff", "gravity"]
    pool = [r for number in range(9) for r in configuration(number, names)]
    with pytest.raises(SpecError, match=r"2 wanted, 1 placed.*9 configurations"):
        split(pool, BALL.labels, seeds=[0], samples=10, heldout=0, key="k")


def test_ten_configurations_with_every_cause_suffice_for_several_seeds() -> None:
    names = ["restitution", "mass", "drag_coeff", "gravity"]
    pool = [r for number in range(10) for r in configuration(number, names)]
    for seeds in ([0], [0, 1], [0, 1, 2, 3, 4]):
        tests = split(pool, BALL.labels, seeds=seeds, samples=10, heldout=0, key="k").tests
        assert all(len({r.configuration for r in batch}) == 10 for batch in tests.values())


def test_too_many_heldout_samples_are_refused_with_numbers() -> None:
    with pytest.raises(SpecError, match=r"142 wanted, \d+ in the pool"):
        parts(BALL, [0], 142)


@st.composite
def planted(draw: st.DrawFn) -> tuple[list[Edge], dict[str, int], int]:
    """Edges that hold a perfect division by construction, and others that may mislead."""
    parts_count = draw(st.integers(1, 4))
    share = {name: draw(st.integers(1, 3)) for name in "abc"[: draw(st.integers(1, 3))]}
    size = sum(share.values())
    rights = [str(number) for number in range(size + draw(st.integers(0, 3)))]
    edges = []
    for _ in range(parts_count):
        order = iter(draw(st.permutations(rights)))
        edges += [(left, next(order)) for left, count in share.items() for _ in range(count)]
    lefts = st.sampled_from(sorted(share))
    edges += draw(st.lists(st.tuples(lefts, st.sampled_from(rights)), max_size=10))
    mixed = draw(st.permutations(edges))
    return [Edge(left, right, n) for n, (left, right) in enumerate(mixed)], share, parts_count


@given(planted())
def test_parts_are_found_whenever_they_exist(case: tuple[list[Edge], dict[str, int], int]) -> None:
    edges, share, count = case
    chosen = select(edges, {left: n * count for left, n in share.items()}, most=count)
    made = colour(chosen, share, colours=count)
    assert sorted(edge.item for part in made for edge in part) == sorted(e.item for e in chosen)
    for part in made:
        assert Counter(edge.left for edge in part) == share
        assert max(Counter(edge.right for edge in part).values()) == 1
