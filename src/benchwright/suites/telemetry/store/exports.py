"""Logical exports: what two builds of one corpus must agree on, byte for byte.

Takes a connection to a store; gives every logical table as lines of canonical JSON in the order of
its key, and the digest of each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from benchwright.canonical import canonical_json
from benchwright.errors import FormatError
from benchwright.suites.telemetry.corpus.extra import need
from benchwright.suites.telemetry.store.tables import LOGICAL, Table

_BATCH = 10_000


def export_lines(connection: Any, table: Table) -> Iterator[bytes]:
    """Every row of one export as a line; the first names table and columns."""
    columns = ", ".join(f'"{name}"' for name in table.logical)
    order = ", ".join(f'"{name}"' for name in table.key)
    yield canonical_json({"table": table.name, "columns": table.logical}) + b"\n"
    try:
        cursor = connection.execute(f'SELECT {columns} FROM "{table.name}" ORDER BY {order}')
    except need("duckdb").Error as error:
        raise FormatError(
            "table cannot be read",
            value=str(error).splitlines()[0],
            where=table.name,
            hint="Build the store again, or restore it from where it came.",
        ) from error
    while rows := cursor.fetchmany(_BATCH):
        for row in rows:
            yield _line(row)


def _line(row: tuple[Any, ...]) -> bytes:
    """The canonical JSON of a row of plain values, without looking for anything deeper."""
    values = [int(v) if isinstance(v, float) and v.is_integer() else v for v in row]
    text = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"


def export_digests(connection: Any) -> dict[str, str]:
    """sha256 of every export, by name."""
    found = {}
    for table in LOGICAL:
        sha = hashlib.sha256()
        for line in export_lines(connection, table):
            sha.update(line)
        found[table.name] = sha.hexdigest()
    return found
