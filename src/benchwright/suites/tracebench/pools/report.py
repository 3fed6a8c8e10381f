"""What a pool holds: counts by class and reason, coverage, and the paper's pool table beside it.

Reads the table a part at a time; computes no verdict.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchwright.suites.tracebench.pools.policy import DIRECTIONS, Policy
from benchwright.suites.tracebench.pools.table import PROBES, columns, parts
from benchwright.suites.tracebench.solvability.ratios import all_passes
from benchwright.suites.tracebench.systems import System

REPORT_FORMAT: Final = "benchwright.pool-report/1"
THIRDS: Final = ("early", "middle", "late")
"""Of the times that the policy draws from."""


@dataclass(slots=True)
class _Tally:
    """Counts over the parts read so far."""

    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    """By parameter (None for configurations) and reason; "" is kept."""
    coverage: Counter[tuple[str, str, int, bool]] = field(default_factory=Counter)
    """By parameter, direction, third and whether it is kept."""
    differ: int = 0
    """Steps that closed form and two-stage Monte Carlo judge differently."""
    asked: int = 0
    configurations: list[NDArray[np.float64]] = field(default_factory=list)
    """[kept family, variable] of every part."""


def pool_report(policy: Policy, pool: Path) -> dict[str, Any]:
    """Everything that the report says, as JSON data."""
    system = policy.simulated
    tally = _Tally()
    wanted = [*columns(system), "kind", "parameter", "direction", "time", "reason", "kept"]
    if policy.solvability.sigma == "two_stage":
        ratios = [f"ratio_{probe}_{n}" for probe in PROBES for n in range(1, 4)]
        wanted += ["two_stage", *ratios]
    for path in parts(pool):
        _count(policy, pq.ParquetFile(path).read(wanted, use_threads=False), tally)
    names = [p.name for p in system.parameters if p.steppable]
    return {
        "format": REPORT_FORMAT,
        "system": system.name,
        "policy": policy.name,
        "digest": policy.digest,
        "dynamics": policy.dynamics,
        "sigma": policy.solvability.sigma,
        "families": tally.kinds["baseline"],
        "candidates": tally.kinds["intervention"],
        "gaps": tally.kinds["gap"],
        "kept_families": tally.reasons[None, ""],
        "classes": [_class_row(system, name, tally) for name in [*names, None]],
        "coverage": list(_coverage(names, tally)),
        "two_stage": {"asked": tally.asked, "differ": tally.differ},
        "variables": _variables(system, tally),
    }


def _count(policy: Policy, table: Any, tally: _Tally) -> None:
    """Add one part; words are counted by their codes, because a row costs less than a name."""
    kinds, parameters, directions, reasons = (
        _codes(table, name) for name in ("kind", "parameter", "direction", "reason")
    )
    words = {name: _dictionary(table, name) for name in ("kind", "parameter", "reason")}
    tally.kinds.update({words["kind"][k]: n for (k,), n in _counts(kinds)})
    for (who, why), n in _counts(parameters, reasons):
        name = None if who < 0 else words["parameter"][who]
        tally.reasons[name, words["reason"][why]] += n
    kept, times = table["kept"].to_numpy(), table["time"].to_numpy()
    real = np.isfinite(times)
    cells = (parameters[real], directions[real], _thirds(policy, times[real]), kept[real] * 1)
    for (who, side, third, good), n in _counts(*cells):
        tally.coverage[words["parameter"][who], DIRECTIONS[side], third, bool(good)] += n
    values = np.stack([table[name].to_numpy() for name in columns(policy.simulated)], axis=1)
    tally.configurations.append(values[(parameters < 0) & kept])
    if policy.solvability.sigma == "two_stage":
        _count_differences(table, tally)


def _count_differences(table: Any, tally: _Tally) -> None:
    asked = np.asarray(table["two_stage"].is_valid())
    if asked.any():
        frame = {name: table[name].to_pandas() for name in table.column_names}
        tally.asked += int(asked.sum())
        near, far = (_passes(frame, name)[asked] for name in PROBES)
        tally.differ += int(((near & far) != frame["two_stage"][asked].astype(bool)).sum())


def _codes(table: Any, name: str) -> NDArray[np.int64]:
    """The words of a column as places in its dictionary; -1 for none."""
    found = table[name].combine_chunks().indices.fill_null(-1)
    return np.asarray(found).astype(np.int64)


def _dictionary(table: Any, name: str) -> list[str]:
    words: list[str] = table[name].combine_chunks().dictionary.to_pylist()
    return words


def _counts(*codes: NDArray[np.int64]) -> Iterator[tuple[tuple[int, ...], int]]:
    """How often every combination of codes (-1 or more) stands in a row."""
    sizes = [int(column.max(initial=-1)) + 2 for column in codes]
    flat = np.ravel_multi_index([column + 1 for column in codes], sizes)
    found = np.bincount(flat)
    for place in np.flatnonzero(found):
        key = tuple(int(part) - 1 for part in np.unravel_index(place, sizes))
        yield key, int(found[place])


def _passes(frame: Mapping[str, Any], probe: str) -> NDArray[np.bool_]:
    """Whether the closed form of a ratio is above the limit in some channel."""
    found = [frame[name].to_numpy() for name in frame if name.startswith(f"ratio_{probe}_")]
    passed: NDArray[np.bool_] = all_passes(np.stack(found, axis=1).astype(np.float64))
    return passed


def _thirds(policy: Policy, times: NDArray[np.float64]) -> NDArray[np.int64]:
    chosen = policy.intervention.time
    low, high = (chosen.low, chosen.high) if chosen.method == "uniform" else (0.0, 1.0)
    share = (times / policy.simulated.horizon_s - low) / max(high - low, 1e-9)
    return np.clip((share * len(THIRDS)).astype(np.int64), 0, len(THIRDS) - 1)


def _class_row(system: System, name: str | None, tally: _Tally) -> dict[str, Any]:
    reasons = {why: n for (who, why), n in sorted(_texts(tally.reasons)) if who == (name or "")}
    kept = reasons.pop("", 0)
    gaps = reasons.pop("no_valid_value", 0)
    return {
        "label": system.label_of(name),
        "candidates": kept + sum(reasons.values()),
        "kept": kept,
        "gaps": gaps,
        "rejected": reasons,
    }


def _texts(
    counts: Counter[tuple[str | None, str]],
) -> Iterator[tuple[tuple[str, str], int]]:
    return (((who or "", why), n) for (who, why), n in counts.items())


def _coverage(names: list[str], tally: _Tally) -> Iterator[dict[str, Any]]:
    for name in names:
        for side in DIRECTIONS:
            cell = {"parameter": name, "direction": side}
            for number, third in enumerate(THIRDS):
                kept = tally.coverage[name, side, number, True]
                tried = kept + tally.coverage[name, side, number, False]
                yield {**cell, "time": third, "candidates": tried, "kept": kept}


def _variables(system: System, tally: _Tally) -> list[dict[str, Any]]:
    """Least, median and greatest of every variable over kept configurations, and the paper's."""
    width = len(system.variables)
    values = np.concatenate([np.empty((0, width)), *tally.configurations])
    table = published_pool(system.name)
    rows = []
    for place, variable in enumerate(system.variables):
        ours = values[:, place]
        found = [float(f(ours)) for f in (np.min, np.median, np.max)] if len(ours) else None
        row = {"variable": variable.name, "unit": variable.unit, "ours": found}
        rows.append({**row, "paper": table[variable.name]})
    return rows


@cache
def published_pool(system: str) -> dict[str, list[float]]:
    """Least, median and greatest value of every variable in the paper's pool."""
    file = files("benchwright.suites.tracebench") / "data" / "published_pool.toml"
    table: dict[str, list[float]] = tomllib.loads(file.read_text(encoding="utf-8"))[system]
    return table
