"""Points from tables and graphs: owners, units, qualifiers, and what does not match."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.brick import read_graphs
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.model import BrickMetadata
from tests.telemetry.corpora import make

LONG = {
    "name": "long",
    "form": "long_csv",
    "stream": "id",
    "value": "v",
    "time": {"column": "at", "zone": "UTC"},
    "files": ["long.csv"],
}
READINGS = (
    "id,at,v\na,2024-01-01 00:00,1\nb,2024-01-01 00:00,2\na,2024-01-01 00:10,3\nc,2024-01-01,\n"
)
BUILDING = """
@prefix brick: <https://brickschema.org/schema/Brick#> .
@prefix s: <urn:s#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <urn:x#> .
:p1 a brick:Zone_Air_Temperature_Sensor ; brick:isPointOf :room, :unit ;
  brick:hasUnit [ brick:value "DEG" ] ; brick:phase [ brick:value "B" ] ;
  s:id [ s:of "a" ] .
:p2 a brick:Fan_Status ; brick:isPointOf :unit ; s:id [ s:of "b" ] .
:p3 a brick:Fan_Status ; brick:isPointOf :other ; s:id [ s:of "b" ] .
:p4 a brick:Fan_Status ; brick:isPointOf :unit ; s:id [ s:of "x" ] .
:p5 a brick:Fan_Status ; brick:isPointOf :unit ; s:id [ s:of "c" ] .
:room a brick:Office ; rdfs:label "Room 7" .
:unit a brick:Fan_Coil_Unit ; rdfs:label "FCU 1" ; brick:hasLocation :floor .
:other a brick:Air_Handler_Unit ; rdfs:label "AHU 1" .
:floor a brick:Floor ; rdfs:label "Floor 2" .
"""
BRICK: dict[str, Any] = {
    "form": "brick",
    "prefixes": {"s": "urn:s#"},
    "stream": ["s:id", "s:of"],
    "qualifiers": ["brick:phase"],
    "location_classes": ["Office", "Floor"],
    "prefer": ["Air_Handler_Unit"],
    "kinds": {".*_Status": "state"},
}


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def brick(folder: Path, graph: str = BUILDING, **rules: Any) -> Corpus:
    (folder / "g.ttl").write_text(graph)
    metadata = {**BRICK, "files": {"g.ttl": digest(graph)}, "site": {"g.ttl": "S"}, **rules}
    return make(folder, {"long.csv": READINGS + "d,2024-01-01,4\n"}, LONG, metadata=metadata)


def test_a_graph_gives_points_with_owner_place_unit_and_qualifiers(tmp_path: Path) -> None:
    points = Adapter(brick(tmp_path), tmp_path).points
    a = points["a"]
    assert (a.site, a.point_class, a.kind) == ("S", "Zone_Air_Temperature_Sensor", "instant")
    assert (a.equipment, a.location, a.location_type) == ("FCU 1", "Room 7", "Office")
    assert (a.unit, a.qualifiers) == ("DEG", "phase=B")
    assert [(o.name, o.role, o.representative) for o in a.owners] == [
        ("FCU 1", "equipment", True),
        ("Room 7", "location", False),
    ]


def test_a_stream_of_several_points_keeps_every_owner_and_prefers_the_declared_class(
    tmp_path: Path,
) -> None:
    b = Adapter(brick(tmp_path), tmp_path).points["b"]
    assert (b.equipment, b.kind, b.unit) == ("AHU 1", "state", None)
    assert [o.name for o in b.owners] == ["AHU 1", "FCU 1"]
    other = Adapter(brick(tmp_path, prefer=["Fan_Coil_Unit"]), tmp_path).points["b"]
    assert other.equipment == "FCU 1"


def test_the_order_of_triples_changes_nothing(tmp_path: Path) -> None:
    head, body = BUILDING.split("@prefix : <urn:x#> .\n")
    blocks = [b + " .\n" for b in body.strip().removesuffix(".").split(" .\n")]
    turned = head + "@prefix : <urn:x#> .\n" + "".join(reversed(blocks))
    assert turned != BUILDING
    points = Adapter(brick(tmp_path), tmp_path).points
    assert Adapter(brick(tmp_path, turned), tmp_path).points == points


def test_what_does_not_match_is_told_with_its_reason(tmp_path: Path) -> None:
    found = Adapter(brick(tmp_path), tmp_path).unmatched
    assert [(u.stream, u.reason) for u in found] == [
        ("c", "empty"),
        ("d", "no_metadata"),
        ("x", "no_history"),
    ]


def test_a_property_without_a_known_prefix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"no known prefix: 'brik:isPointOf'"):
        Adapter(brick(tmp_path, owner=["brik:isPointOf"]), tmp_path)


def test_a_table_gives_the_same_kind_of_points(tmp_path: Path) -> None:
    table = "sid,kind,where,unit\na,Temperature,AHU 1,K\nb,Temperature,AHU 2,\n"
    (tmp_path / "points.csv").write_text(table)
    metadata = {
        "form": "table",
        "files": {"points.csv": digest(table)},
        "columns": {"stream": "sid", "class": "kind", "site": "kind", "equipment": "where"}
        | {"unit": "unit"},
    }
    corpus = make(tmp_path, {"long.csv": READINGS}, LONG, metadata=metadata)
    adapter = Adapter(corpus, tmp_path)
    assert {s: (p.equipment, p.unit) for s, p in adapter.points.items()} == {
        "a": ("AHU 1", "K"),
        "b": ("AHU 2", "deg C"),
    }
    assert [(u.stream, u.reason) for u in adapter.unmatched] == [("c", "no_metadata")]
    assert adapter.stream(adapter.points["a"]).readings.value.tolist() == [1, 3]


def real_rules() -> dict[str, Any]:
    return {
        "form": "brick",
        "prefixes": {"senaps": "http://senaps.io/schema/1.0/senaps#"},
        "stream": ["senaps:stream_id"],
        "location": ["brick:hasLocation", "^brick:isLocationOf"],
        "location_classes": [".*_Room|.*[Ss]pace.*|Floor|Basement|Hallway|Library|HVAC_Zone"],
        "qualifiers": ["brick:electricalPhases", "brick:powerFlow"],
    }


def test_a_real_model_gives_every_point_its_stream_owners_and_units(
    shared: Path, tmp_path: Path
) -> None:
    data = (shared / "data" / "bts" / "Site_B.ttl").read_bytes()
    (tmp_path / "b.ttl").write_bytes(data)
    rules = {**real_rules(), "files": {"b.ttl": digest(data)}}
    corpus = make(tmp_path, {"long.csv": READINGS}, LONG, metadata=rules)
    assert isinstance(corpus.file.metadata, BrickMetadata)
    points = read_graphs(corpus, corpus.file.metadata)
    assert len(points) == len({p.stream for p in points}) == 851
    assert Counter(len(p.owners) for p in points) == {1: 808, 2: 43}
    assert len({p.point_class for p in points}) == 57
    units = Counter(p.unit for p in points if p.unit)
    assert units.total() == 121
    assert (units["V"], units["KiloW"], units["A"], units["HZ"]) == (33, 23, 23, 6)
    both = [p for p in points if {o.role for o in p.owners} == {"equipment", "location"}]
    assert all(p.owners[0].role == "equipment" and p.location for p in both)
    assert len(both) >= 35
