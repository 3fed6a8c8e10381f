"""A corpus of many readings, made up: a long Parquet file and a table of its streams.

Streams of equal length; readings every ten minutes, or closer where there would be too many, with
jitter and some long gaps.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.canonical import digest_file
from benchwright.suites.telemetry.corpus.load import Corpus, parse_corpus

STEP_MS = 600_000


def write_corpus(folder: Path, rows: int, streams: int) -> int:
    """Write `rows` readings in all; the bytes of the Parquet file."""
    draw = np.random.default_rng(5)
    count = rows // streams
    step = min(STEP_MS, 1_500_000 * STEP_MS // count)  # all lie before 2099
    path = folder / "long.parquet"
    schema = pa.schema({"id": pa.string(), "ts": pa.int64(), "v": pa.float64()})
    with pq.ParquetWriter(path, schema) as writer:
        for number in range(streams):
            began = 100_000_000_000
            for piece in range(0, count, 1_000_000):
                size = min(1_000_000, count - piece)
                steps = step + draw.integers(-step // 30, step // 30, size)
                steps[draw.integers(0, size, 1)] += 3 * 86_400_000
                ts = began + np.cumsum(steps)
                began = int(ts[-1])
                value = draw.integers(150, 300, size) / 10
                names = pa.array([f"s{number}"]).take(pa.array(np.zeros(size, dtype=np.int64)))
                writer.write_table(pa.table([names, ts, value], schema=schema))
    table = "id,class\n" + "".join(f"s{n},T\n" for n in range(streams))
    (folder / "points.csv").write_text(table, encoding="utf-8")
    return path.stat().st_size


def corpus_of(folder: Path) -> Corpus:
    """The corpus that `write_corpus` wrote."""
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
