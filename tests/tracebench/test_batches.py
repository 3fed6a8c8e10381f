"""Test batches and held-out samples: quotas, distinct configurations, no recipe twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.suites.tracebench.batches import Asked, Split, eligible, quota, split
from benchwright.suites.tracebench.manifest import counts
from benchwright.suites.tracebench.matching import Edge, colour, select
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.systems import SYSTEMS, System

BALL = SYSTEMS["BallDrop"]
CAUSES = ("restitution", "mass", "drag_coeff", "gravity")
VALUES = {v.name: v.interval[0] for v in BALL.variables}


def configuration(number: int, parameters: Iterable[str]) -> list[Recipe]:
    """A baseline and one step per named parameter; batches never look at the size of a step."""
    values = {**VALUES, "initial_height": 1 + number / 100}
    steps = [Step(name, 5.0, 4.0) for name in parameters]
    return [Recipe("BallDrop", values, step) for step in (None, *steps)]


def pool_of(count: int) -> list[Recipe]:
    """Configurations with a step on every parameter."""
    return [recipe for number in range(count) for recipe in configuration(number, CAUSES)]


def classes_of(recipes: Iterable[Recipe]) -> dict[str, list[str]]:
    """The labels that every configuration serves."""
    found = defaultdict(list)
    for recipe in recipes:
        found[recipe.configuration].append(recipe.label)
    return found


def parts(
    system: System, seeds: Iterable[int], heldout: int | Literal["rest"] = "rest", shots: int = 0
) -> Split:
    asked = Asked(tuple(seeds), 10, shots, heldout)
    return split(shipped(system.name), system.labels, asked, "k")


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
def test_no_heldout_configuration_is_in_a_batch(name: str, heldout: int | Literal["rest"]) -> None:
    made = parts(SYSTEMS[name], range(2), heldout)
    used = {recipe.configuration for batch in made.tests.values() for recipe in batch}
    assert made.heldout
    assert not used & {recipe.configuration for recipe in made.heldout}


def test_a_number_of_heldout_samples_is_counted_per_class() -> None:
    made = parts(BALL, [0], 5)
    assert Counter(recipe.label for recipe in made.heldout) == dict.fromkeys(BALL.labels, 5)


def test_the_order_in_which_recipes_are_listed_changes_nothing() -> None:
    recipes = shipped("BallDrop")
    one = split(recipes, BALL.labels, Asked((0, 1), 10, 0, "rest"), "k")
    two = split(recipes[::-1], BALL.labels, Asked((1, 0), 10, 0, "rest"), "k")
    assert one == two


def test_another_pool_seed_draws_other_batches() -> None:
    made = [
        split(shipped("BallDrop"), BALL.labels, Asked((0,), 10, 0, 0), key).tests
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
    pool = pool_of(9)
    with pytest.raises(
        SpecError, match=r"for test samples; .*'2 of it and 10 in all wanted, 9 of 9 conf"
    ):
        split(pool, BALL.labels, Asked((0,), 10, 0, 0), "k")


def test_ten_configurations_with_every_cause_suffice_for_several_seeds() -> None:
    for seeds in ((0,), (0, 1), (0, 1, 2, 3, 4)):
        tests = split(pool_of(10), BALL.labels, Asked(seeds, 10, 0, 0), "k").tests
        assert all(len({r.configuration for r in batch}) == 10 for batch in tests.values())


def test_too_many_heldout_samples_are_refused_with_numbers() -> None:
    with pytest.raises(SpecError, match=r"for held-out.*'142 of it .*, \d+ of \d+ "):
        parts(BALL, [0], 142)


def test_examples_without_room_for_them_are_refused() -> None:
    with pytest.raises(SpecError, match=r"too few configurations for examples"):
        parts(BALL, [0], 0, shots=3)


asked_for = st.builds(
    Asked,
    st.lists(st.integers(0, 9), min_size=1, max_size=5, unique=True).map(tuple),
    st.integers(5, 12),
    st.integers(0, 4),
    st.integers(0, 6),
)


@settings(max_examples=60, deadline=None)
@given(asked_for, st.text(max_size=3))
def test_a_split_of_complete_configurations_keeps_every_promise(asked: Asked, key: str) -> None:
    pool = pool_of(asked.complete(BALL.labels))
    made = split(pool, BALL.labels, asked, key)
    share, shots = quota(BALL.labels, asked.samples), asked.shots
    for seed in asked.seeds:
        test, support = made.tests[seed], made.support[seed]
        assert Counter(r.label for r in test) == share
        assert Counter(r.label for r in support) == Counter(dict.fromkeys(BALL.labels, shots))
        assert len({r.configuration for r in (*test, *support)}) == len(test) + len(support)
        for fewer in range(shots + 1):
            assert all(r in support for r in made.examples(seed, fewer))
            assert len(made.examples(seed, fewer)) == fewer * len(BALL.labels)
    whole = [[r for b in part.values() for r in b] for part in (made.tests, made.support)]
    kinds = [*whole, list(made.heldout)]
    used = [{r.configuration for r in recipes} for recipes in kinds]
    assert len(set().union(*used)) == sum(len(names) for names in used)
    for recipes, least in zip(kinds, (*[min(2, len(asked.seeds))] * 2, 5), strict=True):
        served = classes_of(recipes)
        assert all(len(labels) == len(set(labels)) >= least for labels in served.values())
    assert len(made.heldout) == asked.heldout * 5


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sets(st.sampled_from(CAUSES)), min_size=10, max_size=40),
    st.integers(1, 4),
    st.integers(0, 2),
    st.integers(0, 3),
)
def test_a_split_of_any_pool_is_sound_or_refused(
    causes: list[set[str]], seeds: int, shots: int, heldout: int
) -> None:
    pool = [r for number, names in enumerate(causes) for r in configuration(number, sorted(names))]
    asked = Asked(tuple(range(seeds)), 10, shots, heldout)
    try:
        made = split(pool, BALL.labels, asked, "k")
    except SpecError:
        return
    two_causes = {r.configuration for r in eligible(pool)}
    kinds = [[r for b in part.values() for r in b] for part in (made.tests, made.support)]
    kinds.append(list(made.heldout))
    used = [{r.configuration for r in recipes} for recipes in kinds]
    assert set().union(*used) <= two_causes
    assert len(set().union(*used)) == sum(len(names) for names in used)
    for seed in asked.seeds:
        episode = (*made.tests[seed], *made.support[seed])
        assert len({r.configuration for r in episode}) == 10 + 5 * shots
    for recipes, count in zip(kinds, (2 * seeds, shots * seeds, heldout), strict=True):
        assert Counter(r.label for r in recipes) == Counter(dict.fromkeys(BALL.labels, count))
        assert all(len(v) == len(set(v)) for v in classes_of(recipes).values())


def test_a_manifest_counts_configurations_per_class_and_those_of_one_class() -> None:
    first, second = (configuration(number, ["mass", "gravity"]) for number in (1, 2))
    assert counts([*first, second[1]]) == {
        "samples": {"gravity acceleration": 1, "mass": 2, "no parameter change": 1},
        "configurations": {"gravity acceleration": 1, "mass": 2, "no parameter change": 1},
        "distinct_configurations": 2,
        "configurations_of_one_class": 1,
    }


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
