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
from benchwright.suites.tracebench.pools.table import columns, parts
from benchwright.suites.tracebench.solvability.ratios import LIMIT
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
    for path in parts(pool):
        _count(policy, pq.read_table(path), tally)
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
    frame = {name: table[name].to_pandas() for name in table.column_names}
    tally.kinds.update(frame["kind"].astype(object))
    parameters = frame["parameter"].astype(object)
    parameters = parameters.where(parameters.notna(), None)
    reasons = frame["reason"].astype(object)
    tally.reasons.update(zip(parameters, reasons, strict=True))
    real = (frame["kind"] == "intervention").to_numpy()
    thirds = _thirds(policy, frame["time"].to_numpy()[real])
    directions, kept = frame["direction"].astype(object)[real], frame["kept"].to_numpy()
    tally.coverage.update(
        zip(parameters[real], directions, thirds.tolist(), kept[real].tolist(), strict=True)
    )
    values = np.stack([frame[name].to_numpy() for name in columns(policy.simulated)], axis=1)
    tally.configurations.append(values[(frame["kind"] == "baseline").to_numpy() & kept])
    asked = frame["two_stage"].notna().to_numpy()
    if asked.any():
        tally.asked += int(asked.sum())
        near, far = (_passes(frame, name)[asked] for name in ("no_change", "static"))
        tally.differ += int(((near & far) != frame["two_stage"][asked].astype(bool)).sum())


def _passes(frame: Mapping[str, Any], probe: str) -> NDArray[np.bool_]:
    """Whether the closed form of a ratio is above the limit in some channel."""
    found = [frame[name].to_numpy() for name in frame if name.startswith(f"ratio_{probe}_")]
    above: NDArray[np.bool_] = np.asarray((np.stack(found) > LIMIT).any(axis=0))
    return above


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
    table: dict[str, list[float]] = tomllib.loads(file.read_text())[system]
    return table
