"""kill -9 at random points of a run, then the same command again until nothing is owed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from benchmarks.bar import Bar
from benchmarks.reference_runs import boxes_left, command, direct_tasks, finished, sums

KILLS = 20
SEED = 7


def measure() -> Iterator[Bar]:
    """20 kills in one run of 200 episodes, compared with the same run undisturbed."""
    with direct_tasks() as tasks, TemporaryDirectory(prefix="bars-") as folder:
        calm, torn = Path(folder) / "calm", Path(folder) / "torn"
        before = _folders()
        start = time.monotonic()
        finished(command(tasks, calm))
        took = time.monotonic() - start
        kills, again = _torn(command(tasks, torn), torn, took)
        code = finished(command(tasks, torn))
        equal = sums(calm) == sums(torn)
        time.sleep(1.0)
        left, folders = boxes_left(), sorted(_folders() - before)
    yield Bar("running", "kill -9 at random points", f"{kills} kills", "20", kills >= KILLS)
    text = f"{again} of the episodes closed before a kill were written again"
    yield Bar("running", "finished episodes run again", text, "0", again == 0)
    told = "equal" if equal else "differ"
    yield Bar(
        "running",
        "episodes, tokens, money, tool calls and scores against the undisturbed run",
        f"{told}, exit code {code}",
        "equal, exit code 0",
        equal and code == 0,
    )
    rest = f"{len(left)} processes, {len(folders)} folders {folders[:3]}"
    yield Bar("running", "sandboxes left behind", rest, "none", not left and not folders)


def _torn(line: list[str], run: Path, took: float) -> tuple[int, int]:
    """Start and kill until 20 kills are done; how often, and finished records that changed."""
    draw = random.Random(SEED)
    kills, changed = 0, 0
    while kills < KILLS:
        records = _records(run)
        child = subprocess.Popen(line, stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            child.wait(draw.uniform(0.2, max(1.0, took * 0.3)))
        except subprocess.TimeoutExpired:
            os.kill(child.pid, signal.SIGKILL)
            kills += 1
        child.wait()
        changed += sum(1 for path, stamp in records.items() if _stamp(path) != stamp)
        if child.returncode == 0:
            break
    return kills, changed


def _records(run: Path) -> dict[Path, tuple[int, int] | None]:
    return {path: _stamp(path) for path in run.glob("episodes/*/episode.json")}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _folders() -> set[str]:
    """Entries of the temporary folder that carry the name of the project."""
    return {name for name in os.listdir(gettempdir()) if "benchwright" in name}
