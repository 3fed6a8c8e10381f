"""The bars of isolation: Inspect's conformance, and what a box, a command and a sample cost."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.bar import Bar
from benchmarks.ordinary import counted, run_tests, why_not
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig
from benchwright.isolation.rule import Frame, RuleLimits, run_rule

CONFORMANCE = "tests/running/test_sandbox_conformance.py"
CHECKS = 44
RULE = "def predict(df):\n    return ['a'] if df['col1'].mean() > 0 else ['b']\n"
ROWS, COLUMNS = 3999, ("col1", "col2", "col3", "col4")
FEW, MANY = 10, 210


def measure() -> Iterator[Bar]:
    """Rows of the area `safety`; milliseconds are medians of this run."""
    python = ensure_agent_python().root
    yield _conformance(python, other=False)
    yield _conformance(python, other=True)
    start, command = asyncio.run(_costs(BoxConfig(agent_python=str(python))))
    yield Bar("safety", "start of a sandbox", f"{start:.1f} ms", "", None)
    yield Bar("safety", "one command in a sandbox", f"{command:.1f} ms", "", None)
    first, each = _rule_costs()
    yield Bar("safety", "rule.py: box, import, first samples", f"{first:.0f} ms", "", None)
    yield Bar("safety", "rule.py: each further forked sample", f"{each:.1f} ms", "", None)


def _conformance(python: Path, *, other: bool) -> Bar:
    name = f"Inspect's sandbox checks as {'an ordinary user' if other else 'the caller'}"
    must = f"{CHECKS - 1} of {CHECKS} (not the one that adds a system user)"
    reason = why_not() if other else None
    if reason is not None:
        return Bar("safety", name, f"not measured: {reason}", must, None)
    with tempfile.TemporaryDirectory() as home:
        code, output = run_tests([CONFORMANCE], python, Path(home), other=other)
    passed = counted(output, "passed")
    return Bar("safety", name, f"{passed} of {CHECKS}", must, code == 0 and passed == CHECKS - 1)


async def _costs(config: BoxConfig) -> tuple[float, float]:
    starts, commands = [], []
    for _ in range(20):
        begun = time.perf_counter()
        async with Box.open(config) as box:
            starts.append(time.perf_counter() - begun)
            for _ in range(10):
                begun = time.perf_counter()
                await box.exec(["true"], timeout_s=10)
                commands.append(time.perf_counter() - begun)
    return statistics.median(starts) * 1e3, statistics.median(commands) * 1e3


def _rule_costs() -> tuple[float, float]:
    values = np.random.Generator(np.random.Philox(1)).normal(size=(MANY, ROWS, len(COLUMNS)))
    frames = [Frame(str(i), COLUMNS, v) for i, v in enumerate(values.astype(np.float32))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rule.py"
        file.write_text(RULE, encoding="utf-8")
        few, many = (_seconds(file, frames[:count]) for count in (FEW, MANY))
    return few * 1e3, (many - few) / (MANY - FEW) * 1e3


def _seconds(file: Path, frames: list[Frame]) -> float:
    begun = time.perf_counter()
    answers = list(run_rule(file, frames, RuleLimits()))
    assert all(answer.error is None for answer in answers)
    return time.perf_counter() - begun
