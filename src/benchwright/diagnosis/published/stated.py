"""`published.toml`: totals, shares, rates and counts as printed, and statements about them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.storage import read_model, read_toml

PUBLISHED_FORMAT = "benchwright.published/1"

Printed = Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")]
"""A figure with the digits that are printed."""
Share = Annotated[str, Field(pattern=r"^(0\.\d*[1-9]\d*|[1-9]\d*(\.\d+)?)$")]
"""One that is not 0."""
Level = Literal["pattern", "pillar", "stage", "finding"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Statement(_Strict):
    """An entry of `[[statements]]`; which keys count depends on `kind`."""

    fact: str
    what: str
    where: str
    kind: Literal["mean", "rates", "share", "rest", "systems", "rank"]
    patterns: tuple[str, ...] = ()
    pillars: tuple[str, ...] = ()
    of: str = ""
    """The pillar that a share is of; empty: all hits."""
    stated: Annotated[str, Field(pattern=r"^(\d+(\.\d+)? %|[1-9]/[2-9])?$")] = ""
    """Percent as printed, or a fraction that is given in words."""
    rank: int = 0
    """The lowest rank that agrees."""
    systems: int = 0
    least: int = 0
    most: int = 0


class PublishedKappa(_Strict):
    """An entry of `[[kappas]]`."""

    value: Printed
    raters: str
    level: Level
    ours: Literal["raters", "against"]
    """Which of our figures stands beside it: all raters among each other, or against one."""
    where: str
    differs: str


class Published(_Strict):
    """The whole file."""

    format: str
    taxonomy: str
    analyses: Annotated[int, Field(gt=0)]
    hits: Annotated[int, Field(gt=0)]
    pillars: dict[str, Share]
    rates: dict[str, Printed]
    counts: dict[str, int]
    statements: tuple[Statement, ...]
    kappas: tuple[PublishedKappa, ...]


@cache
def published() -> Published:
    """The shipped file."""
    return read_published(
        Path(str(resources.files("benchwright.diagnosis.published") / "published.toml"))
    )


def read_published(file: Path) -> Published:
    """A file of that format.

    Raises:
        SpecError: a key too many or too few, or a figure that is none.
        FormatError: no TOML, or another format.
    """
    inner: dict[str, type[BaseModel]] = {"statements": Statement, "kappas": PublishedKappa}
    return read_model(Published, read_toml(file, form=PUBLISHED_FORMAT), file, inner)
