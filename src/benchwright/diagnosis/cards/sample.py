"""A stratified sample: equal shares of every (agent, suite, kind), drawn by digest, not by order.

The same episodes and seed give the same sample on every machine, in whatever order they come, and
an episode's place in its stratum does not depend on what else is there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor

from benchwright.errors import SpecError

SAMPLE_FORMAT = "benchwright.card-sample/1"


@dataclass(frozen=True, slots=True)
class Item:
    """An episode that can be drawn."""

    id: str
    agent: str
    suite: str
    kind: str

    @property
    def stratum(self) -> tuple[str, str, str]:
        """What it is drawn among."""
        return (self.agent, self.suite, self.kind)


@dataclass(frozen=True, slots=True)
class Stratum:
    """How many there were, and how many were drawn."""

    agent: str
    suite: str
    kind: str
    episodes: int
    included: int
    chance: float
    """Of each of its episodes to be drawn, before the seed was: its share over its episodes. What a
    weighted estimate needs; where fewer were asked for than there are strata, some have none."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was asked for, what was drawn."""

    seed: int
    asked: int | None
    """None: all of them."""
    strata: tuple[Stratum, ...]
    chosen: tuple[str, ...]
    """Ids in the order of their card numbers, which says nothing about the strata."""


def draw(items: Iterable[Item], asked: int | None, seed: int) -> Sample:
    """`asked` of `items` in equal shares of the strata, at most all of them.

    A stratum that is smaller than its share gives all it has, and the others share the rest. What
    does not divide goes one each to the largest remainders, ties by digest.

    Raises:
        SpecError: less than one asked for, no item, or an id twice.
    """
    own = sorted(items, key=lambda item: item.id)
    _check(own, asked)
    strata: dict[tuple[str, str, str], list[Item]] = {}
    for item in own:
        strata.setdefault(item.stratum, []).append(item)
    sizes = {name: len(found) for name, found in sorted(strata.items())}
    number = len(own) if asked is None else asked
    counts, exact = allocate(sizes, number, seed), shares(sizes, number)
    chosen = [
        item.id
        for name, found in strata.items()
        for item in sorted(found, key=lambda item: rank(seed, "draw", item.id))[: counts[name]]
    ]
    return Sample(
        seed,
        asked,
        tuple(Stratum(*name, n, counts[name], float(exact[name] / n)) for name, n in sizes.items()),
        tuple(sorted(chosen, key=lambda one: rank(seed, "card", one))),
    )


def allocate(
    sizes: Mapping[tuple[str, str, str], int], asked: int, seed: int
) -> dict[tuple[str, str, str], int]:
    """How many of each stratum: equal shares, none over its size, `asked` in all if there are."""
    exact = shares(sizes, asked)
    counts = {name: floor(share) for name, share in exact.items()}
    rest = min(asked, sum(sizes.values())) - sum(counts.values())
    remainders = sorted(
        (name for name in exact if exact[name] > counts[name]),
        key=lambda name: (counts[name] - exact[name], rank(seed, "stratum", *name)),
    )
    return {name: counts[name] + (name in remainders[:rest]) for name in counts}


def shares(
    sizes: Mapping[tuple[str, str, str], int], asked: int
) -> dict[tuple[str, str, str], Fraction]:
    """The exact share of each stratum: all that are not taken whole have the same."""
    found: dict[tuple[str, str, str], Fraction] = {}
    left = Fraction(asked)
    for place, name in enumerate(sorted(sizes, key=lambda name: (sizes[name], name))):
        found[name] = min(left / (len(sizes) - place), Fraction(sizes[name]))
        left -= found[name]
    return {name: found[name] for name in sizes}


def rank(seed: int, *words: str) -> bytes:
    """A fair place in a row: the same for the same seed and words, unrelated for others."""
    return hashlib.sha256("\0".join((str(seed), *words)).encode()).digest()


def _check(items: list[Item], asked: int | None) -> None:
    if asked is not None and asked < 1:
        raise SpecError(
            "sample is empty", value=asked, where="--sample", hint="Ask for one or more."
        )
    if not items:
        raise SpecError(
            "nothing to draw from",
            value=0,
            where="closed episodes",
            hint="Run the episodes first; only closed ones become cards.",
        )
    ids = [item.id for item in items]
    for one, next_one in pairwise(ids):
        if one == next_one:
            raise SpecError(
                "episode is in two of the runs",
                value=one,
                where="RUN...",
                hint="Make cards of each run apart.",
            )
