"""Bipartite selection with quotas, and its division into equal parts.

An edge joins a class (left) and a configuration (right) and stands for one recipe. The order of the
edges decides between equally good solutions, so a seeded order gives a seeded choice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Edge:
    """One candidate; `item` tells candidates with equal ends apart."""

    left: str
    right: str
    item: int


def select(edges: Sequence[Edge], demand: Mapping[str, int], *, most: int) -> list[Edge]:
    """As many edges as possible, up to `demand` at each left end and `most` at each right end."""
    search = _Search(most, defaultdict(list))
    for edge in edges:
        search.edges[edge.left].append(edge)
    for left, count in demand.items():
        for _ in range(count):
            if not search.augment(left, set()):
                break
    place = {edge: number for number, edge in enumerate(edges)}
    return sorted(search.used, key=place.__getitem__)


@dataclass(slots=True)
class _Search:
    """Augmenting paths: a full right end gives one of its edges to another place of its class."""

    most: int
    edges: dict[str, list[Edge]]
    at: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))

    @property
    def used(self) -> list[Edge]:
        return [edge for edges in self.at.values() for edge in edges]

    def augment(self, left: str, seen: set[str]) -> bool:
        """Give `left` one more edge, moving others if need be; False when no way exists."""
        open_edges = [edge for edge in self.edges[left] if edge not in self.at[edge.right]]
        for edge in open_edges:
            if edge.right not in seen and len(self.at[edge.right]) < self.most:
                self.at[edge.right].append(edge)
                return True
        return any(self._displace(edge, seen) for edge in open_edges if edge.right not in seen)

    def _displace(self, edge: Edge, seen: set[str]) -> bool:
        if edge.right in seen:
            return False
        seen.add(edge.right)
        for other in list(self.at[edge.right]):
            if other.left != edge.left and self.augment(other.left, seen):
                self.at[edge.right].remove(other)
                self.at[edge.right].append(edge)
                return True
        return False


def colour(edges: Sequence[Edge], share: Mapping[str, int], *, colours: int) -> list[list[Edge]]:
    """Divide edges into `colours` parts: `share[left]` of every class, each right end at most once.

    Needs `share[left] * colours` edges at each left end and at most `colours` at each right end. A
    class is split into `share` slots with `colours` edges each; then both sides have degree at most
    `colours`, and König's theorem says that a proper colouring exists; swapping along an
    alternating path finds it.
    """
    count: dict[str, int] = defaultdict(int)
    table: dict[str, dict[int, tuple[str, str, Edge]]] = defaultdict(dict)
    for edge in edges:
        slot = f"left {edge.left} {count[edge.left] % share[edge.left]}"
        count[edge.left] += 1
        _insert(table, (slot, f"right {edge.right}", edge), colours)
    parts: list[list[Edge]] = [[] for _ in range(colours)]
    for node, taken in table.items():
        if node.startswith("left "):
            for number, (_, _, edge) in taken.items():
                parts[number].append(edge)
    return parts


def _insert(
    table: dict[str, dict[int, tuple[str, str, Edge]]], link: tuple[str, str, Edge], colours: int
) -> None:
    slot, right, _ = link
    first = next(c for c in range(colours) if c not in table[slot])
    second = next(c for c in range(colours) if c not in table[right])
    if first != second:
        _swap(table, right, first, second)
    table[slot][first] = link
    table[right][first] = link


def _swap(
    table: dict[str, dict[int, tuple[str, str, Edge]]], start: str, first: int, second: int
) -> None:
    """Exchange two colours along the path that leaves `start` by `first`, which frees it there."""
    path = []
    node, now = start, first
    while now in table[node]:
        link = table[node][now]
        path.append((link, now))
        node = link[0] if node == link[1] else link[1]
        now = second if now == first else first
    for link, old in path:
        for end in link[:2]:
            if table[end].get(old) is link:
                del table[end][old]
    for link, old in path:
        for end in link[:2]:
            table[end][second if old == first else first] = link
