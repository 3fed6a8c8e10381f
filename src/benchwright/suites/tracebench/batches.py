"""Which recipes become test, support and held-out samples of one system (paper 3.3, C.1).

Takes the recipes of one system; gives per seed a test batch with balanced classes and a support
batch with equally many samples per class, and the held-out samples. Simulates nothing.

Guaranteed, whatever the recipes (else there is a SpecError):
- a configuration contributes only if steps of at least two different parameters of it are given
  (coverage T15); its run without a step is given by itself;
- a configuration serves one split only: test, support or held-out. Within a split it serves a
  class at most once, and a seed at most once. So the samples of one episode come from pairwise
  distinct configurations, no recipe is used twice, and classes of a configuration count equally;
- the support batch for fewer examples is the beginning of each class in the one for more.

Guaranteed where there are enough configurations that could serve any class (see `sharing`), as
there are when a policy draws them (coverage T44):
- every configuration of the test and of the support split serves two classes or more, in different
  seeds, if there is more than one seed. With one seed this cannot be: the class of a configuration
  is then drawn by the key of the set;
- every held-out configuration serves all classes.
Where there are not enough, as in the shipped lists, a split in which every configuration serves two
classes is sought; the manifest counts the configurations for which none was found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.canonical import digest
from benchwright.errors import SpecError
from benchwright.suites.tracebench.matching import Edge, colour
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.sharing import Choice, enough, share_out, whole

LEAST_CAUSES = 2

ByConfiguration = dict[str, dict[str, Recipe]]
"""Configuration to one recipe per label, both in the seeded order."""


@dataclass(frozen=True, slots=True)
class Split:
    """The samples of one system in one task set."""

    tests: Mapping[int, tuple[Recipe, ...]]
    """By seed; every batch has `samples` recipes of pairwise distinct configurations."""
    support: Mapping[int, tuple[Recipe, ...]]
    """By seed; equally many recipes per label, of configurations that are in no test batch."""
    heldout: tuple[Recipe, ...]

    def examples(self, seed: int, shots: int) -> tuple[Recipe, ...]:
        """The first `shots` support recipes of every label."""
        count: dict[str, int] = defaultdict(int)
        chosen = []
        for recipe in self.support[seed]:
            count[recipe.label] += 1
            if count[recipe.label] <= shots:
                chosen.append(recipe)
        return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Asked:
    """How many samples of which kind a split must have."""

    seeds: tuple[int, ...]
    samples: int
    """Per test batch."""
    shots: int
    """Per label and support batch."""
    heldout: int | Literal["rest"]
    """Per label."""

    def complete(self, labels: Sequence[str]) -> int:
        """How many configurations that could serve any label suffice; "rest" counts as none."""
        times = len(self.seeds)
        held = 0 if self.heldout == "rest" else self.heldout
        parts = (quota(labels, self.samples), dict.fromkeys(labels, self.shots))
        return held + sum(
            enough({label: count * times for label, count in part.items()}, times) for part in parts
        )


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


def split(recipes: Sequence[Recipe], labels: Sequence[str], asked: Asked, key: str) -> Split:
    """Divide the recipes of one system; the same recipes and `key` always give the same split.

    Raises:
        SpecError: the recipes cannot give these batches or that many held-out samples per class.
    """
    free = _free(recipes, key)
    kept = _heldout(free, labels, asked.heldout) if asked.heldout != "rest" else ()
    tests = _batches(free, quota(labels, asked.samples), asked.seeds, "test samples")
    shots = dict.fromkeys(labels, asked.shots)
    support = _batches(free, shots, asked.seeds, "examples")
    if asked.heldout == "rest":
        kept = _heldout(free, labels, "rest")
    return Split(tests, support, kept)


def _free(recipes: Sequence[Recipe], key: str) -> ByConfiguration:
    """The pool by configuration, with the one recipe per label that the key draws."""
    found: ByConfiguration = defaultdict(dict)
    for recipe in sorted(eligible(recipes), key=lambda recipe: digest([key, recipe.digest])):
        found[recipe.configuration].setdefault(recipe.label, recipe)
    return {name: found[name] for name in sorted(found, key=lambda name: digest([key, name]))}


def _batches(
    free: ByConfiguration, share: Mapping[str, int], seeds: Sequence[int], kind: str
) -> dict[int, tuple[Recipe, ...]]:
    """One batch per seed with `share` recipes of every label; takes what it uses from `free`."""
    seeds = sorted(seeds)
    if not any(share.values()):
        return {seed: () for seed in seeds}
    demand = {label: count * len(seeds) for label, count in share.items()}
    if any(demand[label] > sum(label in found for found in free.values()) for label in demand):
        raise _too_few(free, share, len(seeds), kind)
    chosen = share_out(_options(free), demand, most=len(seeds))
    if chosen is None:
        raise _too_few(free, share, len(seeds), kind)
    pairs = [(label, name) for name, labels in chosen.items() for label in labels]
    pairs.sort(key=lambda pair: free[pair[1]][pair[0]].digest)
    edges = [Edge(label, name, number) for number, (label, name) in enumerate(pairs)]
    parts = colour(edges, share, colours=len(seeds))
    made = {
        seed: tuple(free[edge.right][edge.left] for edge in sorted(part, key=lambda e: e.item))
        for seed, part in zip(seeds, parts, strict=True)
    }
    _take(free, chosen)
    return made


def _heldout(
    free: ByConfiguration, labels: Sequence[str], count: int | Literal["rest"]
) -> tuple[Recipe, ...]:
    if count == 0:
        return ()
    chosen = _options(free) if count == "rest" else whole(_options(free), count)
    if not chosen or (count != "rest" and {n for ls in chosen.values() for n in ls} != set(labels)):
        raise _too_few(
            free, dict.fromkeys(labels, 1 if count == "rest" else count), 1, "held-out samples"
        )
    kept = [free[name][label] for name, served in chosen.items() for label in served]
    _take(free, chosen)
    return tuple(sorted(kept, key=lambda recipe: recipe.digest))


def _options(free: ByConfiguration) -> Choice:
    return {name: list(by_label) for name, by_label in free.items()}


def _take(free: ByConfiguration, chosen: Choice) -> None:
    for name in chosen:
        del free[name]


def _too_few(free: ByConfiguration, share: Mapping[str, int], seeds: int, kind: str) -> SpecError:
    found = {label: sum(label in by_label for by_label in free.values()) for label in share}
    label = min(share, key=lambda name: found[name] - share[name] * seeds)
    wanted = f"{share[label] * seeds} of it and {sum(share.values()) * seeds} in all wanted"
    return SpecError(
        f"too few configurations for {kind}; shortest is '{label}'",
        value=f"{wanted}, {found[label]} of {len(free)} configurations left have it",
        where=f"samples, shots, heldout, {seeds} seeds",
        hint="Ask for fewer, use fewer seeds, add recipes, or draw them by a policy.",
    )
