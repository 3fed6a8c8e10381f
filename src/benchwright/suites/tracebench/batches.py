"""Which recipes become test samples of which seed, and which are held out (paper 3.3, C.1).

Takes the recipes of one system; gives one batch per seed with balanced classes and pairwise
distinct configurations, no recipe in two seeds, and held-out recipes whose configurations are in no
batch. A configuration contributes only if steps of at least two different parameters of it are in
the pool (coverage T15); its run without a step is in the pool by itself. Simulates nothing.

Finding batches is exact: a degree-constrained subgraph of (class, configuration) by augmenting
paths, then König's edge colouring splits it into seeds. If no batches are found, there are none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.canonical import digest
from benchwright.errors import SpecError
from benchwright.suites.tracebench.matching import Edge, colour, select
from benchwright.suites.tracebench.recipes import Recipe

LEAST_CAUSES = 2


@dataclass(frozen=True, slots=True)
class Split:
    """The samples of one system in one task set."""

    tests: Mapping[int, tuple[Recipe, ...]]
    """By seed; every batch has `samples` recipes of pairwise distinct configurations."""
    heldout: tuple[Recipe, ...]


def quota(labels: Sequence[str], samples: int) -> dict[str, int]:
    """Samples per class: equal shares, the remainder to the first labels (facts 6.4)."""
    share, rest = divmod(samples, len(labels))
    return {label: share + (index < rest) for index, label in enumerate(labels)}


def eligible(recipes: Sequence[Recipe]) -> tuple[Recipe, ...]:
    """The pool: configurations with at least two different causes, each with its unchanged run."""
    causes: dict[str, set[str]] = defaultdict(set)
    for recipe in recipes:
        if recipe.step is not None:
            causes[recipe.configuration].add(recipe.step.parameter)
    kept = [recipe for recipe in recipes if len(causes[recipe.configuration]) >= LEAST_CAUSES]
    pool = {recipe.digest: recipe for recipe in kept}
    pool.update({r.digest: r for r in (recipe.baseline() for recipe in kept)})
    return tuple(pool[key] for key in sorted(pool))


def split(
    recipes: Sequence[Recipe],
    labels: Sequence[str],
    *,
    seeds: Sequence[int],
    samples: int,
    heldout: int | Literal["rest"],
    key: str,
) -> Split:
    """Divide the recipes of one system; the same recipes and `key` always give the same split.

    Raises:
        SpecError: the pool cannot give these batches or that many held-out samples per class.
    """
    pool = sorted(eligible(recipes), key=lambda recipe: digest([key, recipe.digest]))
    kept = () if heldout == "rest" else _reserve(pool, labels, heldout)
    reserved = {recipe.configuration for recipe in kept}
    free = [recipe for recipe in pool if recipe.configuration not in reserved]
    tests = _batches(free, labels, sorted(seeds), samples)
    if heldout == "rest":
        used = {recipe.configuration for batch in tests.values() for recipe in batch}
        kept = tuple(recipe for recipe in pool if recipe.configuration not in used)
        _check_rest(kept, len(used))
    return Split(tests, tuple(sorted(kept, key=lambda recipe: recipe.digest)))


def _batches(
    pool: Sequence[Recipe], labels: Sequence[str], seeds: Sequence[int], samples: int
) -> dict[int, tuple[Recipe, ...]]:
    share = quota(labels, samples)
    edges = [Edge(recipe.label, recipe.configuration, i) for i, recipe in enumerate(pool)]
    demand = {label: count * len(seeds) for label, count in share.items()}
    chosen = select(edges, demand, most=len(seeds))
    for label, wanted in demand.items():
        found = sum(edge.left == label for edge in chosen)
        if found < wanted:
            raise _too_few(pool, label, wanted, found, len(seeds))
    parts = colour(chosen, share, colours=len(seeds))
    batches = ((pool[edge.item] for edge in part) for part in parts)
    return {
        seed: tuple(sorted(batch, key=lambda recipe: recipe.digest))
        for seed, batch in zip(seeds, batches, strict=True)
    }


def _reserve(pool: Sequence[Recipe], labels: Sequence[str], count: int) -> tuple[Recipe, ...]:
    """`count` recipes per class from whole configurations, taken while a class is still short."""
    short = dict.fromkeys(labels, count)
    by_configuration: dict[str, list[Recipe]] = defaultdict(list)
    for recipe in pool:
        by_configuration[recipe.configuration].append(recipe)
    kept: list[Recipe] = []
    for members in by_configuration.values():
        for recipe in members:
            if short[recipe.label] > 0:
                short[recipe.label] -= 1
                kept.append(recipe)
    label = max(short, key=lambda name: short[name])
    if short[label] > 0:
        raise SpecError(
            f"held-out samples of '{label}' are too few",
            value=f"{count} wanted, {count - short[label]} in the pool",
            where="heldout",
            hint='Ask for fewer, for "rest", or add recipes.',
        )
    return tuple(kept)


def _check_rest(kept: Sequence[Recipe], used: int) -> None:
    if not kept:
        raise SpecError(
            "no configuration is left for held-out samples",
            value=f"all {used} are in test batches",
            where="heldout",
            hint="Set heldout = 0, use fewer seeds, or add recipes of other configurations.",
        )


def _too_few(pool: Sequence[Recipe], label: str, wanted: int, found: int, seeds: int) -> SpecError:
    of_label = [recipe for recipe in pool if recipe.label == label]
    configurations = len({recipe.configuration for recipe in pool})
    return SpecError(
        f"balanced batches from distinct configurations do not exist: '{label}' is short",
        value=f"{wanted} wanted, {found} placed",
        where=f"seeds, {seeds} of them",
        hint=f"The free pool has {len(of_label)} recipes of it and {configurations} configurations "
        "with two or more causes: use fewer seeds or held-out samples, or add recipes.",
    )
