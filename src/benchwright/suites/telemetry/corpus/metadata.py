"""Metadata of long sources: a table, or a Brick graph; for wide ones the columns say it all."""

from __future__ import annotations

import csv
from collections.abc import Mapping

from benchwright.errors import SpecError
from benchwright.storage import nearest
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.model import BrickMetadata, TableMetadata
from benchwright.suites.telemetry.corpus.points import Owner, Point

_NEEDED = ("stream", "class", "site", "equipment")
_OPTIONAL = ("location", "location_type", "unit", "device")


def read_points(corpus: Corpus) -> list[Point]:
    """Every point that the metadata of the corpus describes."""
    metadata = corpus.file.metadata
    if isinstance(metadata, BrickMetadata):
        from benchwright.suites.telemetry.corpus.brick import read_graphs

        return read_graphs(corpus, metadata)
    assert isinstance(metadata, TableMetadata)
    return _table(corpus, metadata)


def _table(corpus: Corpus, metadata: TableMetadata) -> list[Point]:
    _check_columns(metadata, f"{corpus.where}: metadata: columns")
    points = []
    for name, sha256 in sorted(metadata.files.items()):
        path = corpus.find(name, sha256)
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            absent = set(metadata.columns.values()) - set(rows.fieldnames or ())
            if absent:
                raise SpecError(
                    "table lacks a declared column",
                    value=sorted(absent)[0],
                    where=path,
                    hint=nearest(sorted(absent)[0], rows.fieldnames or ["nothing"]),
                )
            for number, row in enumerate(rows, start=1):
                points.append(_point(corpus, metadata, row, f"{path}, row {number}"))
    return points


def _check_columns(metadata: TableMetadata, where: str) -> None:
    for field in metadata.columns:
        if field not in (*_NEEDED, *_OPTIONAL):
            raise SpecError(
                "unknown key", value=field, where=where, hint=nearest(field, (*_NEEDED, *_OPTIONAL))
            )
    for field in _NEEDED:
        if field not in metadata.columns:
            raise SpecError(
                "key is missing", value=field, where=where, hint=f"Add a line: {field} = ..."
            )


def _point(
    corpus: Corpus, metadata: TableMetadata, row: Mapping[str, str | None], where: str
) -> Point:
    said = {
        field: row[column]
        for field, column in metadata.columns.items()
        if row[column] is not None and row[column] not in metadata.missing
    }
    for field in _NEEDED:
        if not said.get(field):
            raise SpecError(
                "point lacks a value", value=field, where=where, hint="Fill it in the table."
            )
    name = str(said["class"])
    kind = corpus.classes.get(name)
    if kind is None:
        hint = nearest(name, corpus.classes) if corpus.classes else "Declare it as a [[class]]."
        raise SpecError("unknown class", value=name, where=where, hint=hint)
    equipment = str(said["equipment"])
    return Point(
        stream=str(said["stream"]),
        site=str(said["site"]),
        point_class=name,
        kind=kind.kind,
        equipment=equipment,
        location=said.get("location"),
        location_type=said.get("location_type"),
        unit=said.get("unit", kind.unit),
        qualifiers="",
        device=said.get("device"),
        imputed=False,
        owners=(Owner(equipment, None, "equipment", True),),
    )
