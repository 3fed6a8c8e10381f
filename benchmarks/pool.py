"""The pool bar: a pool from drawing to the table on disk, against simulating its candidates alone.

Both take the same candidates in this process, one after the other, in processor time. What is
compared with is the bare loop: the kernel into a buffer that is used again, with nothing drawn,
judged or written. Memory is the greatest of a process of its own that builds a pool of 10,000
families, and of one that builds 100,000.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from benchmarks.bar import Bar
from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.pools.blocks import ordered
from benchwright.suites.tracebench.pools.build import build_pool
from benchwright.suites.tracebench.pools.configurations import BLOCK, configurations
from benchwright.suites.tracebench.pools.policy import Policy, load_policy
from benchwright.suites.tracebench.pools.steps import steps
from benchwright.suites.tracebench.solvability.batch import Simulator
from benchwright.suites.tracebench.systems import SYSTEMS

FAMILIES: Final = 1024
ROUNDS: Final = 3
AT_ONCE: Final = 64
MOST: Final = 4.0
FEW, MANY = 10_000, 100_000
GROWTH_MB: Final = 64.0
CHILD: Final = """
import resource, sys
from pathlib import Path
from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.pools.build import build_pool
from benchwright.suites.tracebench.pools.policy import load_policy
build_pool(load_policy(sys.argv[1]), Path(sys.argv[2]), SerialExecutor(), families=int(sys.argv[3]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def alone(policy: Policy) -> tuple[int, float]:
    """Number of candidates of a pool, and seconds to simulate them and nothing else."""
    simulator = Simulator(policy.simulated, policy.dynamics)
    count, spent = 0, 0.0
    for block in range(-(-policy.families // BLOCK)):
        configured = configurations(policy, block)
        drawn = steps(policy, block, configured)
        valid = ordered(policy.simulated, configured)[drawn.family]
        drawn = drawn.where(valid & np.isfinite(drawn.value))
        values = np.repeat(configured[drawn.family][:, None], 2, axis=1)
        values[np.arange(len(drawn)), 1, drawn.parameter] = drawn.value
        begin = time.process_time()
        for first in range(0, len(drawn), AT_ONCE):
            simulator.run(values[first : first + AT_ONCE], drawn.time[first : first + AT_ONCE])
        spent += time.process_time() - begin
        count += len(drawn)
    return count, spent


def whole(policy: Policy) -> tuple[dict[str, Any], float]:
    """Report of a pool, and seconds to draw, judge, write and report it."""
    with TemporaryDirectory(prefix="bars-") as folder:
        begin = time.process_time()
        pool = build_pool(policy, Path(folder), SerialExecutor())
        return dict(pool.report), time.process_time() - begin


def measure() -> Iterator[Bar]:
    """Per system and policy: rate, ratio and share kept; then memory."""
    for name in SYSTEMS:
        for kind in ("documented", "paper-like"):
            yield _speed(name, kind)
    yield _memory("massslide-paper-like")


def _speed(name: str, kind: str) -> Bar:
    policy = load_policy(f"{name.lower()}-{kind}").model_copy(update={"families": FAMILIES})
    whole(policy)
    bare, full = [], []
    for _ in range(ROUNDS):
        bare.append(alone(policy)[1])
        report, spent = whole(policy)
        full.append(spent)
    # The least of the rounds: what else runs on the machine can only add time.
    count, ratio = report["candidates"], min(full) / min(bare)
    figure = (
        f"{count / min(full):,.0f} candidates/s per core, {ratio:.1f} x simulating alone "
        f"({count / min(bare):,.0f} runs/s), {report['kept_families']:,} of {FAMILIES:,} kept"
    )
    must = f"at most {MOST:g} x simulating alone"
    return Bar("pool", f"{name}, {kind}, {policy.dynamics}", figure, must, ratio <= MOST)


def _memory(name: str) -> Bar:
    few, many = (_peak(name, families) for families in (FEW, MANY))
    figure = f"{few:.0f} MB with {FEW:,} families, {many:.0f} MB with {MANY:,}"
    must = f"at most {GROWTH_MB:g} MB more"
    return Bar("pool", f"memory, {name}", figure, must, many - few <= GROWTH_MB)


def _peak(name: str, families: int) -> float:
    """Greatest resident size in MB of a process that builds this pool."""
    with TemporaryDirectory(prefix="bars-") as folder:
        command = [sys.executable, "-c", CHILD, name, folder, str(families)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(done.stdout.split()[-1]) / 1024
