"""Points of a table: a CSV of streams, whose columns the corpus file names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.raw import cells

FIELDS = ("site", "equipment", "location", "location_type", "unit", "qualifiers", "kind")


def read_points(
    path: Path, table: Mapping[str, Any], classes: Mapping[str, ValueClass]
) -> dict[str, Point]:
    """The point of every row, by stream; the unit is that of the row, else that of its class."""
    named = table["columns"]
    found = cells.columns(path, table)
    for name in named.values():
        if name not in found:
            raise UnusableInput(f"the audit finds no column {name!r} ({path.name})")
    made: dict[str, Point] = {}
    for place, stream in enumerate(found[named["stream"]]):
        row = {field: found[name][place].strip() or None for field, name in named.items()}
        point = _point(stream.strip(), row, classes)
        if made.setdefault(point.stream, point) != point:
            raise UnusableInput(f"two different rows of the stream {stream!r} ({path.name})")
    return made


def _point(stream: str, row: Mapping[str, str | None], classes: Mapping[str, ValueClass]) -> Point:
    point_class = row.get("class") or ""
    rules = classes.get(point_class, ValueClass("instant"))
    words: dict[str, Any] = {name: row[name] for name in FIELDS if row.get(name)}
    equipment = words.get("equipment")
    return Point(
        stream=stream,
        point_class=point_class,
        owners=(equipment,) if equipment else (),
        **{"site": "", "kind": rules.kind, "unit": rules.unit, **words},
    )
