"""Memory of a build by the shape of its corpus: ten million readings in few streams and in many.

What is counted is the peak of a process above what it held after a small build.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bar import Bar
from benchmarks.telemetry_build import Built, built
from benchmarks.telemetry_corpus import write_corpus

ROWS = 10_000_000


def measure() -> Iterator[Bar]:
    """Ten times as many streams of equal length; one stream of half and of all readings."""
    few, many = _built(ROWS // 10, 100), _built(ROWS, 1_000)
    yield Bar(
        "telemetry",
        "memory of a build, 100 and 1,000 streams of 10,000 readings",
        f"{few.peak / 1e6:.0f} and {many.peak / 1e6:.0f} MB above libraries: "
        f"{many.peak / few.peak:.2f} x",
        "",
        None,
    )
    half, whole = _built(ROWS // 2, 1), _built(ROWS, 1)
    more = (whole.peak - half.peak) / (ROWS // 2)
    yield Bar(
        "telemetry",
        "memory of a build, one stream of 5 and 10 million readings",
        f"{half.peak / 1e6:.0f} and {whole.peak / 1e6:.0f} MB above libraries: "
        f"{more:.1f} bytes a reading more",
        "17 bytes a reading",
        more <= 17,
    )


def _built(rows: int, streams: int) -> Built:
    with TemporaryDirectory(prefix="bars-") as name:
        write_corpus(Path(name), rows, streams)
        return built(Path(name))
