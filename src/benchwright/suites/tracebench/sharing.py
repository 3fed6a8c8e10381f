"""Which configuration serves which classes, so that it tells nothing about the class of a sample.

Takes, per configuration, the labels that it could serve, and how many samples each label needs;
gives labels per configuration. A configuration serves every label at most once. Sought is a choice
in which it serves two labels or more; the caller says the most. Knows no recipe.

What is guaranteed, with D(l) samples needed of label l and T of all: where enough configurations
are given that could serve any label (`enough`) and no D(l) exceeds T/2, every configuration of the
choice serves at least two labels. Otherwise such a choice is sought by a bounded number of seeded
attempts, and if none is found, any choice is taken, which is then exact: it exists or None.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from benchwright.canonical import digest
from benchwright.suites.tracebench.matching import Edge, select

LEAST: Final = 2
_ATTEMPTS: Final = 40

Options = Mapping[str, Sequence[str]]
"""Configuration to the labels that it could serve, both in order of preference."""
Choice = dict[str, list[str]]


def enough(demand: Mapping[str, int], most: int) -> int:
    """How many configurations suffice if each could serve any label, at most `most` of them."""
    total = sum(demand.values())
    return total if most < LEAST else max(-(-total // LEAST), *demand.values())


def share_out(options: Options, demand: Mapping[str, int], *, most: int) -> Choice | None:
    """Labels per configuration that meet `demand`, at most `most` for each; None if none exist."""
    ordered = dict(sorted(options.items(), key=lambda item: -len(item[1])))
    if most >= LEAST:
        for attempt in range(_ATTEMPTS):
            for depth in range(LEAST, min(most, len(demand)) + 1):
                found = _attempt(_turned(ordered, attempt), demand, depth, most)
                if found is not None:
                    return found
    return _any(ordered, demand, most)


def whole(options: Options, count: int) -> Choice | None:
    """`count` configurations for every label: complete ones with all labels as far as they go."""
    labels = sorted({label for given in options.values() for label in given})
    demand = dict.fromkeys(labels, count)
    ordered = dict(sorted(options.items(), key=lambda item: -len(item[1])))
    for attempt in range(_ATTEMPTS):
        found = _attempt(_turned(ordered, attempt), demand, len(labels), len(labels))
        if found is not None:
            return found
    return _any(ordered, demand, len(labels))


def _turned(options: Options, attempt: int) -> Options:
    """Configurations with equally many labels in another order for every attempt but the first."""
    if attempt == 0:
        return options
    order = sorted(options, key=lambda name: (-len(options[name]), digest([attempt, name])))
    return {name: options[name] for name in order}


def _attempt(options: Options, demand: Mapping[str, int], depth: int, most: int) -> Choice | None:
    """Every configuration takes the `depth` labels that are shortest; None when some stay owed."""
    owed = dict(demand)
    supply = _count(label for labels in options.values() for label in labels)
    taken: Choice = {}
    for name, labels in options.items():
        open_labels = [label for label in labels if owed[label] > 0]
        wanted = sorted(open_labels, key=lambda label: -owed[label] / supply[label])[:depth]
        for label in labels:
            supply[label] -= 1
        if len(wanted) < LEAST:
            continue
        taken[name] = wanted
        for label in wanted:
            owed[label] -= 1
    return taken if _fill(options, owed, taken, most) else None


def _fill(options: Options, owed: dict[str, int], taken: Choice, most: int) -> bool:
    """Give what is still owed to configurations that serve other labels already."""
    for name, served in taken.items():
        for label in options[name]:
            if owed[label] > 0 and label not in served and len(served) < most:
                served.append(label)
                owed[label] -= 1
    return not any(owed.values())


def _any(options: Options, demand: Mapping[str, int], most: int) -> Choice | None:
    pairs = [(label, name) for name, labels in options.items() for label in labels]
    edges = [Edge(label, name, number) for number, (label, name) in enumerate(pairs)]
    chosen = select(edges, demand, most=most)
    if len(chosen) < sum(demand.values()):
        return None
    taken: Choice = defaultdict(list)
    for edge in chosen:
        taken[edge.right].append(edge.left)
    return dict(taken)


def _count(labels: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for label in labels:
        found[label] += 1
    return found
