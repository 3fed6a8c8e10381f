"""A store that is called, and what else could have been meant: other streams, points and groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from benchwright.canonical import Json, digest
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.dialogue.canonical import Move
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.operations.resolve import site_fields
from benchwright.suites.telemetry.proof.steps import Step
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import answered

_SPARE = ("equipment", "location", "qualifiers")


class Answers:
    """Operations on one store; the same call is made once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._operations = {one.name: one for one in operations(store)}
        self._made: dict[str, Mapping[str, Any]] = {}

    def call(self, operation: str, arguments: Mapping[str, Any]) -> Move:
        """A call with the answer that the store gives to it."""
        said: dict[str, Json] = dict(arguments)
        key = digest({"operation": operation, "arguments": said})
        if key not in self._made:
            found = answered(self._operations[operation], said)
            self._made[key] = found.model_dump(mode="json")
        return Move("call", operation, said, self._made[key])

    def forget(self) -> None:
        """Drop what was answered: rows of a set have few calls in common."""
        self._made.clear()

    def again(self, step: Step, **changed: Any) -> Step:
        """A call with other arguments; None leaves one out."""
        said = {k: v for k, v in {**step.move.said, **changed}.items() if v is not None}
        return replace(step, move=self.call(step.move.name, said))

    def others(self, stream: str) -> list[str]:
        """Other streams, most alike first: of the class on the site, of the class, any."""
        own = self.store.points[stream]
        found = [p for p in self.store.points.values() if p.stream != stream]
        return [p.stream for p in sorted(found, key=lambda p: _unlike(own, p))]

    def descriptions(self, stream: str) -> Iterator[dict[str, str]]:
        """Full descriptions of other points of the class, then of any, most alike first."""
        for other in self.others(stream):
            point = self.store.points[other]
            said = {"site": point.site, "point_class": point.point_class}
            yield {**said, **{f: v for f in _SPARE if (v := getattr(point, f))}}

    def groups(self, group: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """Other groups of streams: another class on the site, or the class on another site."""
        points, fields = self.store.points.values(), sorted(site_fields(self.store.contract))
        pairs = {
            (str(getattr(p, field)), p.point_class)
            for p in points
            for field in fields
            if getattr(p, field)
        }
        own = (str(group["site"]), str(group["point_class"]))
        for site, name in sorted(pairs, key=lambda p: (p[0] != own[0], p[1] != own[1], p)):
            if (site, name) != own:
                yield {"site": site, "point_class": name}


def _unlike(own: Point, other: Point) -> tuple[bool, bool, str]:
    return (other.point_class != own.point_class, other.site != own.site, other.stream)
