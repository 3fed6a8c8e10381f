"""`check --only store`: what operations answer from is what the set was built with.

Takes a task set; compares every table of its store with the digest that the store states, all of
them with the mark of the set, and the observations of every stream with the digest of its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchwright.canonical import digest
from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.errors import BenchwrightError
from benchwright.suites.telemetry.rows.evidence import content_of
from benchwright.suites.telemetry.store.exports import export_digests
from benchwright.suites.telemetry.store.open import Store

NAME: Final = "store"
_HINT: Final = "Build the set again, or restore its store; it is never edited."


def check_store(subject: Subject) -> Found:
    """Every table and every stream; cost grows with the observations."""
    store = Store(subject.tasks.path / "store")
    try:
        found = [*_tables(store, subject), *_streams(store)]
    except (BenchwrightError, OSError) as error:
        return [Problem(NAME, "store", str(error), _HINT)]
    if found:
        return list(found)
    streams, tables = len(store.points), len(store.marks["exports"])
    return [Note(NAME, f"{tables} tables and {streams:,} streams are those of the build")]


def _tables(store: Store, subject: Subject) -> Iterator[Problem]:
    stated = store.marks["exports"]
    if digest(stated) != subject.tasks.marks.get("store"):
        yield Problem(NAME, "store/store.toml", "digests are not those of the set", _HINT)
    found = export_digests(store.connection)
    for name in sorted({*stated, *found}):
        if stated.get(name) != found.get(name):
            yield Problem(NAME, f"store/store.duckdb: {name}", "table differs", _HINT)


def _streams(store: Store) -> Iterator[Problem]:
    for stream in store.points:
        extent = store.extent(stream)
        stretch = store.readings(stream, extent.first, extent.last + 1)
        if content_of(stretch) != extent.content:
            yield Problem(NAME, f"store/observations: {stream}", "readings differ", _HINT)
