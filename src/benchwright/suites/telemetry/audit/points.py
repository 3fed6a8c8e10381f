"""Points: what a stream measures and where; descriptions, and which of them mean one stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Description = Mapping[str, str]
NAMED = ("equipment", "location", "qualifiers")


@dataclass(frozen=True, slots=True)
class Point:
    """One stream in the words of its metadata; None or "" where it has none."""

    stream: str
    site: str
    point_class: str
    kind: str
    equipment: str | None = None
    location: str | None = None
    location_type: str | None = None
    unit: str | None = None
    qualifiers: str = ""
    imputed: bool = False
    owners: tuple[str, ...] = ()

    def value(self, name: str) -> str | None:
        """A field as the contract names it; an empty one is None."""
        found: str | None = getattr(self, name)
        return found or None

    def record(self) -> dict[str, Any]:
        """The fields that a row states of a point."""
        return {
            "stream": self.stream,
            "site": self.site,
            "point_class": self.point_class,
            "equipment": self.equipment,
            "location": self.location,
            "location_type": self.location_type,
            "qualifiers": self.qualifiers,
            "unit": self.unit,
            "kind": self.kind,
        }


def description(point: Point, site_field: str) -> dict[str, str] | None:
    """How a question names the point on the site that `site_field` holds; None without a site."""
    site = point.value(site_field)
    if site is None:
        return None
    named = {"site": site, "point_class": point.point_class}
    for name in NAMED:
        value = point.value(name)
        if value is not None and not (name == "equipment" and value == site):
            named[name] = value
    return named


class Points:
    """All points of a corpus that have readings, and what descriptions of them mean."""

    def __init__(self, points: Iterable[Point], sites: tuple[str, ...]) -> None:
        self.sites = sites
        self.by_stream = {p.stream: p for p in sorted(points, key=lambda p: p.stream)}
        self._classes: dict[tuple[str, str], list[Point]] = defaultdict(list)
        for point in self.by_stream.values():
            for site in {point.value(name) for name in sites} - {None}:
                self._classes[str(site), point.point_class].append(point)

    def fitting(self, words: Description) -> list[str]:
        """Ids of the streams that a description fits, in order."""
        named = [(name, words[name]) for name in NAMED if name in words]
        near = self._classes.get((words["site"], words["point_class"]), [])
        return [p.stream for p in near if all(p.value(n) == v for n, v in named)]

    def resolvable(self, point: Point, site_field: str) -> bool:
        """Whether the description means this stream and no other."""
        words = description(point, site_field)
        return words is not None and self.fitting(words) == [point.stream]

    def whole_groups(self, site_field: str) -> dict[tuple[str, str], list[Point]]:
        """Every stream by site value and class, resolvable or not, as an operation finds them.

        An operation takes a site value in any field that some family calls the site.
        """
        values = {(p.value(site_field), p.point_class) for p in self.by_stream.values()}
        named = {(str(site), name) for site, name in values if site is not None}
        return {both: self._classes[both] for both in sorted(named)}

    def groups(self, site_field: str) -> dict[tuple[str, str], list[Point]]:
        """Resolvable streams by site value and class, in order of ids."""
        made: dict[tuple[str, str], list[Point]] = defaultdict(list)
        for point in self.by_stream.values():
            if self.resolvable(point, site_field):
                made[str(point.value(site_field)), point.point_class].append(point)
        return dict(sorted(made.items()))

    def shared(self, site_field: str) -> dict[tuple[str, ...], dict[str, str]]:
        """Sets of 2 to 50 streams that one description fits and that all have that description."""
        made: dict[tuple[str, ...], dict[str, str]] = {}
        for point in self.by_stream.values():
            words = description(point, site_field)
            if words is None:
                continue
            fit = tuple(self.fitting(words))
            same = all(description(self.by_stream[s], site_field) == words for s in fit)
            if 2 <= len(fit) <= 50 and same:
                made[fit] = words
        return made
