"""Where every row of a conversion comes from: `lineage.json` beside the Parquet file.

Takes and gives records; the file is machine-written and strictly read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchwright.canonical import plain
from benchwright.storage import read_json, write_json
from benchwright.storage.records import Count, Digest, Text, record

FORM: Final = "benchwright.bts-lineage/1"
FILE: Final = "lineage.json"


@dataclass(frozen=True, slots=True)
class Source:
    """The archive that was converted."""

    name: Text
    """Of the file, without folders."""
    bytes: Count
    sha256: Digest


@dataclass(frozen=True, slots=True)
class Meaning:
    """How names and times were read; another meaning is another conversion."""

    member: Text
    ignored: tuple[str, ...]
    identifier: Text
    earliest_ms: int
    latest_ms: int


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """One member: what it is, and what became of its rows."""

    member: Text
    sha256: Digest
    """Of the pickle, unpacked."""
    bytes: Count
    protocol: Count
    identifier: Text
    site: Text
    stream: Text
    time_type: Text
    """As NumPy writes it: `<M8[ns]`, or `<f8` and the like for seconds since 1970."""
    value_type: Text
    rows: Count
    kept: Count
    dropped: Mapping[str, Count]
    """Rows per reason; with `kept` they add up to `rows`."""
    first_ms: int | None
    """Least and greatest time kept; None in an empty stream."""
    last_ms: int | None
    cut_times: Count
    rounded_values: Count
    backwards: Count
    repeated: Count


@dataclass(frozen=True, slots=True)
class Lineage:
    """The whole record of one conversion."""

    source: Source
    meaning: Meaning
    observations_sha256: Digest
    """Of the Parquet file beside it."""
    left_out: tuple[str, ...]
    """Names in the archive that were not read, as the layout says."""
    streams: tuple[StreamRecord, ...]
    """In the order of the archive's bytes, which is that of the rows."""

    @property
    def rows(self) -> int:
        """Rows of all members."""
        return sum(stream.rows for stream in self.streams)

    @property
    def kept(self) -> int:
        """Rows in the Parquet file."""
        return sum(stream.kept for stream in self.streams)


def write_lineage(folder: Path, lineage: Lineage) -> None:
    """Write `lineage.json` atomically."""
    data = plain(lineage)
    assert isinstance(data, dict)
    write_json(folder / FILE, {"format": FORM, **data})


def read_lineage(folder: Path) -> Lineage:
    """The record of a finished conversion; FormatError where it is damaged or of a newer number."""
    path = folder / FILE
    return record(Lineage, read_json(path, form=FORM), path)
