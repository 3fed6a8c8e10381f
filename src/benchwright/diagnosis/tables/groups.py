"""Declared groups of patterns: what is summed up under one name, as data."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from benchwright.diagnosis.taxonomy import Taxonomy
from benchwright.errors import SpecError
from benchwright.storage import read_model, read_toml

GROUPS_FORMAT = "benchwright.groups/1"


class Group(BaseModel):
    """An entry of `[[groups]]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(min_length=1)]
    of: str
    """The pillar whose hits are the whole; empty: all hits."""
    patterns: Annotated[tuple[str, ...], Field(min_length=1)]


class _Stated(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str
    taxonomy: str
    groups: tuple[Group, ...]


@cache
def _shipped() -> _Stated:
    file = Path(str(resources.files("benchwright.diagnosis.tables") / "groups.toml"))
    return read_model(_Stated, read_toml(file, form=GROUPS_FORMAT), file, {"groups": Group})


def declared_groups(taxonomy: Taxonomy) -> tuple[Group, ...]:
    """The shipped groups, where they are of this version of the taxonomy; else none.

    Raises:
        SpecError: a group that holds a pattern of another pillar, or one that is not there.
    """
    stated = _shipped()
    if stated.taxonomy != taxonomy.version:
        return ()
    for group in stated.groups:
        for name in group.patterns:
            pattern = taxonomy.pattern(name, f"group {group.id!r}")
            if group.of not in ("", pattern.pillar):
                raise SpecError(
                    "pattern of another pillar in a group",
                    value=name,
                    where=f"group {group.id!r}",
                    hint=f"It is of {pattern.pillar}; leave it out.",
                )
    return stated.groups
