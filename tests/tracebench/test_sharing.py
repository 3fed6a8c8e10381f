"""Which configuration serves which classes: two or more, each once, whenever there are enough."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.tracebench.sharing import enough, share_out, whole

Demand = dict[str, int]


@st.composite
def demands(draw: st.DrawFn) -> tuple[Demand, int]:
    """Balanced demand of up to seven labels, and how often a configuration may serve."""
    labels = "abcdefg"[: draw(st.integers(2, 7))]
    seeds = draw(st.integers(1, 6))
    share, more = draw(st.integers(1, 4)), draw(st.integers(0, len(labels) - 1))
    if len(labels) < 4:
        more = 0
    return {label: (share + (i < more)) * seeds for i, label in enumerate(labels)}, seeds


def complete(demand: Demand, count: int, random: Any) -> dict[str, list[str]]:
    """Configurations that could serve every label, each in an order of its own."""
    orders = st.permutations(sorted(demand))
    return {str(number): random.draw(orders) for number in range(count)}


def served(choice: dict[str, list[str]]) -> Counter[str]:
    return Counter(label for labels in choice.values() for label in labels)


@given(demands(), st.integers(0, 3), st.data())
def test_enough_complete_configurations_serve_two_classes_each_or_one_in_one_seed(
    case: tuple[Demand, int], spare: int, data: Any
) -> None:
    demand, most = case
    choice = share_out(complete(demand, enough(demand, most) + spare, data), demand, most=most)
    assert choice is not None and served(choice) == demand
    for labels in choice.values():
        assert len(set(labels)) == len(labels) <= most
        assert len(labels) >= min(2, most)


@given(demands(), st.data())
def test_a_choice_is_found_or_does_not_exist(case: tuple[Demand, int], data: Any) -> None:
    demand, most = case
    options = {
        str(number): sorted(data.draw(st.sets(st.sampled_from(sorted(demand)), min_size=1)))
        for number in range(data.draw(st.integers(1, 12)))
    }
    choice = share_out(options, demand, most=most)
    if choice is None:
        assert sum(demand.values()) > _most_served(options, demand, most)
        return
    assert served(choice) == demand
    for name, labels in choice.items():
        assert set(labels) <= set(options[name]) and len(set(labels)) == len(labels) <= most


def _most_served(options: dict[str, list[str]], demand: Demand, most: int) -> int:
    """The greatest flow from labels to configurations: least cut over all sets of labels."""
    labels = sorted(demand)
    cuts = []
    for number in range(2 ** len(labels)):
        kept = {label for i, label in enumerate(labels) if number >> i & 1}
        through = sum(min(most, len(kept & set(given))) for given in options.values())
        cuts.append(through + sum(demand[label] for label in labels if label not in kept))
    return min(cuts)


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 3), st.data())
def test_heldout_configurations_serve_every_class_if_enough_could(
    size: int, count: int, partial: int, data: Any
) -> None:
    labels = "abcdef"[:size]
    options = complete(dict.fromkeys(labels, 1), count, data)
    options |= {f"partial {number}": [labels[0]] for number in range(partial)}
    choice = whole(options, count)
    assert choice is not None
    if size > 1:
        assert set(choice) == {str(number) for number in range(count)}
    assert served(choice) == dict.fromkeys(labels, count)


def test_partial_configurations_are_paired_too() -> None:
    options = {"1": ["a", "b"], "2": ["b", "c"], "3": ["c", "a"], "4": ["a"], "5": ["b"]}
    choice = share_out(options, {"a": 2, "b": 2, "c": 2}, most=2)
    assert choice is not None and set(choice) == {"1", "2", "3"}


def test_where_no_pairing_exists_a_configuration_may_serve_one_class() -> None:
    choice = share_out({"1": ["a"], "2": ["b"]}, {"a": 1, "b": 1}, most=2)
    assert choice == {"1": ["a"], "2": ["b"]}
