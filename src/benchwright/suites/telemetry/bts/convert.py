"""`read_archive`: an archive of pickled streams becomes one Parquet file with lineage, once.

    <folder>/observations.parquet   stream_id, row, time (ms, UTC), value; in the archive's order
    <folder>/lineage.json           source, every member, rows kept and dropped; written last

Memory is bounded by the largest member: one is read, turned into rows and written before the next.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.canonical import digest_file
from benchwright.errors import FormatError
from benchwright.storage import replacing
from benchwright.suites.telemetry.bts.frames import Member, opened
from benchwright.suites.telemetry.bts.limits import ArchiveLimits, Layout
from benchwright.suites.telemetry.bts.lineage import (
    FILE,
    Lineage,
    Meaning,
    Source,
    StreamRecord,
    read_lineage,
    write_lineage,
)
from benchwright.suites.telemetry.bts.rows import Rows, rows

OBSERVATIONS: Final = "observations.parquet"
SCHEMA: Final = pa.schema(
    [
        pa.field("stream_id", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("row", pa.int32(), nullable=False),
        pa.field("time", pa.timestamp("ms", tz="UTC"), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
    ]
)
_GROUP: Final = 1 << 20
"""Rows of a row group: short streams share one."""
_ENCODINGS: Final = {"row": "DELTA_BINARY_PACKED", "time": "DELTA_BINARY_PACKED"}


@dataclass(frozen=True, slots=True)
class Converted:
    """A finished conversion."""

    folder: Path
    observations: Path
    lineage: Lineage


def read_archive(
    path: Path,
    folder: Path,
    limits: ArchiveLimits | None = None,
    layout: Layout | None = None,
) -> Converted:
    """Convert the archive at `path` into `folder`; what is already there is not made again.

    `folder` is created; a conversion of the same bytes with the same layout is taken as it is, one
    of others is replaced.

    Raises:
        FormatError: the archive or a member is refused; `folder` has no `lineage.json` then.
        IsolationError: no process can be confined here.
    """
    limits, layout = limits or ArchiveLimits(), layout or Layout()
    with _open(path) as source:
        before = _state(source)
        origin = Source(path.name, before[0], _digest(source))
        meaning = _meaning(layout)
        there = _there(folder, origin, meaning)
        if there is not None:
            return there
        (folder / FILE).unlink(missing_ok=True)
        left_out, records = _convert(source, path, folder, limits, layout)
        if _state(source) != before:
            hint = "Read it again when nothing writes to it."
            raise _refused("archive changed while it was read", origin.sha256[:12], path, hint)
    written = folder / OBSERVATIONS
    lineage = Lineage(origin, meaning, digest_file(written), left_out, tuple(records))
    write_lineage(folder, lineage)
    return Converted(folder, written, lineage)


def open_converted(folder: Path) -> Converted:
    """A conversion that was made before; FormatError if its Parquet file is another."""
    lineage = read_lineage(folder)
    file = folder / OBSERVATIONS
    found = digest_file(file) if file.is_file() else "absent"
    if found != lineage.observations_sha256:
        raise FormatError(
            "observations differ from their lineage",
            value=found[:12],
            where=file,
            hint="Remove the folder and convert the archive again.",
        )
    return Converted(folder, file, lineage)


def _there(folder: Path, origin: Source, meaning: Meaning) -> Converted | None:
    if not (folder / FILE).exists():
        return None
    lineage = read_lineage(folder)
    if (lineage.source, lineage.meaning) != (origin, meaning):
        return None
    return open_converted(folder)


def _convert(
    source: IO[bytes], path: Path, folder: Path, limits: ArchiveLimits, layout: Layout
) -> tuple[tuple[str, ...], list[StreamRecord]]:
    records: list[StreamRecord] = []
    members: dict[str, str] = {}
    with (
        opened(source, path, layout, limits) as contents,
        replacing(folder / OBSERVATIONS) as file,
        _writer(file) as writer,
    ):
        batch = _Batch(writer)
        for member in contents.members:
            record, kept = _stream(member, path, layout)
            earlier = members.setdefault(record.stream, member.name)
            if earlier != member.name:
                raise _refused(
                    "two members hold the same stream",
                    record.stream,
                    f"{path}, {earlier} and {member.name}",
                    "Name the one that is not meant in `ignored`.",
                )
            records.append(record)
            batch.add(record.stream, kept)
        batch.flush()
        return contents.left_out, records


def _stream(member: Member, path: Path, layout: Layout) -> tuple[StreamRecord, Rows]:
    where = f"{path}, {member.name}"
    named = layout.stream_of(member.identifier)
    if named is None:
        hint = "Correct the pattern `identifier` of the layout."
        raise _refused("identifier names no stream", member.identifier, where, hint)
    kept = rows(member.times, member.values, layout)
    if kept is None:
        hint = "Times are datetime64, or seconds since 1970 in float64 or integers of 32 bits."
        raise _refused("times are of a type that is not read", member.times.dtype.str, where, hint)
    if kept.dropped.get("time out of range", 0) == len(member.times) > 0:
        hint = "Times are seconds since 1970 (UTC); correct the range if it is meant."
        raise _refused("no time of the stream is in range", str(member.times[0]), where, hint)
    return _record(member, named, kept), kept


def _record(member: Member, named: tuple[str, str], kept: Rows) -> StreamRecord:
    ms = kept.time_ms
    return StreamRecord(
        member=member.name,
        sha256=member.sha256,
        bytes=member.size,
        protocol=member.protocol,
        identifier=member.identifier,
        site=named[0],
        stream=named[1],
        time_type=member.times.dtype.str,
        value_type=member.values.dtype.str,
        rows=len(member.times),
        kept=len(ms),
        dropped=kept.dropped,
        first_ms=int(ms.min()) if len(ms) else None,
        last_ms=int(ms.max()) if len(ms) else None,
        cut_times=kept.cut_times,
        rounded_values=kept.rounded_values,
        backwards=kept.backwards,
        repeated=kept.repeated,
    )


class _Batch:
    """Rows of short streams, gathered until they are worth a row group."""

    def __init__(self, writer: pq.ParquetWriter) -> None:
        self._writer = writer
        self._tables: list[pa.Table] = []
        self._count = 0

    def add(self, stream: str, kept: Rows) -> None:
        """Rows of one stream."""
        if len(kept.row) == 0:
            return
        codes = pa.DictionaryArray.from_arrays(_zeros(len(kept.row)), [stream])
        time = pa.array(kept.time_ms).cast(SCHEMA.field("time").type)
        columns = [codes, pa.array(kept.row), time, pa.array(kept.value)]
        self._tables.append(pa.table(columns, schema=SCHEMA))
        self._count += len(kept.row)
        if self._count >= _GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered."""
        if self._tables:
            whole = pa.concat_tables(self._tables).unify_dictionaries()
            self._writer.write_table(whole, row_group_size=_GROUP)
        self._tables, self._count = [], 0


def _zeros(count: int) -> Any:
    return pa.nulls(count, pa.int32()).fill_null(0)


def _writer(file: IO[bytes]) -> Any:
    return pq.ParquetWriter(
        file,
        SCHEMA,
        compression="zstd",
        use_dictionary=["stream_id", "value"],
        column_encoding=_ENCODINGS,
    )


def _meaning(layout: Layout) -> Meaning:
    texts = (layout.member, layout.ignored, layout.identifier)
    return Meaning(*texts, layout.earliest_ms, layout.latest_ms)


def _open(path: Path) -> BufferedReader:
    try:
        if path.is_file():
            return path.open("rb")
        found = "a folder" if path.is_dir() else "no file"
    except OSError as error:
        found = error.strerror or str(error)
    raise _refused("archive cannot be read", found, path, "Name the archive, a zip file.")


def _state(source: IO[bytes]) -> tuple[int, int]:
    status = os.fstat(source.fileno())
    return status.st_size, status.st_mtime_ns


def _digest(source: BufferedReader) -> str:
    source.seek(0)
    return hashlib.file_digest(source, "sha256").hexdigest()


def _refused(problem: str, value: object, where: object, hint: str) -> FormatError:
    return FormatError(problem, value=value, where=where, hint=hint)


def members(
    path: Path, limits: ArchiveLimits | None = None, layout: Layout | None = None
) -> Iterator[Member]:
    """Every member of an archive as it stands there, for those who do not want rows."""
    limits, layout = limits or ArchiveLimits(), layout or Layout()
    with _open(path) as source, opened(source, path, layout, limits) as contents:
        yield from contents.members
