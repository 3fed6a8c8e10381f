"""What is held out, and so which part a question belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from benchwright.suites.telemetry.audit.contract import Corpus, Family
from benchwright.suites.telemetry.audit.points import Point

Window = tuple[int, int]


class Holdout:
    """The held-out parts that families of the contract name."""

    def __init__(self, corpus: Corpus) -> None:
        named = {f.held_out for f in corpus.families} - {None}
        self.fields: dict[str, tuple[str, frozenset[str]]] = {}
        self.windows: dict[str, list[Window]] = {}
        for name in sorted(map(str, named)):
            table = corpus.rules["held_out"][name]
            if table.get("field"):
                self.fields[name] = table["field"], frozenset(table["values"])
            else:
                self.windows[name] = [_window(corpus, w) for w in table["windows"]]
        self._held: dict[tuple[str, str], bool] = {}

    def _holds(self, name: str, point: Point) -> bool:
        key = (name, point.stream)
        if key not in self._held:
            field, values = self.fields[name]
            self._held[key] = point.value(field) in values
        return self._held[key]

    def stream_held(self, point: Point) -> bool:
        """Whether any family holds the stream out."""
        return any(self._holds(name, point) for name in self.fields)

    def window_held(self, start: int, end: int) -> bool:
        """Whether any family holds out a part of the window."""
        every = (w for windows in self.windows.values() for w in windows)
        return any(start < last and first < end for first, last in every)

    def training(self, points: Iterable[Point], start: int, end: int) -> bool:
        """Neither a stream nor a part of the window is held out by any family."""
        return not self.window_held(start, end) and not any(map(self.stream_held, points))

    def part(self, family: Family, points: Iterable[Point], reach: Window) -> str | None:
        """`test`, `rest`, or None where the question belongs to no split."""
        streams = list(points)
        own = family.held_out
        if own in self.fields and all(self._holds(own, p) for p in streams):
            return "test"
        if own in self.windows:
            inside = (a <= reach[0] and reach[1] <= b for a, b in self.windows[own])
            if any(inside):
                return "test"
        return "rest" if self.training(streams, *reach) else None


def _window(corpus: Corpus, days: list[str]) -> Window:
    first, last = (corpus.zone.named("day", str(d)).start for d in days)
    return first, last
