"""`held/shared/samples.parquet`: every sample of a set, with the run behind it; never public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchwright.canonical import canonical_json
from benchwright.suites.tracebench.batches import Split
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import table_bytes

SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("system", pa.string()),
        ("split", pa.string()),
        ("seed", pa.int64()),
        ("label", pa.string()),
        ("recipe", pa.string()),
        ("configuration", pa.string()),
        ("parameter", pa.string()),
        ("value", pa.float64()),
        ("time", pa.float64()),
        ("content", pa.string()),
    ]
)
"""`recipe` and `configuration` are digests, `content` is the recipe as canonical JSON. `seed` is
null for held-out samples; `parameter`, `value` and `time` are null where nothing changes."""


def sample_table(parts: Sequence[tuple[Split, Mapping[str, str]]]) -> bytes:
    """The table of all systems, sorted by sample name, from splits and names by recipe digest."""
    rows = [row for part, names in parts for row in _rows(part, names)]
    return table_bytes(sorted(rows, key=lambda row: str(row["name"])), SCHEMA)


def _rows(part: Split, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for seed, batch in part.tests.items():
        for recipe in batch:
            yield _row(recipe, names[recipe.digest], "test", seed)
    for seed, batch in part.support.items():
        for recipe in batch:
            yield _row(recipe, names[recipe.digest], "support", seed)
    for recipe in part.heldout:
        yield _row(recipe, names[recipe.digest], "heldout", None)


def _row(recipe: Recipe, name: str, kind: str, seed: int | None) -> dict[str, Any]:
    step = recipe.step
    return {
        "name": name,
        "system": recipe.system,
        "split": kind,
        "seed": seed,
        "label": recipe.label,
        "recipe": recipe.digest,
        "configuration": recipe.configuration,
        "parameter": step.parameter if step else None,
        "value": step.value if step else None,
        "time": step.time if step else None,
        "content": canonical_json(recipe).decode(),
    }
