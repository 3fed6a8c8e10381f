"""The tables of a store: columns, types, and the key that orders each.

All but `build_record` and the columns that say where something came from are logical: they are the
same whatever the order of rows, the cut of files, the threads, zone and locale of the process, or
the versions of libraries. `LOGICAL` are the exports that must agree between two builds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

_TEXT, _INT, _REAL, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()


@dataclass(frozen=True, slots=True)
class Table:
    """One table; rows are unique by `key` and written in its order."""

    name: str
    doc: str
    schema: Any
    key: tuple[str, ...]
    lineage: tuple[str, ...] = ()
    """Columns that depend on how files are cut, left out of the export."""

    @property
    def logical(self) -> list[str]:
        """Columns of the export."""
        return [name for name in self.schema.names if name not in self.lineage]


def _table(
    name: str, doc: str, key: str, columns: dict[str, Any], lineage: tuple[str, ...] = ()
) -> Table:
    return Table(name, doc, pa.schema(columns), tuple(key.split()), lineage)


_FIGURES = {
    "count": _INT,
    "left_out": _INT,
    "mean": _REAL,
    "least": _REAL,
    "greatest": _REAL,
    "change": _REAL,
    "coverage": _REAL,
}
_PERIOD = {"stream": _TEXT, "calendar": _TEXT, "first_day": _TEXT, "start": _INT, "end": _INT}
_MEASURES = {
    "count": _INT,
    "coverage": _REAL,
    "gap_ms": _INT,
    "gap_ratio": _REAL,
    "frozen": _INT,
    "dropout": _INT,
    "sentinel": _INT,
    "range": _INT,
    "spike": _INT,
    "adjusted": _INT,
}

TABLES: Final = (
    _table(
        "points",
        "streams that operations know, in the words of their metadata",
        "stream",
        {
            **{"number": _INT, "stream": _TEXT, "site": _TEXT, "point_class": _TEXT},
            **{"kind": _TEXT, "equipment": _TEXT, "location": _TEXT, "location_type": _TEXT},
            **{"unit": _TEXT, "qualifiers": _TEXT, "device": _TEXT, "imputed": _FLAG},
        },
    ),
    _table(
        "owners",
        "everything that a stream is said to belong to; one is the representative",
        "stream role name",
        {"stream": _TEXT, "name": _TEXT, "class": _TEXT, "role": _TEXT, "representative": _FLAG},
    ),
    _table(
        "unmatched",
        "streams left out: no_history, empty or no_metadata",
        "stream",
        {"stream": _TEXT, "reason": _TEXT, "site": _TEXT, "point_class": _TEXT},
    ),
    _table(
        "raw_stream_index",
        "extent, decimals, digest and part of every stream",
        "stream",
        {
            **{"stream": _TEXT, "count": _INT, "first": _INT, "last": _INT, "decimals": _INT},
            **{"content": _TEXT, "greatest_gap_ms": _INT, "part": _INT},
            **{"files": _TEXT, "repeats": _INT},
        },
        lineage=("part", "files", "repeats"),
    ),
    _table(
        "stream_quality",
        "what was found in a whole stream",
        "stream",
        {
            **{"stream": _TEXT, "median_ms": _REAL, "p95_ms": _INT, "missing": _INT},
            **{"early": _INT, "conflicts": _INT, "distinct": _INT, **_MEASURES},
        },
    ),
    _table(
        "quality_weeks",
        "measures and outcome of every week of the contract's calendar",
        "stream start",
        {
            **{"stream": _TEXT, "first_day": _TEXT, "start": _INT, "end": _INT, **_MEASURES},
            **{"training": _FLAG, "outcome": _TEXT, "reason": _TEXT},
        },
    ),
    *(
        _table(
            f"aggregates_{period}",
            f"figures per {period}, in UTC and in the local calendar",
            "stream calendar start",
            {**_PERIOD, **_FIGURES},
        )
        for period in ("day", "week", "month")
    ),
    _table(
        "calendar_profiles",
        "mean by hour of day and day of week (0 is Monday), local clock",
        "stream day_of_week hour",
        {"stream": _TEXT, "day_of_week": _INT, "hour": _INT, "count": _INT, "mean": _REAL},
    ),
    _table(
        "previews",
        "first and last readings",
        "stream at",
        {"stream": _TEXT, "end": _TEXT, "at": _INT, "value": _REAL},
    ),
    _table(
        "ambiguity",
        "classes with several streams on a site, and what tells them apart",
        "site point_class",
        {"site": _TEXT, "point_class": _TEXT, "streams": _INT, "unique": _INT, "apart": _TEXT},
    ),
    _table(
        "thresholds",
        "numbers taken of the training part",
        "name scope",
        {"name": _TEXT, "scope": _TEXT, "value": _REAL, "count": _INT},
    ),
    _table(
        "contract",
        "the contract and the rules of the corpus",
        "name",
        {"name": _TEXT, "text": _TEXT},
    ),
    _table(
        "build_record",
        "files with their checksums, and versions; no logical export",
        "name",
        {"name": _TEXT, "text": _TEXT},
    ),
)
BY_NAME: Final = {table.name: table for table in TABLES}
LOGICAL: Final = tuple(table for table in TABLES if table.name != "build_record")
OBSERVATIONS: Final = pa.schema(
    {
        "stream": pa.int32(),
        "ts": pa.int64(),
        "value": pa.float64(),
        "marks": pa.uint8(),
        "file": pa.int32(),
        "row": pa.int64(),
        "column": pa.int32(),
    }
)
