"""The table of a pool: one row per configuration, per step around it, and per step that cannot be.

Takes arrays of one block; gives the bytes of one Parquet file, and recipes back from such files.
Equal arrays give equal bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchwright.suites.tracebench.pools.policy import DIRECTIONS
from benchwright.suites.tracebench.pools.steps import Steps
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.solvability.judge import Judged
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import System

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

KINDS: Final = ("baseline", "intervention", "gap")
"""A configuration, which is the run without a change; a step around it, whose static probe is the
same row with the new value from the start; a parameter and direction without a valid value."""
PROBES: Final = ("no_change", "static")
_REASONS: Final = tuple(reason.text for reason in Reason)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Everything that is known of the families of one block."""

    families: Rows
    """Number of every family in the pool; manual cases count down from -1."""
    values: Floats
    """[family, variable]"""
    reasons: Rows
    """[family]: why it gives no sample."""
    steps: Steps
    judged: Judged
    """Of the steps, in their order; gaps included."""
    two_stage: NDArray[np.int8]
    """[step]: 1 or 0 for the verdict of the two-stage Monte Carlo, -1 where it was not asked."""


def columns(system: System) -> tuple[str, ...]:
    """Names of the columns that hold a system's variables."""
    return tuple(variable.name for variable in system.variables)


def block_bytes(system: System, block: Block) -> bytes:
    """One block as a Parquet file: every family's configuration, then its steps."""
    count = len(block.families)
    owner = np.concatenate([np.arange(count), block.steps.family])
    order = np.argsort(owner, kind="stable")
    table = pa.table(_arrays(system, block, owner[order], order))
    buffer = io.BytesIO()
    repeated = ["kind", *columns(system), "parameter", "direction", "reason"]
    pq.write_table(
        table,
        buffer,
        compression="zstd",
        compression_level=1,
        use_dictionary=repeated,
        write_statistics=False,
    )
    return buffer.getvalue()


def _arrays(system: System, block: Block, owner: Rows, order: Rows) -> dict[str, Any]:
    steps, judged, count = block.steps, block.judged, len(block.families)
    gaps = np.isnan(steps.value)
    lead = np.zeros(count, np.int64)
    kinds = np.concatenate([lead, 1 + gaps])[order]
    codes = np.concatenate([block.reasons, judged.codes])[order]
    moments = np.where(judged.divergence < 0, np.nan, (judged.divergence + 1) / system.rate_hz)
    made: dict[str, Any] = {
        "family": pa.array(block.families[owner]),
        "kind": _words(kinds, KINDS),
        **{n: pa.array(block.values[owner, i]) for i, n in enumerate(columns(system))},
        "parameter": _words(_led(steps.parameter, count)[order], columns(system)),
        "direction": _words(_led(steps.direction, count)[order], DIRECTIONS),
        "child": _ints(_led(np.where(gaps, -1, steps.child), count)[order]),
        "value": _numbers(_led(steps.value, count, np.nan)[order]),
        "time": _numbers(_led(steps.time, count, np.nan)[order]),
        "reason": _words(codes, _REASONS),
        "kept": pa.array(codes == Reason.KEPT),
        "first_divergence": _numbers(_led(moments, count, np.nan)[order]),
    }
    for name, found in zip(PROBES, (judged.no_change, judged.static), strict=True):
        for channel in range(found.shape[1]):
            ratio = _led(found[:, channel], count, np.nan)[order].astype(np.float32)
            made[f"ratio_{name}_{channel + 1}"] = _numbers(ratio)
    asked = _led(block.two_stage, count)[order]
    made["two_stage"] = pa.array(asked == 1, mask=asked < 0)
    return made


def _led(values: NDArray[Any], count: int, filler: float = -1) -> NDArray[Any]:
    """Values of the steps after `count` fillers for the configurations."""
    return np.concatenate([np.full(count, filler, values.dtype), values])


def _words(codes: Rows, words: Sequence[str]) -> Any:
    indices = pa.array(codes.astype(np.int8), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(words)))


def _ints(values: Rows) -> Any:
    return pa.array(values.astype(np.int32), mask=values < 0)


def _numbers(values: NDArray[Any]) -> Any:
    return pa.array(values, mask=np.isnan(values))


def parts(pool: Path) -> list[Path]:
    """The files of a pool's table, manual cases first."""
    found = sorted((pool / "table").glob("part-*.parquet"))
    return sorted(found, key=lambda path: (not path.stem.endswith("manual"), path.name))


def recipes(pool: Path, system: System, *, kept: bool = True) -> Iterator[tuple[int, Recipe]]:
    """Family and recipe of every configuration and step of a pool, or of the kept ones only."""
    for path in parts(pool):
        yield from kept_recipes(path, system, every=not kept)


def kept_recipes(
    source: Path | io.BytesIO, system: System, *, every: bool = False
) -> Iterator[tuple[int, Recipe]]:
    """Family and recipe of every kept configuration and step in one part of a table, or of all."""
    names = columns(system)
    wanted = ["family", "kind", *names, "parameter", "value", "time", "kept"]
    for batch in pq.ParquetFile(source).iter_batches(columns=wanted):
        for row in batch.to_pylist():
            if row["kind"] != "gap" and (row["kept"] or every):
                values = {name: row[name] for name in names}
                yield row["family"], Recipe(system.name, values, _step(row))


def _step(row: dict[str, Any]) -> Step | None:
    if row["parameter"] is None:
        return None
    return Step(row["parameter"], row["value"], row["time"])
