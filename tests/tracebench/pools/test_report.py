"""The pool tables: ours over what was kept, and the paper's beside it."""

from __future__ import annotations

import statistics
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.pools.build import build_pool
from benchwright.suites.tracebench.pools.policy import load_policy
from benchwright.suites.tracebench.pools.report import published_pool
from benchwright.suites.tracebench.pools.table import parts
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.systems import SYSTEMS

EACH = pytest.mark.parametrize("system", sorted(SYSTEMS))
ROUNDED = 6e-4
"""Relative; published configurations have four digits."""


@EACH
def test_the_report_has_least_median_and_greatest_of_what_was_kept(
    system: str, tmp_path: Path
) -> None:
    policy = load_policy(f"{system.lower()}-paper-like").model_copy(update={"families": 200})
    pool = build_pool(policy, tmp_path / "pool", SerialExecutor())
    rows = [row for part in parts(pool.path) for row in pq.read_table(part).to_pylist()]
    kept = [row for row in rows if row["kind"] == "baseline" and row["kept"]]
    told = {entry["variable"]: entry for entry in pool.report["variables"]}
    assert 0 < len(kept) < 200 and set(told) == {v.name for v in SYSTEMS[system].variables}
    for name, entry in told.items():
        values = [row[name] for row in kept]
        assert entry["ours"] == [min(values), statistics.median(values), max(values)]
        assert entry["paper"] == published_pool(system)[name]
    text = (pool.path / "report.md").read_text()
    for name, entry in told.items():
        cells = [f"{number:.5g}" for number in (*entry["ours"], *entry["paper"])]
        assert f"| {name} | {entry['unit']} | {' | '.join(cells)} |" in text


@EACH
def test_the_papers_table_ends_where_the_published_configurations_do(system: str) -> None:
    for name, (least, median, greatest) in published_pool(system).items():
        values = [recipe.values[name] for recipe in published(system)]
        assert min(values) == pytest.approx(least, rel=ROUNDED)
        assert max(values) == pytest.approx(greatest, rel=ROUNDED)
        assert least < median < greatest
