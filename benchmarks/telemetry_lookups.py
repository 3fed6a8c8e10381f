"""A large store: memory of its build, its size, and look-ups beside reading one row by its key.

Ten streams of equal length. BENCHWRIGHT_LOOKUP_ROWS is how many readings there are in all; the bars
are about 100 million. The same is built at a tenth, for the memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bar import Bar
from benchmarks.telemetry_build import Built, built
from benchmarks.telemetry_corpus import write_corpus
from benchmarks.telemetry_reads import LIMIT, Reads, reads

ROWS = int(os.environ.get("BENCHWRIGHT_LOOKUP_ROWS", "100000000"))
FULL = 100_000_000
STREAMS = 10


@dataclass(frozen=True, slots=True)
class _Store:
    build: Built
    raw: int
    size: int
    reads: Reads


def measure() -> Iterator[Bar]:
    """p99 of both look-ups against a read by key; peaks of two builds; sizes."""
    tenth, whole = _store(ROWS // 10), _store(ROWS)
    yield from _looked_up(whole)
    low, high = tenth.build.peak, whole.build.peak
    yield Bar(
        "telemetry",
        f"memory of a build, {ROWS / 1e7:.0f} and {ROWS / 1e6:.0f} million observations",
        f"{low / 1e6:.0f} and {high / 1e6:.0f} MB above libraries: {high / low:.2f} x",
        "1.5 x, at 10 and 100 million",
        high <= 1.5 * low if ROWS >= FULL else None,
    )
    raw, size = whole.raw / 1e6, whole.size / 1e6
    text = f"{size:.0f} MB of store for {raw:.0f} MB of Parquet, {size / raw:.2f} x; "
    pace = f"built in {whole.build.seconds:.0f} s"
    yield Bar("telemetry", f"size, {ROWS / 1e6:.0f} million observations", text + pace, "", None)


def _looked_up(store: _Store) -> Iterator[Bar]:
    key, peak = store.reads.key, store.reads.peak
    for kind, found in (("exact", store.reads.exact), ("nearest", store.reads.nearest)):
        yield Bar(
            "telemetry",
            f"{kind} look-up, {ROWS / 1e6:.0f} million observations",
            f"p99 {found:.1f} ms; by key {key:.1f} ms: {found / key:.2f} x "
            f"(RLIMIT_AS {LIMIT / 1e9:.0f} GB, {peak / 1e6:.0f} MB resident)",
            "3 x a read by key, on 100 million",
            found <= 3 * key if ROWS >= FULL else None,
        )


def _store(rows: int) -> _Store:
    with TemporaryDirectory(prefix="bars-") as name:
        folder = Path(name)
        raw = write_corpus(folder, rows, STREAMS)
        build, store = built(folder), folder / "store"
        size = sum(p.stat().st_size for p in store.rglob("*") if p.is_file())
        return _Store(build, raw, size, reads(store, STREAMS))
