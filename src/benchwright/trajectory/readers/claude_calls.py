"""Which calls of a Claude log there are, which wait for a result, and what was seen before.

Takes the ids that records carry; gives ids that are unique in the log. Memory holds one number for
each block of the log, and the ids of calls that wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.notes import Notes


class Seen:
    """A set of identities, each kept as one number."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def add(self, *identity: Hashable) -> bool:
        """Remember an identity; whether it is new."""
        number = hash(identity)
        if number in self._hashes:
            return False
        self._hashes.add(number)
        return True

    def __contains__(self, identity: tuple[Hashable, ...]) -> bool:
        return hash(identity) in self._hashes


class Calls:
    """Pairs calls with results, in whatever order they come.

    A scope is a part of the log in which one id stands for one call: 1 for the first run, 2 for
    the second. Where the same id comes again with another answer of the model (some back ends
    number their calls anew each time), it is another call and gets a name of its own.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._seen = Seen()
        self._names = Seen()
        self._uses: dict[str, int] = {}
        """Name without its number: how often it was given, where more than once."""
        self._open: dict[str, tuple[str, Anchor]] = {}
        self._early: dict[str, Anchor] = {}
        self._nameless: deque[tuple[str, Anchor]] = deque()

    def call(self, scope: int, native: str | None, key: str | None, anchor: Anchor) -> str | None:
        """The name of a call; None for one that was there before."""
        if native is None:
            name = self._new(f"line {anchor.line}{anchor.pointer}")
            self._nameless.append((name, anchor))
            return name
        base = _scoped(scope, native)
        if not self._seen.add(base, key):
            return None
        if base in self._early:
            del self._early[base]
            return base
        if base in self._open:
            self._notes.add("unanswered", self._open[base][1], self._open[base][0])
        name = self._new(base)
        self._open[base] = (name, anchor)
        return name

    def result(self, scope: int, native: str | None, anchor: Anchor) -> str | None:
        """The name of the call that a result answers; None where it has one already."""
        if native is None:
            return self._nameless_result(anchor)
        base = _scoped(scope, native)
        waiting = self._open.pop(base, None)
        if waiting is not None:
            return waiting[0]
        if (base,) in self._names:
            return None
        self._early[base] = anchor
        return self._new(base)

    def name_of(self, scope: int, native: str) -> str:
        """The name that a call with this id has, or would have: of several the latest."""
        base = _scoped(scope, native)
        uses = self._uses.get(base, 1)
        return base if uses == 1 else f"{base}#{uses}"

    def end(self) -> None:
        """Count calls that were never answered and results that nobody asked for."""
        for name, anchor in (*self._open.values(), *self._nameless):
            self._notes.add("unanswered", anchor, name)
        for name, anchor in self._early.items():
            self._notes.add("orphan", anchor, name)

    def _nameless_result(self, anchor: Anchor) -> str:
        if self._nameless:
            return self._nameless.popleft()[0]
        self._notes.add("orphan", anchor)
        return self._new(f"line {anchor.line}{anchor.pointer}")

    def _new(self, base: str) -> str:
        name = base
        while not self._names.add(name):
            self._uses[base] = self._uses.get(base, 1) + 1
            name = f"{base}#{self._uses[base]}"
        return name


def _scoped(scope: int, native: str) -> str:
    return native if scope == 1 else f"{native}@{scope}"
