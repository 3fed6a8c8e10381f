"""What a newcomer waits for: both commands of the README from a fresh clone, first and second time.

Clones the commit that is checked out (not what is uncommitted) into a temporary folder and runs
`run.py` there with the interpreter that measures. Packages come from wherever pip is told to look,
so the first run includes their download.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bar import Bar

ROOT = Path(__file__).resolve().parent.parent
INSTALLATION = ("making the environment", "installing ", "compiling packages", "making the agents'")
"""How the lines of `run.py`'s own steps begin; the demo reports its steps in the same way."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One run of a command."""

    code: int
    first_s: float
    """Until the first line of its output."""
    wall_s: float
    install_s: float
    """Sum of the steps that `run.py` reports before it starts the command itself."""


def measure() -> Iterator[Bar]:
    """Demo and tests, each from nothing and again; the demo's clock starts after installation."""
    with tempfile.TemporaryDirectory(prefix="benchwright-newcomer-") as folder:
        clone = Path(folder) / "benchwright"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        for verb, limit_s in (("demo", 120), ("test", 600)):
            for turn in ("first", "second"):
                yield from _bars(f"{verb}, {turn} run", timed(clone, verb), limit_s)


def timed(clone: Path, verb: str) -> Timed:
    """Run one verb to its end, reading its lines as they come."""
    base = getattr(sys, "_base_executable", sys.executable)
    env = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")}
    start = time.monotonic()
    child = subprocess.Popen(
        [base, "run.py", verb], cwd=clone, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert child.stdout is not None
    lines, first_s = [], 0.0
    for line in child.stdout:
        first_s = first_s or time.monotonic() - start
        lines.append(line.decode(errors="replace"))
    code = child.wait()
    return Timed(code, first_s, time.monotonic() - start, _installed(lines))


def _installed(lines: list[str]) -> float:
    """Seconds of `run.py`'s own steps, as in `  making the environment .. 3.2 s`, no others."""
    steps = [line.split(" ..", 1) for line in lines if line.strip().startswith(INSTALLATION)]
    said = [took.strip(" .\n") for _, took in steps]
    return sum(float(took[:-2]) for took in said if took.endswith(" s"))


def _bars(name: str, run: Timed, limit_s: int) -> Iterator[Bar]:
    after = run.wall_s - run.install_s
    yield Bar("newcomer", f"{name}: exit code", str(run.code), "0", run.code == 0)
    yield Bar("newcomer", f"{name}: first line", f"{run.first_s:.2f} s", "1 s", run.first_s < 1)
    figure = f"{after:.0f} s, and {run.install_s:.0f} s of installation"
    yield Bar("newcomer", f"{name}: wall time", figure, f"{limit_s} s", after < limit_s)
