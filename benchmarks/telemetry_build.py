"""`python -m benchmarks.telemetry_build FOLDER`: one build in a process of its own.

Builds the corpus in FOLDER as FOLDER/store. Prints one JSON document: seconds, and the bytes that
the process held at its peak above what it held after a small build.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.telemetry_corpus import corpus_of, write_corpus
from benchwright.suites.telemetry.store.build import build_store


@dataclass(frozen=True, slots=True)
class Built:
    """What one build took."""

    seconds: float
    peak: int
    """Bytes above what the process held after a small build, its libraries included."""


def built(folder: Path) -> Built:
    """Build the corpus in `folder`, in another process."""
    command = [sys.executable, "-m", "benchmarks.telemetry_build", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Built(**json.loads(done.stdout))


def main(folder: Path) -> None:
    """Build; a small build before loads what is loaded on demand."""
    with TemporaryDirectory(prefix="bars-") as name:
        write_corpus(Path(name), 1_000, 10)
        build_store(corpus_of(Path(name)), Path(name) / "store")
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before, start = _held("VmRSS"), time.perf_counter()
    build_store(corpus_of(folder), folder / "store")
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "peak": _held("VmHWM") - before}))


def _held(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
