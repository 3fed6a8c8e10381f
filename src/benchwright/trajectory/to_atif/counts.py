"""Token counts of answers, turns and runs, kept in the store until steps and totals are written."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchwright.trajectory.digests import Digests, keyed
from benchwright.trajectory.events import Usage
from benchwright.trajectory.to_atif.spool import Store

SCOPES = ("run", "turn", "step")
"""The most trusted first."""


class Counted(NamedTuple):
    """What ATIF has a place for; tokens and nano-USD, None where not stated."""

    scope: str
    thread: str
    prompt: int | None
    cached: int | None
    completion: int | None
    cost_nano: int | None


@dataclass(slots=True)
class Sum:
    """A sum that is known where there is something to add and nothing of it is unknown."""

    _total: int | None = None
    _whole: bool = True

    def add(self, value: int | None) -> None:
        """Add one."""
        self._whole = self._whole and value is not None
        self._total = (self._total or 0) + (value or 0)

    @property
    def known(self) -> int | None:
        """The sum; None where it is not known."""
        return self._total if self._whole else None


class Counts:
    """The last counts of each answer, turn and run."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys, self._places = Digests(), array("Q")
        self.broken_off = False
        """Whether a run did not come to its total, so that sums are a lower bound."""

    def keep(self, usage: Usage) -> None:
        """Counts; they replace those of the same scope, thread and key."""
        self.broken_off = self.broken_off or (usage.scope == "run" and usage.partial)
        number = self._keys.number(keyed(usage.scope, usage.thread, usage.key))
        place = self._store.put(
            Counted(
                usage.scope, usage.thread, usage.prompt, usage.cached, usage.completion,
                usage.cost_nano,
            )
        )  # fmt: skip
        if number == len(self._places):
            self._places.append(place)
        else:
            self._places[number] = place

    def of(self, thread: str, key: str) -> Counted | None:
        """The counts of an answer."""
        number = self._keys.find(keyed("step", thread, key))
        return None if number is None else self._get(self._places[number])

    def _get(self, place: int) -> Counted:
        return Counted(*self._store.get(place))

    def sums(self) -> Sequence[dict[str, Sum]]:
        """For each of `SCOPES` the sums of the main agent, by the fields of `Counted`."""
        found = {scope: {part: Sum() for part in Counted._fields[2:]} for scope in SCOPES}
        for one in map(self._get, self._places):
            if one.thread:
                continue
            tokens = {part: getattr(one, part) for part in ("prompt", "cached", "completion")}
            states = any(count is not None for count in tokens.values())
            if states:
                for part, count in tokens.items():
                    found[one.scope][part].add(count)
            if states or one.cost_nano is not None:
                found[one.scope]["cost_nano"].add(one.cost_nano)
        return list(found.values())
