"""What the reasons of a pool's scores say of a run, as data: a file that people write per pool.

A pool is a set of trajectories that one evaluator scored. Its vocabulary holds for it alone: a pool
without a file, or a reason that its file does not name, says nothing (facts arft 3.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from benchwright.diagnosis.labels.model import RunVerdict
from benchwright.diagnosis.taxonomy import Taxonomy, shipped
from benchwright.storage import read_toml
from benchwright.storage.people import read_model

POOL_FORMAT = "benchwright.label-pool/1"
INVALIDATING: Mapping[str, str] = {"C.2": "tuned on the scorer, or saw what it is scored by"}
"""Patterns that make a run invalid wherever they are found, and why (facts arft 10.8)."""

Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Pool:
    """The vocabulary of one pool."""

    name: str
    reasons: Mapping[str, RunVerdict]
    """Beginning of a reason to what it says of the run."""
    invalidating: Mapping[str, str]
    """Pattern to why a run with a hit of it cannot count."""

    def says(self, reason: str | None) -> tuple[str, RunVerdict] | None:
        """The longest beginning of `reason` that the pool names, and its meaning; None for none."""
        fitting = [start for start in self.reasons if reason and reason.startswith(start)]
        best = max(fitting, key=len, default=None)
        return None if best is None else (best, self.reasons[best])


NO_POOL = Pool("", {}, INVALIDATING)
"""Reasons that mean nothing: none are borrowed from another pool."""


class _Stated(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str
    name: Text
    reasons: dict[Text, RunVerdict] = {}
    invalidating: dict[Text, Text] | None = None


def open_pool(name: str) -> Pool:
    """A shipped pool by its name, else the file of that name; raises as `read_pool`."""
    own = Path(str(resources.files("benchwright.diagnosis") / "pools" / f"{name}.toml"))
    return read_pool(own if name.isalnum() and own.is_file() else Path(name))


def read_pool(file: Path, taxonomy: Taxonomy | None = None) -> Pool:
    """The pool that `file` states; patterns that it does not name invalidate as `INVALIDATING`.

    Raises:
        SpecError: an unknown key, verdict or pattern, an empty beginning of a reason.
        FormatError: no TOML, or another format.
    """
    stated = read_model(_Stated, read_toml(file, form=POOL_FORMAT), file)
    patterns = INVALIDATING if stated.invalidating is None else stated.invalidating
    for pattern in patterns:
        (taxonomy or shipped()).pattern(pattern, f"{file}: invalidating")
    return Pool(stated.name, stated.reasons, patterns)
