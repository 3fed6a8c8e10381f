"""Reading a store: points, readings of a window, look-ups, tables; nothing is ever written.

Takes the folder; gives records and arrays. A connection belongs to one process and is made on first
use, with one thread and a limit of memory. Every window is half-open, in ms.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.errors import FormatError
from benchwright.storage import read_toml
from benchwright.storage.records import record
from benchwright.suites.telemetry.contract.judge import Thresholds
from benchwright.suites.telemetry.contract.measure import Rules
from benchwright.suites.telemetry.contract.model import Contract
from benchwright.suites.telemetry.corpus.extra import need
from benchwright.suites.telemetry.corpus.model import ValueClass
from benchwright.suites.telemetry.corpus.points import Owner, Point
from benchwright.suites.telemetry.corpus.regimes import Step
from benchwright.suites.telemetry.corpus.zones import Zone, zone
from benchwright.suites.telemetry.store.build import STORE_FORMAT, opened
from benchwright.suites.telemetry.store.observed import Observations, Stretch
from benchwright.suites.telemetry.store.thresholds import Threshold, by_season


@dataclass(frozen=True, slots=True)
class Extent:
    """A row of the raw stream index, with the place of the stream in Parquet."""

    number: int
    count: int
    first: int
    last: int
    decimals: int | None
    content: str
    greatest_gap_ms: int
    part: int


@dataclass(frozen=True, slots=True)
class Origin:
    """A cell of a data file."""

    file: str
    """As the corpus names it; for an archive, the Parquet file made of it."""
    row: int
    """From 1, without the header."""
    column: int
    """From 0."""


class Store:
    """A store that is read and never written."""

    def __init__(self, folder: Path) -> None:
        """Raises FormatError where `folder` is no store of this version."""
        self.folder = folder
        self.marks = read_toml(folder / "store.toml", form=STORE_FORMAT)

    @cached_property
    def connection(self) -> Any:
        """The read-only connection of this process."""
        path = self.folder / "store.duckdb"
        journal = path.with_name(f"{path.name}.wal")
        if journal.exists():
            # What it holds would count or not, as the library finds fit.
            raise FormatError(
                "store is not whole: its build did not end, or it was edited",
                value=journal.name,
                where=path,
                hint="Build it again, or restore it from where it came.",
            )
        try:
            return opened(path)
        except need("duckdb").Error as error:
            raise FormatError(
                "store cannot be opened",
                value=str(error).splitlines()[0],
                where=path,
                hint="Build it again, or restore it from where it came.",
            ) from error

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Rows of a query on the tables."""
        try:
            found = self.connection.execute(query, list(parameters)).fetchall()
        except need("duckdb").Error as error:
            raise FormatError(
                "store cannot be read",
                value=str(error).splitlines()[0],
                where=self.folder / "store.duckdb",
                hint="Build it again, or restore it from where it came.",
            ) from error
        return list(found)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The table `contract`: rules by name."""
        return dict(self.rows("SELECT name, text FROM contract"))

    @cached_property
    def contract(self) -> Contract:
        """The contract that the store was built by."""
        return record(Contract, json.loads(self.texts["contract"]), self.folder)

    @cached_property
    def zone(self) -> Zone:
        """The local clock."""
        return zone(self.texts["zone"])

    @cached_property
    def points(self) -> dict[str, Point]:
        """Every point by stream id, owners included."""
        owners: dict[str, list[Owner]] = {}
        for stream, *rest in self.rows("SELECT * FROM owners ORDER BY stream, role, name"):
            owners.setdefault(stream, []).append(Owner(*rest))
        rows = self.rows("SELECT * EXCLUDE (number) FROM points ORDER BY stream")
        return {row[0]: Point(*(*row, tuple(owners.get(row[0], ())))) for row in rows}

    @cached_property
    def unmatched(self) -> dict[str, str]:
        """Reasons of streams that are no points."""
        return dict(self.rows("SELECT stream, reason FROM unmatched"))

    @cached_property
    def _extents(self) -> dict[str, Extent]:
        found = self.rows(
            'SELECT stream, number, "count", first, last, decimals, content, greatest_gap_ms, part '
            "FROM points JOIN raw_stream_index USING (stream)"
        )
        return {row[0]: Extent(*row[1:]) for row in found}

    def extent(self, stream: str) -> Extent:
        """How long a known stream is and where it lies."""
        return self._extents[stream]

    @cached_property
    def thresholds(self) -> tuple[Threshold, ...]:
        """Every threshold."""
        rows = self.rows('SELECT name, scope, value, "count" FROM thresholds ORDER BY name, scope')
        return tuple(Threshold(*row) for row in rows)

    @cached_property
    def seasons(self) -> dict[str, Thresholds]:
        """Thresholds of quality by season."""
        return by_season(self.thresholds)

    def rules(self, stream: str) -> Rules:
        """What is expected of a known stream."""
        point = self.points[stream]
        kind = self._classes.get(point.point_class)
        known = kind or ValueClass(name=point.point_class, kind=point.kind)
        return Rules(known, self._steps.get(stream, ()), self._typical[stream])

    def readings(self, stream: str, start: int, end: int) -> Stretch:
        """Readings of a known stream from `start` up to `end`."""
        extent = self.extent(stream)
        return self._observations.window(extent.part, extent.number, start, end)

    def around(self, stream: str, at: int) -> list[tuple[int, float, int]]:
        """The last reading up to `at` and the first from `at` on: instant, value, marks.

        One row where they are the same, or where `at` lies outside the stream.
        """
        extent = self.extent(stream)
        inside = min(max(at, extent.first), extent.last)
        return self._observations.around(extent.part, extent.number, inside)

    def origin(self, stream: str, at: int) -> Origin | None:
        """Where the reading of a known stream at `at` came from; None where there is none."""
        extent = self.extent(stream)
        found = self._observations.origin(extent.part, extent.number, at)
        return None if found is None else Origin(self._files[found[0]], found[1], found[2])

    def dropped(self, stream: str, at: int) -> bool:
        """Whether readings of a stream at `at` differ, so that none counts; as far as is kept."""
        return at in self._dropped.get(stream, ())

    @cached_property
    def _dropped(self) -> dict[str, frozenset[int]]:
        rows = self.rows("SELECT text FROM build_record WHERE name = 'conflicts'")
        return {s: frozenset(found) for (text,) in rows for s, found in json.loads(text).items()}

    @cached_property
    def _files(self) -> list[str]:
        ((text,),) = self.rows("SELECT text FROM build_record WHERE name = 'files'")
        return list(json.loads(text))

    @cached_property
    def _observations(self) -> Observations:
        return Observations(self.folder / "observations")

    @cached_property
    def _classes(self) -> dict[str, ValueClass]:
        found = json.loads(self.texts["classes"])
        return {one["name"]: record(ValueClass, one, self.folder) for one in found}

    @cached_property
    def _steps(self) -> dict[str, tuple[Step, ...]]:
        found = json.loads(self.texts["steps"])
        return {s: tuple(Step(**one) for one in steps) for s, steps in found.items()}

    @cached_property
    def _typical(self) -> dict[str, float]:
        return dict(self.rows("SELECT stream, median_ms FROM stream_quality"))
