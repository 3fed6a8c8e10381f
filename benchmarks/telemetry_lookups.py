"""Look-ups in a large store, one thread, beside reading one row of the same store by its key.

Ten streams of equal length in one store; readings every ten minutes with jitter and some long gaps.
BENCHWRIGHT_LOOKUP_ROWS is how many there are in all; the bar is about 100 million.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.bar import Bar
from benchwright.canonical import digest_file
from benchwright.suites.telemetry.corpus.load import Corpus, parse_corpus
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store

ROWS = int(os.environ.get("BENCHWRIGHT_LOOKUP_ROWS", "100000000"))
STREAMS = 10
READS = 400
STEP_MS = 600_000


def measure() -> Iterator[Bar]:
    """p99 of both look-ups and of reading by key, in milliseconds, and sizes."""
    with TemporaryDirectory(prefix="bars-") as name:
        folder = Path(name)
        raw = _write(folder)
        start = time.perf_counter()
        store = Store(build_store(_corpus(folder), folder / "store"))
        took = time.perf_counter() - start
        size = sum(p.stat().st_size for p in store.folder.rglob("*") if p.is_file())
        key = _p99(lambda draw: store.rows(_KEY, [f"s{draw.randrange(STREAMS)}"]))
        exact = _p99(lambda draw: store.around(*_exact(store, draw)))
        near = _p99(lambda draw: store.around(*_between(store, draw)))
    rows = f"{ROWS / 1e6:.0f} million observations"
    most = 3 * key
    for kind, found in (("exact", exact), ("nearest", near)):
        figure = f"p99 {found:.1f} ms; by key {key:.1f} ms"
        met = found <= most if ROWS >= 100_000_000 else None
        must = "3 x a read by key, on 100 million"
        yield Bar("telemetry", f"{kind} look-up, {rows}", figure, must, met)
    text = f"{size / 1e6:.0f} MB of store for {raw / 1e6:.0f} MB of Parquet, built in {took:.0f} s"
    yield Bar("telemetry", f"size, {rows}", text, "", None)


_KEY = "SELECT * FROM raw_stream_index WHERE stream = ?"


def _p99(read: Callable[[random.Random], object]) -> float:
    draw, times = random.Random(3), []
    for turn in range(READS + 20):
        start = time.perf_counter()
        read(draw)
        if turn >= 20:  # the first ones open files
            times.append(time.perf_counter() - start)
    return sorted(times)[int(len(times) * 0.99)] * 1000


def _exact(store: Store, draw: random.Random) -> tuple[str, int]:
    stream, at = _between(store, draw)
    return stream, store.around(stream, at)[0][0]


def _between(store: Store, draw: random.Random) -> tuple[str, int]:
    stream = f"s{draw.randrange(STREAMS)}"
    extent = store.extent(stream)
    return stream, draw.randrange(extent.first, extent.last)


def _write(folder: Path) -> int:
    draw = np.random.default_rng(5)
    count = ROWS // STREAMS
    step = min(STEP_MS, 1_500_000 * STEP_MS // count)  # all lie before 2099
    path = folder / "long.parquet"
    schema = pa.schema({"id": pa.string(), "ts": pa.int64(), "v": pa.float64()})
    with pq.ParquetWriter(path, schema) as writer:
        for number in range(STREAMS):
            steps = step + draw.integers(-step // 30, step // 30, count)
            steps[draw.integers(0, count, 5)] += 3 * 86_400_000
            ts = 100_000_000_000 + np.cumsum(steps)
            value = draw.integers(150, 300, count) / 10
            names = pa.array([f"s{number}"]).take(pa.array(np.zeros(count, dtype=np.int64)))
            writer.write_table(pa.table([names, ts, value], schema=schema))
    table = "id,class\n" + "".join(f"s{n},T\n" for n in range(STREAMS))
    (folder / "points.csv").write_text(table, encoding="utf-8")
    return path.stat().st_size


def _corpus(folder: Path) -> Corpus:
    files = {name: digest_file(folder / name) for name in ("long.parquet", "points.csv")}
    source = {
        "name": "long",
        "form": "long_parquet",
        "files": {"long.parquet": files["long.parquet"]},
        "stream": "id",
        "value": "v",
        "time": {"column": "ts", "form": "unix_ms", "zone": "UTC"},
    }
    columns = {"stream": "id", "class": "class", "site": "class", "equipment": "id"}
    metadata = {"form": "table", "files": {"points.csv": files["points.csv"]}, "columns": columns}
    head = {"format": "benchwright.corpus/1", "name": "large", "title": "large"}
    words = {"licence": "made here", "privacy": "nobody's", "metadata": metadata}
    kinds = [{"name": "T", "kind": "instant"}]
    return parse_corpus({**head, **words, "class": kinds, "source": [source]}, "large", folder)
