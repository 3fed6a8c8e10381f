"""`python -m benchmarks.log_fold NAME LOG`: one pass over a log, its time and its memory.

Prints one JSON document: seconds, and the bytes that the process held at its peak above what it
held after its imports (a process of its own, so nothing else is counted).
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final


def timeline(path: Path) -> int:
    """Entries of the timeline."""
    from benchwright.trajectory.folds import run_folds
    from benchwright.trajectory.log import open_log
    from benchwright.trajectory.timeline import Timeline

    fold = Timeline()
    run_folds(open_log(path), fold)
    return len(fold.entries)


def files(path: Path) -> int:
    """Changes of files."""
    from benchwright.trajectory.files.history import FileChanges
    from benchwright.trajectory.folds import run_folds
    from benchwright.trajectory.log import open_log

    fold = FileChanges()
    run_folds(open_log(path), fold)
    return len(fold.changes)


def searches(path: Path) -> int:
    """Retrievals."""
    from benchwright.trajectory.folds import run_folds
    from benchwright.trajectory.log import open_log
    from benchwright.trajectory.searches import Searches

    fold = Searches()
    run_folds(open_log(path), fold)
    return len(fold.searches)


def metrics(path: Path) -> int:
    """Tool calls, with every other figure of the log."""
    from benchwright.trajectory.log import open_log
    from benchwright.trajectory.metrics.fold import measure

    return measure(open_log(path)).together.tool_calls or 0


def to_atif(path: Path) -> int:
    """Steps of the ATIF document, which goes nowhere."""
    from benchwright.trajectory.log import open_log
    from benchwright.trajectory.to_atif.convert import write_atif

    class Nowhere(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    return write_atif(open_log(path), Nowhere()).steps


def plain_json(path: Path) -> int:
    """The reference: `json.loads` of every line, or of the whole where it is one document."""
    if path.suffix == ".json":
        return len(json.loads(path.read_bytes()))
    found = 0
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
            found += 1
    return found


FOLDS: Final[dict[str, Callable[[Path], int]]] = {
    "timeline": timeline,
    "files": files,
    "searches": searches,
    "metrics": metrics,
    "atif": to_atif,
    "json": plain_json,
}


def _held(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    return 0


def main(name: str, path: Path) -> None:
    """Measure one fold; a first pass over a few lines loads what is loaded on demand."""
    small = path.with_name(f"small-{path.name}")
    if small.exists():
        FOLDS[name](small)
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before, start = _held("VmRSS"), time.monotonic()
    found = FOLDS[name](path)
    seconds = time.monotonic() - start
    print(json.dumps({"found": found, "seconds": seconds, "bytes": _held("VmHWM") - before}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
