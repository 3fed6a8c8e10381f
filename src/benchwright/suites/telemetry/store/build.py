"""`build_store`: a corpus becomes a store on disk.

Takes a corpus; gives a folder that is complete or absent. Two passes: every stream once, with all
that can be said of it alone; then thresholds of the training part, and outcomes by them.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright.canonical import canonical_json
from benchwright.errors import SpecError
from benchwright.storage import Partial, write_toml
from benchwright.suites.telemetry.contract.holdout import is_held, trains
from benchwright.suites.telemetry.contract.model import PERIODS, Contract, read_contract
from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.extra import need
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.pieces import BOUNDS, Bounds
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.store import rows
from benchwright.suites.telemetry.store.ambiguity import ambiguities
from benchwright.suites.telemetry.store.exports import export_digests
from benchwright.suites.telemetry.store.tables import BY_NAME
from benchwright.suites.telemetry.store.thresholds import (
    aggregate_thresholds,
    columns_of,
)
from benchwright.suites.telemetry.store.weeks import Weeks
from benchwright.suites.telemetry.store.writing import ObservationWriter, TableWriter

STORE_FORMAT = "benchwright.store-record/1"
MEMORY = "1GB"
"""Of DuckDB, when a store is read."""
_BUILDING = "128MB"
"""Of DuckDB, when one is built; sorts that need more use files."""


def build_store(corpus: Corpus, out: Path, bounds: Bounds = BOUNDS) -> Path:
    """Build the store of `corpus` as the folder `out`; memory follows `bounds`.

    Raises:
        SpecError: the corpus cannot be read as it says, or `out` exists.
        MissingExtraError: DuckDB, or what its metadata need, is not installed.
    """
    if out.exists():
        raise SpecError(
            "store exists",
            value=str(out),
            where="--out",
            hint="Remove it, or choose another folder.",
        )
    duckdb = need("duckdb")
    contract = read_contract(corpus.contract, corpus.where)
    own = Partial(out)
    work = own.path
    try:
        (work / "spool").mkdir()
        adapter = Adapter(corpus, work / "spool", bounds)
        with _building(work) as connection:
            _Build(adapter, contract, connection, work).run()
            marks = export_digests(connection)
            connection.execute("CHECKPOINT")  # else rows can lie in a journal beside the file
        shutil.rmtree(work / "spool")
        write_toml(work / "store.toml", _marks(corpus, contract, marks, duckdb.__version__))
        work.chmod(0o755)
        work.rename(out)
        own.release()
    except duckdb.Error as error:
        own.remove()
        raise SpecError(
            "store cannot be written",
            value=" ".join(str(error).replace(f"{work.absolute()}/", "").split()),
            where=out,
            hint="Look at the room and the limits of files there, or choose another folder.",
        ) from error
    except BaseException:
        own.remove()
        raise
    return out


def opened(path: Path) -> Any:
    """A connection for reading that takes one thread and `MEMORY`."""
    return _connected(path, read_only=True, memory_limit=MEMORY)


def _building(work: Path) -> Any:
    config = {"memory_limit": _BUILDING, "temp_directory": str(work / "spool" / "tables")}
    return _connected(work / "store.duckdb", read_only=False, **config)


def _connected(path: Path, *, read_only: bool, **more: str) -> Any:
    """A connection that draws no bar into answers.

    DuckDB would take every thread and most of the memory, and write its progress to stdout.
    """
    config = {"threads": 1, "preserve_insertion_order": True, **more}
    connection = need("duckdb").connect(str(path), read_only=read_only, config=config)
    connection.execute("SET enable_progress_bar = false")
    return connection


class _Build:
    """One build; its parts in the order in which they run."""

    def __init__(self, adapter: Adapter, contract: Contract, connection: Any, work: Path) -> None:
        self._adapter, self._contract, self._connection = adapter, contract, connection
        self._tables = TableWriter(connection)
        self._observations = ObservationWriter(work / "observations")
        self._calendars = {"utc": zone("UTC"), "local": zone(adapter.corpus.file.zone)}
        self._weeks = Weeks(work / "spool" / "weeks", contract.quality)
        self._dropped: dict[str, tuple[int, ...]] = {}

    def run(self) -> None:
        """Write every table."""
        points = list(self._adapter.points.values())
        self._points(points)
        self._streams()
        self._observations.close()
        self._tables.add(BY_NAME["ambiguity"], ambiguities(points))
        self._tables.close()
        self._judged(points)
        self._tables.add(BY_NAME["contract"], _texts(self._contract_texts()))
        self._tables.add(BY_NAME["build_record"], _texts(self._record()))
        self._tables.close()

    def _points(self, points: list[Point]) -> None:
        fields = BY_NAME["points"].schema.names[1:]
        found = {name: [getattr(p, name) for p in points] for name in fields}
        self._tables.add(BY_NAME["points"], {"number": list(range(len(points))), **found})
        owners = [
            (p.stream, o) for p in points for o in sorted(p.owners, key=lambda o: (o.role, o.name))
        ]
        self._tables.add(
            BY_NAME["owners"],
            {
                "stream": [stream for stream, _ in owners],
                "name": [o.name for _, o in owners],
                "class": [o.kind for _, o in owners],
                "role": [o.role for _, o in owners],
                "representative": [o.representative for _, o in owners],
            },
        )
        lost = self._adapter.unmatched
        self._tables.add(
            BY_NAME["unmatched"],
            {
                "stream": [u.stream for u in lost],
                "reason": [u.reason for u in lost],
                "site": [u.point.site if u.point else None for u in lost],
                "point_class": [u.point.point_class if u.point else None for u in lost],
            },
        )

    def _streams(self) -> None:
        classes = self._adapter.corpus.classes
        for number, (point, stream, steps) in enumerate(self._adapter.streams()):
            s = rows.subject_of(
                point,
                stream,
                steps,
                classes.get(point.point_class),
                self._calendars,
                self._contract,
            )
            if stream.dropped:
                self._dropped[stream.id] = stream.dropped
            part = self._observations.add(number, stream.pieces, len(stream.pieces))
            self._tables.add(BY_NAME["raw_stream_index"], rows.index_row(s, part))
            self._tables.add(BY_NAME["stream_quality"], rows.stream_row(s))
            self._tables.add(BY_NAME["calendar_profiles"], rows.profile_rows(s))
            self._tables.add(BY_NAME["previews"], rows.preview_rows(s))
            for period in PERIODS:
                for calendar in ("local", "utc"):
                    for found in rows.period_rows(s, period, calendar):
                        self._tables.add(BY_NAME[f"aggregates_{period}"], found)
            self._measured(s)

    def _measured(self, s: rows.Subject) -> None:
        local = self._calendars["local"]
        for windows, measures in rows.week_measures(s):
            inner = [w.start > s.window.start and w.end < s.window.end for w in windows]
            training = [
                inside and trains([s.point], w, self._contract, local)
                for w, inside in zip(windows, inner, strict=True)
            ]
            self._weeks.add(s.stream.id, windows, measures, training)

    def _judged(self, points: list[Point]) -> None:
        found = self._weeks.thresholds()
        held = [p.stream for p in points if is_held(p, self._contract)]
        local = self._calendars["local"]
        found += aggregate_thresholds(self._connection, self._contract, held, local)
        self._tables.add(BY_NAME["thresholds"], columns_of(found))
        for judged in self._weeks.judged(found):
            self._tables.add(BY_NAME["quality_weeks"], judged)

    def _contract_texts(self) -> Iterator[tuple[str, str]]:
        file = self._adapter.corpus.file
        classes = [c.model_dump(mode="json") for c in sorted(file.class_, key=lambda c: c.name)]
        steps = {
            s: [asdict(one) for one in found] for s, found in sorted(self._adapter.steps.items())
        }
        yield "bias", json.dumps(file.bias, ensure_ascii=False)
        yield "classes", canonical_json(classes).decode()
        yield "contract", canonical_json(self._contract.document()).decode()
        yield "corpus", file.name
        yield "rules", self._adapter.corpus.rules
        yield "steps", canonical_json(steps).decode()
        yield "zone", file.zone

    def _record(self) -> Iterator[tuple[str, str]]:
        yield from _record(self._adapter.corpus)
        if self._dropped:
            yield "conflicts", canonical_json(self._dropped).decode()


def _texts(pairs: Any) -> Mapping[str, list[str]]:
    ordered = sorted(pairs)
    return {"name": [name for name, _ in ordered], "text": [text for _, text in ordered]}


def recorded_files(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Rows of `build_record` about files: checksums by name, and the order of their numbers."""
    for source in corpus.file.source:
        for path, sha256 in source.files.items():
            yield f"source:{path}", sha256
    for path, sha256 in (corpus.file.metadata.files if corpus.file.metadata else {}).items():
        yield f"metadata:{path}", sha256
    yield "files", canonical_json(list(corpus.paths)).decode()


def _record(corpus: Corpus) -> Iterator[tuple[str, str]]:
    yield from recorded_files(corpus)
    yield "python", platform.python_version()
    yield "numpy", np.__version__
    yield "pyarrow", pa.__version__
    yield "duckdb", need("duckdb").__version__


def _marks(
    corpus: Corpus, contract: Contract, exports: Mapping[str, str], duckdb: str
) -> dict[str, Any]:
    file = corpus.file
    return {
        "format": STORE_FORMAT,
        "corpus": {"name": file.name, "title": file.title, "rules": corpus.rules},
        "terms": {"licence": file.licence, "privacy": file.privacy},
        "contract": {"version": contract.version, "digest": contract.digest},
        "exports": dict(exports),
        "versions": {"duckdb": duckdb, "pyarrow": pa.__version__, "numpy": np.__version__},
    }
