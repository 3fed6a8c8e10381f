"""What one reference episode costs on the way through Inspect and the sandbox."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bar import Bar
from benchmarks.reference_runs import PARALLEL, command, direct_tasks, finished, sums


def measure() -> Iterator[Bar]:
    """200 reference episodes, 8 at a time: wall time for each, peak memory of the runner."""
    with direct_tasks() as tasks, TemporaryDirectory(prefix="bars-") as folder:
        out = Path(folder) / "run"
        start = time.monotonic()
        code = finished(command(tasks, out))
        seconds = time.monotonic() - start
        count = int(str(sums(out)["episodes"]))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    yield Bar(
        "running",
        f"{count} reference episodes, {PARALLEL} at a time, all closed",
        f"{count} closed, exit code {code}",
        "all of them, exit code 0",
        code == 0 and count >= 200,
    )
    each = f"{seconds / count * 1000:.0f} ms wall time each, {seconds:.1f} s in all with start-up"
    yield Bar("running", "overhead of one reference episode", each, "", None)
    yield Bar("running", "largest process of that run", f"{peak:.0f} MB resident", "", None)
