"""kill -9 at 20 points of a build of conversations: a whole set or none, and the same one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bar import Bar
from benchwright.tasks.taskset import TaskSet

KILLS = 20


def measure() -> Iterator[Bar]:
    """One build undisturbed, 20 that are killed at even distances of its time, one after them."""
    with TemporaryDirectory() as folder:
        calm, torn = Path(folder) / "calm", Path(folder) / "torn"
        start = time.monotonic()
        subprocess.run(_line(calm), check=True, stdout=subprocess.DEVNULL)
        took = time.monotonic() - start
        half = sum(_killed(torn, took * n / (KILLS + 1)) for n in range(1, KILLS + 1))
        subprocess.run(_line(torn), check=True, stdout=subprocess.DEVNULL)
        equal = TaskSet.open(calm).digest == TaskSet.open(torn).digest
    told = f"{KILLS} kills: {half} left half a set; the build after them gives "
    figure = told + ("the same set" if equal else "another set")
    fine = equal and not half
    yield Bar("telemetry", "kill -9 during a build", figure, "no half set, the same set", fine)


def _line(out: Path) -> list[str]:
    return [sys.executable, "-m", "benchwright", "build", "telemetry/demo", "--out", str(out)]


def _killed(out: Path, after: float) -> bool:
    """Start, kill after that many seconds; whether something stands there that is no whole set."""
    child = subprocess.Popen(_line(out), stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        child.wait(after)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    if not out.exists():
        return False
    return not (out / "taskset.toml").is_file()
