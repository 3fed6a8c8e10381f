"""Points of a Brick model: class, representative owner, location, unit and qualifiers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.raw.turtle import TYPE, Graph, Term, literal, parse

BRICK = "https://brickschema.org/schema/Brick#"
VALUE = BRICK + "value"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def read_points(
    path: Path, table: Mapping[str, Any], site: str, classes: Mapping[str, ValueClass]
) -> dict[str, Point]:
    """Every stream that the model knows, by id."""
    graph = parse(path.read_text(encoding="utf-8"), path.name)
    return _Model(graph, table, site, classes).points()


class _Model:
    def __init__(
        self,
        graph: Graph,
        table: Mapping[str, Any],
        site: str,
        classes: Mapping[str, ValueClass],
    ) -> None:
        self.graph = graph
        self.table = table
        self.site = site
        self.classes = classes
        self.prefixes = {"brick": BRICK, **graph.prefixes, **table.get("prefixes", {})}
        self.places = re.compile("|".join(f"(?:{p})" for p in table.get("location_classes", ())))

    def points(self) -> dict[str, Point]:
        made = {}
        for name in self.table["stream"]:
            predicate = self.iri(name)
            for (subject, found), things in self.graph.objects.items():
                if found == predicate:
                    for thing in things:
                        stream = literal(thing) or thing
                        made[stream] = self.point(stream, subject)
        return made

    def iri(self, name: str) -> Term:
        prefix, _, rest = name.partition(":")
        if prefix not in self.prefixes:
            raise UnusableInput(f"no such prefix: {name!r} (metadata)")
        whole: Term = self.prefixes[prefix] + rest
        return whole

    def related(self, thing: Term, key: str) -> list[Term]:
        """What a thing is tied to by the configured properties, `^` being an inverse one."""
        made: list[Term] = []
        for name in self.table.get(key, ()):
            if name.startswith("^"):
                made += self.graph.holders(self.iri(name[1:]), thing)
            else:
                made += self.graph.given(thing, self.iri(name))
        return [*dict.fromkeys(made)]

    def class_of(self, thing: Term) -> str:
        found = self.graph.given(thing, TYPE)
        return min((str(re.split("[#/]", iri)[-1]) for iri in found), default="")

    def name(self, thing: Term) -> str:
        labels = self.graph.given(thing, LABEL)
        if labels:
            return literal(min(labels)) or labels[0]
        last = re.split("[#/.]", thing)[-1]
        return f"{self.class_of(thing)} {last[:8]}"

    def is_place(self, thing: Term) -> bool:
        return bool(self.places.fullmatch(self.class_of(thing)))

    def order(self, owner: Term) -> tuple[bool, int, str]:
        prefer = self.table.get("prefer", [])
        kind = self.class_of(owner)
        return (
            self.is_place(owner),
            prefer.index(kind) if kind in prefer else len(prefer),
            self.name(owner),
        )

    def point(self, stream: str, subject: Term) -> Point:
        owners = sorted(self.related(subject, "owner"), key=self.order)
        equipment = [o for o in owners if not self.is_place(o)]
        location = self.location(subject, owners, equipment)
        kind = self.class_of(subject)
        rules = self.classes.get(kind)
        return Point(
            stream=stream,
            site=self.site,
            point_class=kind,
            kind=rules.kind if rules else self.kind(kind),
            equipment=self.name(owners[0]) if owners else None,
            location=self.name(location) if location else None,
            location_type=self.class_of(location) if location else None,
            unit=self.text(subject, "unit") or (rules.unit if rules else None),
            qualifiers=self.qualifiers(subject),
            owners=tuple(map(self.name, owners)),
        )

    def location(self, subject: Term, owners: list[Term], equipment: list[Term]) -> Term | None:
        """The point's own location, else a place that owns it, else that of its equipment."""
        own = self.related(subject, "location")
        places = [o for o in owners if self.is_place(o)]
        of_equipment = self.related(equipment[0], "location") if equipment else []
        for found in (own, places, of_equipment):
            if found:
                return min(found, key=self.name)
        return None

    def kind(self, point_class: str) -> str:
        for pattern, kind in self.table.get("kinds", {}).items():
            if re.fullmatch(pattern, point_class):
                return str(kind)
        return "instant"

    def text(self, subject: Term, key: str) -> str | None:
        for thing in self.related(subject, key):
            return self.value(thing)
        return None

    def value(self, thing: Term) -> str:
        inner = self.graph.given(thing, VALUE)
        found = literal(inner[0]) if inner else literal(thing)
        return found if found is not None else re.split("[#/]", thing)[-1]

    def qualifiers(self, subject: Term) -> str:
        made = []
        for name in self.table.get("qualifiers", ()):
            for thing in self.graph.given(subject, self.iri(name)):
                made.append(f"{name.partition(':')[2]}={self.value(thing)}")
        return "; ".join(made)
