"""A taxonomy as a person writes it: strict models, and what its parts must say of each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.errors import SpecError
from benchwright.storage import read_toml
from benchwright.storage.people import nearest, read_model

TAXONOMY_FORMAT = "benchwright.taxonomy/1"
_ID = re.compile(r"([A-Z])\.[1-9]\d?")
_VERSION = re.compile(r"[a-z0-9][a-z0-9._-]*")

Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StatedPillar(_Strict):
    """A table of `[pillars]`."""

    name: Text
    word: Text
    lower_confidence: bool


class StatedPattern(_Strict):
    """A table of `[patterns]`."""

    name: Text
    stage: Text
    pillar: Text
    definition: Text
    settled: Literal["files", "log", "reading"]
    by: Text


class StatedPair(_Strict):
    """An entry of `[[pairs]]`."""

    between: Annotated[list[str], Field(min_length=2, max_length=2)]
    rule: Text


class StatedMap(_Strict):
    """An entry of `[[maps]]`: from the version `source` to that of the file."""

    source: Text
    patterns: dict[str, list[str]]


class Stated(_Strict):
    """The whole file."""

    format: str
    version: Text
    stages: Annotated[dict[str, str], Field(min_length=1)]
    pillars: Annotated[dict[str, StatedPillar], Field(min_length=1)]
    patterns: Annotated[dict[str, StatedPattern], Field(min_length=1)]
    pairs: list[StatedPair] = []
    maps: list[StatedMap] = []


_INNER: dict[str, type[BaseModel]] = {
    "pillars": StatedPillar, "patterns": StatedPattern, "pairs": StatedPair, "maps": StatedMap,
}  # fmt: skip


def read_stated(file: Path) -> Stated:
    """The file, consistent with itself; raises SpecError for the first thing that is not."""
    stated = read_model(Stated, read_toml(file, form=TAXONOMY_FORMAT), file, _INNER)
    if not _VERSION.fullmatch(stated.version):
        _refuse("version is no name", stated.version, f"{file}: version", "Use a-z, 0-9, . _ -")
    for name, pattern in stated.patterns.items():
        _check_pattern(name, pattern, stated, f"{file}: patterns")
    for problem, value, where in (*_pairs(stated), *_maps(stated)):
        _refuse(problem, value, f"{file}: {where}", nearest(value, stated.patterns))
    words = [pillar.word for pillar in stated.pillars.values()]
    for word in words:
        if words.count(word) > 1:
            _refuse("two pillars have one word", word, f"{file}: pillars", "Name each its own.")
    return stated


def _check_pattern(name: str, pattern: StatedPattern, stated: Stated, where: str) -> None:
    found = _ID.fullmatch(name)
    if found is None:
        _refuse("id of a pattern is no stage, dot and number", name, where, "Such as C.2.")
    elif found[1] != pattern.stage:
        _refuse("pattern stands under another stage than its id says", name, where,
                f"Write stage = {found[1]!r}.")  # fmt: skip
    _must_be_known("stage", pattern.stage, stated.stages, f"{where}.{name}")
    _must_be_known("pillar", pattern.pillar, stated.pillars, f"{where}.{name}")


def _must_be_known(what: str, value: str, known: Collection[str], where: str) -> None:
    if value not in known:
        _refuse(f"unknown {what}", value, where, nearest(value, known))


def _pairs(stated: Stated) -> Iterator[tuple[str, str, str]]:
    seen: set[frozenset[str]] = set()
    for number, pair in enumerate(stated.pairs):
        where = f"pairs[{number}]"
        for one in pair.between:
            if one not in stated.patterns:
                yield "unknown pattern", one, where
        both = frozenset(pair.between)
        if len(both) < 2 or both in seen:
            yield "pair stands twice, or is one pattern", pair.between[0], where
        seen.add(both)


def _maps(stated: Stated) -> Iterator[tuple[str, str, str]]:
    sources: set[str] = set()
    for number, found in enumerate(stated.maps):
        where = f"maps[{number}]"
        if found.source in (*sources, stated.version):
            yield "map from a version that has one already", found.source, where
        sources.add(found.source)
        for new in (one for ids in found.patterns.values() for one in ids):
            if new not in stated.patterns:
                yield "unknown pattern", new, where


def _refuse(problem: str, value: object, where: object, hint: str) -> None:
    raise SpecError(problem, value=value, where=where, hint=hint)
