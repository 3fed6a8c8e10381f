"""The adapter: every file of a corpus, once; then every stream, one at a time.

Takes a corpus and a folder for what does not fit into memory; gives an `Adapter` whose points,
streams and unmatched names are complete, and which hands out each stream merged, in pieces. Memory
is that of the largest wide file and of `Bounds`; it does not grow with the number of readings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.errors import SpecError
from benchwright.suites.telemetry.bts import read_archive
from benchwright.suites.telemetry.corpus.columns import Column, columns_of
from benchwright.suites.telemetry.corpus.generated.make import with_files
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.long import read_long
from benchwright.suites.telemetry.corpus.merge import Merging, Stream, merged
from benchwright.suites.telemetry.corpus.metadata import read_points
from benchwright.suites.telemetry.corpus.model import Source
from benchwright.suites.telemetry.corpus.pieces import BOUNDS, Bounds, Pieces
from benchwright.suites.telemetry.corpus.points import Point, point_of, single
from benchwright.suites.telemetry.corpus.readings import NO_READINGS
from benchwright.suites.telemetry.corpus.regimes import Step, steps_of
from benchwright.suites.telemetry.corpus.spool import Spool
from benchwright.suites.telemetry.corpus.wide import header, read_wide


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A stream that is no tool-ready point, and why."""

    stream: str
    reason: str
    """`no_history`: metadata without readings; `empty`: its files hold no number; `no_metadata`:
    readings without metadata."""
    point: Point | None


@dataclass(slots=True)
class _Seen:
    """What files said about streams beside readings."""

    infinite: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    steps: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)


class Adapter:
    """A corpus that has been read."""

    def __init__(self, corpus: Corpus, folder: Path, bounds: Bounds = BOUNDS) -> None:
        self.corpus = corpus = with_files(corpus, folder / "generated")
        self._converted = folder / "archives"
        self._folder, self._bounds = folder, bounds
        self._spool, self._seen = Spool(folder, bounds), _Seen()
        for source in corpus.file.source:
            for path in sorted(source.files):
                self._read(source, path)
        points = [point_of(column) for column in self._seen.columns]
        if corpus.file.metadata is not None:
            points += read_points(corpus)
        described = single(points)
        held = {s for s in self._spool.streams() if self._spool.count(s)}
        self.points = {s: described[s] for s in sorted(held & described.keys())}
        """Tool-ready points by stream."""
        self.unmatched = tuple(self._unmatched(described, held))

    def streams(self) -> Iterator[tuple[Point, Stream, tuple[Step, ...]]]:
        """Every tool-ready point with its stream, by stream id."""
        for point in self.points.values():
            yield point, self.stream(point), self._seen.steps.get(point.stream, ())

    def stream(self, point: Point) -> Stream:
        """One stream, merged from all files."""
        kind = self.corpus.classes.get(point.point_class)
        seen = self._seen
        return merged(
            point.stream,
            self._spool.readings(point.stream),
            seen.infinite.get(point.stream, 0),
            Merging(
                zero=kind.zero if kind is not None else "value",
                conflicts=self.corpus.file.conflicts,
                files=self.corpus.paths,
            ),
            Pieces(self._folder, self._bounds.piece),
        )

    @property
    def steps(self) -> dict[str, tuple[Step, ...]]:
        """Declared regimes by stream; the name is absent where none is declared."""
        return {s: found for s, found in self._seen.steps.items() if found and s in self.points}

    def _read(self, source: Source, name: str) -> None:
        path = self.corpus.find(name, source.files[name])
        number = self.corpus.paths.index(name)
        zone_name = source.time.zone if source.time.zone != "offset" else self.corpus.file.zone
        steps = steps_of(source.regimes, zone_name, f"source {source.name}")
        if source.form == "wide_csv":
            names = header(source, path)
            columns = columns_of(source, names, name, self.corpus.classes)
            self._seen.columns += columns
            for part in read_wide(source, path, names, columns, number):
                self._spool.add(part.column.stream, part.readings)
                self._spool.add_missing(part.column.stream, part.missing)
                self._note(part.column.stream, part.infinite, steps)
        else:
            if source.form == "archives":
                made = read_archive(path, self._converted / path.stem)
                for one in made.lineage.streams:  # a member without a row is a stream, too
                    self._spool.add(one.stream, NO_READINGS)
                path = made.observations
            for stream, readings, absent in read_long(source, path, number):
                self._spool.add(stream, readings)
                if source.form != "archives":  # their conversion has counted these
                    self._spool.add_missing(stream, absent)
                self._note(stream, len(absent), steps)

    def _note(self, stream: str, infinite: int, steps: tuple[Step, ...]) -> None:
        self._seen.infinite[stream] += infinite
        if self._seen.steps.setdefault(stream, steps) != steps:
            raise SpecError(
                "one stream is expected at different steps",
                value=stream,
                where="regimes of its sources",
                hint="Declare the same regimes, or give the two different stream ids.",
            )

    def _unmatched(self, described: dict[str, Point], held: set[str]) -> Iterator[Unmatched]:
        known = set(self._spool.streams())
        for stream in sorted(described.keys() | known):
            if stream not in described:
                yield Unmatched(stream, "no_metadata", None)
            elif stream not in held:
                reason = "empty" if stream in known else "no_history"
                yield Unmatched(stream, reason, described[stream])
