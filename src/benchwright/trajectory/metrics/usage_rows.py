"""The last counts of each answer, turn and run, in columns: about 100 bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from typing import NamedTuple

from benchwright.trajectory.columns import Column
from benchwright.trajectory.digests import Digests, keyed
from benchwright.trajectory.events import Usage


class Counts(NamedTuple):
    """What a `Usage` counts, with the same names."""

    prompt: int | None
    cached: int | None
    completion: int | None
    reasoning: int | None
    cache_written: int | None
    cost_nano: int | None
    duration_ms: int | None
    api_duration_ms: int | None
    model: str | None
    partial: bool

    @property
    def states_tokens(self) -> bool:
        """Whether tokens are stated, not only a cost or a time."""
        return self.prompt is not None or self.completion is not None

    def filled(self, known: Counts) -> Counts:
        """These counts, with those of `known` where they say nothing; `partial` is their own."""
        parts = zip(self[:-1], known[:-1], strict=True)
        filled = [old if new is None else new for new, old in parts]
        return Counts._make([*filled, self.partial])


class Rows:
    """Counts by scope, agent and key; rows are numbered in the order of their first counts."""

    def __init__(self) -> None:
        self._keys = Digests()
        self._columns = [Column() for _ in Counts._fields[:-2]]
        self._models, self._names = array("I"), dict[str | None, int]()
        self._partial = bytearray()
        self._groups: dict[tuple[str, str], array[int]] = {}

    def __len__(self) -> int:
        return len(self._partial)

    def count(self, usage: Usage) -> None:
        """Counts; they replace those of the same scope, agent and key where they say something."""
        row = self._keys.number(keyed(usage.scope, usage.thread, usage.key))
        counts = Counts._make(getattr(usage, part) for part in Counts._fields)
        if row < len(self):
            self._set(row, counts.filled(self.row(row)))
            return
        for column, value in zip(self._columns, counts[:-2], strict=True):
            column.append(value)
        self._models.append(self._model(counts.model))
        self._partial.append(counts.partial)
        self._groups.setdefault((usage.scope, usage.thread), array("I")).append(row)

    def _set(self, row: int, counts: Counts) -> None:
        for column, value in zip(self._columns, counts[:-2], strict=True):
            column[row] = value
        self._models[row] = self._model(counts.model)
        self._partial[row] = counts.partial

    def _model(self, name: str | None) -> int:
        return self._names.setdefault(name, len(self._names))

    def row(self, row: int) -> Counts:
        """The counts of one row."""
        return self._made(row, list(self._names))

    def _made(self, row: int, names: list[str | None]) -> Counts:
        numbers = [column[row] for column in self._columns]
        return Counts._make([*numbers, names[self._models[row]], bool(self._partial[row])])

    def number(self, scope: str, threads: Collection[str] | None) -> int:
        """How many rows of a scope some agents have, or all."""
        return sum(len(rows) for rows in self._of(scope, threads))

    def of(self, scope: str, threads: Collection[str] | None, first: int = 0) -> Iterator[Counts]:
        """Counts of a scope of some agents, or of all, from row `first` on."""
        names = list(self._names)
        for rows in self._of(scope, threads):
            for row in rows:
                if row >= first:
                    yield self._made(row, names)

    def _of(self, scope: str, threads: Collection[str] | None) -> Iterator[array[int]]:
        for (known, thread), rows in self._groups.items():
            if known == scope and (threads is None or thread in threads):
                yield rows
