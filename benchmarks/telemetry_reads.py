"""`python -m benchmarks.telemetry_reads STORE STREAMS`: look-ups in a process of its own.

The address space of the process is limited to 2 GB (RLIMIT_AS), and it has one thread. Exact and
nearest look-ups and reads by key take turns, so that whatever else runs meets all alike. Prints one
JSON document with the milliseconds of each.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from benchwright.suites.telemetry.store.open import Store

LIMIT = 2_000_000_000
"""Bytes of address space: what is mapped counts, whether it is in memory or not."""
READS = 2_000
_KEY = "SELECT * FROM raw_stream_index WHERE stream = ?"
Drawn = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reads:
    """p99 of each kind of read, in ms, and the most that was resident, in bytes."""

    key: float
    exact: float
    nearest: float
    peak: int


def reads(store: Path, streams: int) -> Reads:
    """Measure a store, in another process."""
    command = [sys.executable, "-m", "benchmarks.telemetry_reads", str(store), str(streams)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Reads(**json.loads(done.stdout))


def main(folder: Path, streams: int) -> None:
    """Limit this process, open the store, measure."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    pa.set_cpu_count(1)
    store, draw = Store(folder), random.Random(3)
    names = [f"s{number}" for number in range(streams)]
    for name in names:  # opens every part
        store.around(name, store.extent(name).first)
    exact = [_reading(store, names, draw) for _ in range(READS)]
    near = [_between(store, names, draw) for _ in range(READS)]
    keys = [[draw.choice(names)] for _ in range(READS)]
    times: dict[str, list[float]] = {"key": [], "exact": [], "nearest": []}
    for key, reading, between in zip(keys, exact, near, strict=True):
        times["key"].append(_timed(partial(store.rows, _KEY, key)))
        times["exact"].append(_timed(partial(store.around, *reading)))
        times["nearest"].append(_timed(partial(store.around, *between)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({name: _p99(found) for name, found in times.items()} | {"peak": peak}))


def _between(store: Store, names: list[str], draw: random.Random) -> Drawn:
    """Any instant of a stream; hardly ever one at which there is a reading."""
    stream = draw.choice(names)
    extent = store.extent(stream)
    return stream, draw.randrange(extent.first, extent.last)


def _reading(store: Store, names: list[str], draw: random.Random) -> Drawn:
    """An instant at which a stream has a reading."""
    stream, at = _between(store, names, draw)
    return stream, store.around(stream, at)[0][0]


def _timed(read: Callable[[], object]) -> float:
    start = time.perf_counter()
    read()
    return (time.perf_counter() - start) * 1000


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
