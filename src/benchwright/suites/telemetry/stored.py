"""`check --only store`: what operations answer from is what the set was built with.

Takes a task set. Tables are compared with the digests that the store states, and all of these with
the mark of the set; every row of Parquet with the tables and with the digest of its stream; what
the store says of itself with the set; and every file with the checksum that the build noted. The
last holds what no table can tell, such as the cell of a file that a reading came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchwright.canonical import digest
from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.errors import BenchwrightError
from benchwright.storage import read_toml
from benchwright.suites.telemetry.build import corpus_of
from benchwright.suites.telemetry.rows.evidence import content_of
from benchwright.suites.telemetry.store.build import recorded_files
from benchwright.suites.telemetry.store.exports import export_digests
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.store.scanned import (
    Scanned,
    checksums,
    part_name,
    scanned,
)
from benchwright.suites.telemetry.store.tables import BY_NAME
from benchwright.tasks.taskset import BUILD_FORMAT

NAME: Final = "store"
_HINT: Final = "Build the set again, or restore its store; it is never edited."
_FILES: Final = ("observations", "store.duckdb", "store.toml")
_PARTS: Final = "store/observations"
_DATABASE: Final = "store/store.duckdb"
_BROKEN: Final = (BenchwrightError, OSError, ValueError, LookupError, TypeError)
Places = Iterator[tuple[str, str]]
"""Where something is wrong, and what."""


def check_store(subject: Subject) -> Found:
    """Every file, table and stream; cost grows with the observations."""
    found: list[Problem] = []
    try:
        store = Store(subject.tasks.path / "store")
        found += (Problem(NAME, *one, _HINT) for one in _found(store, subject))
        found += (Problem(NAME, *one, _HINT) for one in _bytes(store, subject, found))
    except _BROKEN as error:
        # What was found before it is why the rest cannot be read.
        found = found or [Problem(NAME, "store", " ".join(str(error).split()), _HINT)]
    if found:
        return list(found)
    streams, tables = len(store.points), len(store.marks["exports"])
    told = f"{tables} tables and {streams:,} streams are those of the build"
    noted = len(_noted(subject) or ())
    if noted:
        return [Note(NAME, f"{told}, and so are {noted:,} files, byte by byte")]
    older = "the build noted no checksums of files: where readings came from is not compared"
    return [Note(NAME, told), Note(NAME, older, skipped=True)]


def _found(store: Store, subject: Subject) -> Places:
    yield from _tables(store, subject)
    yield from _strange(store)
    yield from _stated(store, subject)
    yield from _origins(store, subject)
    parts = {place: scanned(path) for place, path in _parts(store)}
    yield from _whole(store, parts)
    yield from _streams(store, parts)


def _tables(store: Store, subject: Subject) -> Places:
    stated = store.marks["exports"]
    if digest(stated) != subject.tasks.marks.get("store"):
        yield "store/store.toml", "digests are not those of the set"
    found = export_digests(store.connection)
    for name in sorted({*stated, *found}):
        if stated.get(name) != found.get(name):
            yield f"{_DATABASE}: {name}", "table differs"


def _strange(store: Store) -> Places:
    """Files, tables and columns that no build makes."""
    for path in sorted(store.folder.iterdir()):
        if path.name not in _FILES:
            yield f"store/{path.name}", "does not belong there"
    columns: dict[str, list[str]] = {}
    query = (
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal ORDER BY "
        "schema_name, table_name, column_index"
    )
    for table, column in store.rows(query):
        columns.setdefault(table, []).append(column)
    for name in sorted({*columns, *BY_NAME}):
        if name not in BY_NAME:
            yield f"{_DATABASE}: {name}", "no table of a store"
        elif columns.get(name) != BY_NAME[name].schema.names:
            yield f"{_DATABASE}: {name}", "columns differ"


def _stated(store: Store, subject: Subject) -> Places:
    """What the store says of itself, against the set and its own tables."""
    spec, marks = subject.tasks.spec, subject.tasks.marks
    record = dict(store.rows("SELECT name, text FROM build_record"))
    right: dict[str, Mapping[str, Any]] = {
        "corpus": {
            "name": spec.get("corpus"),
            "title": spec.get("title"),
            "rules": marks.get("rules"),
        },
        "terms": {"licence": spec.get("licence"), "privacy": spec.get("privacy")},
        "contract": {"version": store.contract.version, "digest": marks.get("contract")},
        "versions": {name: record.get(name) for name in ("duckdb", "pyarrow", "numpy")},
    }
    for part, values in right.items():
        for name, value in values.items():
            if store.marks.get(part, {}).get(name) != value:
                yield f"store/store.toml: {part}.{name}", "is not that of the set"
    if store.contract.digest != marks.get("contract") or store.texts["rules"] != marks.get("rules"):
        yield f"{_DATABASE}: contract", "is not that of the set"


def _origins(store: Store, subject: Subject) -> Places:
    """The files that the build read, against the corpus that the set keeps."""
    kept = dict(recorded_files(corpus_of(subject.held)))
    record = dict(store.rows("SELECT name, text FROM build_record"))
    own = {n: t for n, t in record.items() if ":" in n or n == "files"}
    for name in sorted({*kept, *own}):
        if kept.get(name) != own.get(name):
            yield f"{_DATABASE}: build_record", f"{name} is not that of the corpus"


def _parts(store: Store) -> Iterator[tuple[int, Path]]:
    """Every part that the index of streams names, in order."""
    for (part,) in store.rows("SELECT DISTINCT part FROM raw_stream_index ORDER BY part"):
        yield part, store.folder / "observations" / part_name(part)


def _whole(store: Store, parts: Mapping[int, Scanned]) -> Places:
    """Parts by themselves, and files that no stream lies in."""
    known = {part_name(place) for place in parts}
    for path in sorted((store.folder / "observations").iterdir()):
        if path.name not in known:
            yield f"{_PARTS}/{path.name}", "no stream of the store lies in it"
    for place, part in parts.items():
        for problem in part.problems:
            yield f"{_PARTS}/{part_name(place)}", problem


def _streams(store: Store, parts: Mapping[int, Scanned]) -> Places:
    """Count, extent, files and content of every stream; and rows of streams that are none."""
    files = dict(store.rows("SELECT stream, files FROM raw_stream_index"))
    broken = {place for place, part in parts.items() if part.problems}
    left = {(place, number) for place, part in parts.items() for number in part.streams}
    for stream in store.points:
        extent = store.extent(stream)
        left.discard((extent.part, extent.number))
        seen = parts[extent.part].streams.get(extent.number)
        if seen is None or extent.part in broken:
            if extent.part not in broken:
                yield f"{_PARTS}: {stream}", "has no readings"
            continue
        stands = (seen.count, seen.first, seen.last)
        if stands != (extent.count, extent.first, extent.last):
            yield f"{_PARTS}: {stream}", "more, fewer or other readings than the index says"
            continue
        if ",".join(map(str, sorted(seen.files))) != files[stream]:
            yield f"{_PARTS}: {stream}", "readings are of other files than the index says"
        stretch = store.readings(stream, extent.first, extent.last + 1)
        if content_of(stretch) != extent.content:
            yield f"{_PARTS}: {stream}", "readings differ"
    for place, number in sorted(left):
        yield f"{_PARTS}/{part_name(place)}", f"rows of a stream {number} that is none of the store"


def _noted(subject: Subject) -> Mapping[str, str] | None:
    """Checksums of the store's files as the build noted them; None in sets of older versions."""
    file = subject.held.path / "shared" / "build.toml"
    found = read_toml(file, form=BUILD_FORMAT).get("store")
    return found if isinstance(found, dict) else None


def _bytes(store: Store, subject: Subject, told: Sequence[Problem]) -> Places:
    """Files that are not those of the build, but for those of which something was told."""
    noted = _noted(subject)
    if noted is None:
        return
    found, known = checksums(store.folder), {one.where.partition(":")[0] for one in told}
    for name in sorted({*noted, *found}):
        part = _PARTS if f"store/{name}".startswith(_PARTS) else ""
        if noted.get(name) != found.get(name) and not {f"store/{name}", part} & known:
            yield f"store/{name}", "is not the file that was built"
