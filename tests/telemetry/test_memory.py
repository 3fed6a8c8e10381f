"""What a build holds does not follow what it reads: ten times as many readings, the same peak.

Counted is what Python and NumPy allocate, with bounds far below the readings: kept whole, the
larger corpora would take 12 MB more.
"""

from __future__ import annotations

import hashlib
import io
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.pieces import Bounds
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from tests.telemetry.corpora import make

BOUNDS = Bounds(spooled=20_000, piece=4_000)
STEP = 600_000
EPOCH = 1_440_000_000_000
"""Somewhere in 2015: readings near 1970 are refused."""


def long_file(number: int, streams: int, count: int) -> bytes:
    """`count` readings a stream, of all streams at one instant after the other, newest first."""
    rows = streams * count
    at = np.arange(rows)[::-1] // streams + number * count
    names = pa.array([f"s{n:04d}" for n in range(streams)])
    value = np.random.default_rng(number).integers(0, 300, rows) / 10
    columns = {
        "id": names.take(pa.array(np.arange(rows) % streams)),
        "ts": EPOCH + at * STEP,
        "v": value,
    }
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def corpus(folder: Path, files: int, streams: int, count: int) -> Corpus:
    folder.mkdir()
    made = {f"f{n:02d}.parquet": long_file(n, streams, count) for n in range(files)}
    points = "id,class\n" + "".join(f"s{n:04d},Temperature\n" for n in range(streams))
    time = {"column": "ts", "form": "unix_ms", "zone": "UTC"}
    source = {"name": "long", "form": "long_parquet", "stream": "id", "value": "v", "time": time}
    columns = {"stream": "id", "class": "class", "site": "class", "equipment": "id"}
    metadata = {"form": "table", "columns": columns, "files": {"points.csv": digest(points)}}
    (folder / "points.csv").write_text(points)
    return make(folder, made, source, metadata=metadata)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def peak(folder: Path, files: int, streams: int, count: int) -> float:
    """MB at the most while the store is built."""
    made = corpus(folder / "data", files, streams, count)
    tracemalloc.start()
    try:
        store = Store(build_store(made, folder / "store", BOUNDS))
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert store.rows('SELECT sum("count") FROM raw_stream_index') == [(files * streams * count,)]
    return held / 1e6


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> float:
    peak(tmp_path_factory.mktemp("loaded"), 1, 2, 10)  # loads what is loaded on demand
    return peak(tmp_path_factory.mktemp("small"), 4, 10, 1_000)


@pytest.mark.parametrize(
    ("files", "streams", "count"), [(40, 10, 1_000), (4, 100, 1_000), (40, 1, 10_000)]
)
def test_ten_times_as_many_readings_take_no_more_memory(
    small: float, tmp_path: Path, files: int, streams: int, count: int
) -> None:
    found = peak(tmp_path, files, streams, count)
    print(small, found)
    assert found < small + 3
