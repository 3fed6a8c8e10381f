"""The taxonomy of failure patterns as data, and what keeps its versions apart.

A version is read whole or refused. Labels of two versions are never put together as they are: they
are carried over by a map first, or `one_version` refuses them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from benchwright.diagnosis.taxonomy_file import read_stated
from benchwright.errors import SpecError
from benchwright.storage.people import nearest

Settled = Literal["files", "log", "reading"]
"""What ends a dispute about a pattern: artifacts, the record of acts, somebody's judgement."""

_ID = re.compile(r"([A-Z])\.([1-9]\d?)")
_UNDOTTED = re.compile(r"[A-Z]\d{1,2}")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to fail: `id` is stage and number (`C.2`)."""

    id: str
    name: str
    stage: str
    pillar: str
    definition: str
    settled: Settled
    by: str


@dataclass(frozen=True, slots=True)
class Pillar:
    """A root cause; `word` is what a trailer calls it."""

    id: str
    name: str
    word: str
    lower_confidence: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Two patterns that are mistaken for each other, and what tells them apart."""

    between: tuple[str, str]
    rule: str


@dataclass(frozen=True, slots=True)
class VersionMap:
    """What each pattern of `source` is called in `target`; none where it was dropped."""

    source: str
    target: str
    patterns: Mapping[str, tuple[str, ...]]

    def carry(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Patterns of `source` as those of `target`, each once and in order of the id.

        Raises:
            SpecError: a pattern that the map does not have.
        """
        carried: set[str] = set()
        for one in ids:
            if one not in self.patterns:
                where = f"map from {self.source} to {self.target}"
                raise _unknown(one, self.patterns, where)
            carried.update(self.patterns[one])
        return tuple(sorted(carried, key=order))

    def then(self, following: VersionMap) -> VersionMap:
        """This map and the `following` one in one step.

        Raises:
            SpecError: the following one starts from another version.
        """
        one_version([self.target, following.source], "two maps in a row")
        patterns = {one: following.carry(new) for one, new in self.patterns.items()}
        return VersionMap(self.source, following.target, patterns)


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """One version, its patterns in order of stage and number."""

    version: str
    stages: Mapping[str, str]
    pillars: Mapping[str, Pillar]
    patterns: Mapping[str, Pattern]
    pairs: tuple[Pair, ...]
    maps: tuple[VersionMap, ...]
    """From earlier versions to this one."""

    def pattern(self, name: str, where: object = "pattern") -> Pattern:
        """The pattern `name`.

        Raises:
            SpecError: there is none; an id without its dot is of another set and never guessed at.
        """
        if name not in self.patterns:
            raise _unknown(name, self.patterns, f"{where}, taxonomy {self.version}")
        return self.patterns[name]

    def confusable(self, name: str) -> tuple[Pair, ...]:
        """The pairs that the pattern `name` is part of."""
        found = self.pattern(name).id
        return tuple(pair for pair in self.pairs if found in pair.between)

    def map_from(self, version: str) -> VersionMap:
        """How labels of `version` are carried over to this one.

        Raises:
            SpecError: no map leads here from there.
        """
        if version == self.version:
            return VersionMap(version, version, {one: (one,) for one in self.patterns})
        for found in self.maps:
            if found.source == version:
                return found
        raise SpecError(
            "no map between these versions of the taxonomy",
            value=version,
            where=f"taxonomy {self.version}",
            hint="Label again with this version, or write a map into its file: [[maps]].",
        )


def one_version(versions: Iterable[str], where: object) -> str:
    """The version that all of `versions` are.

    Raises:
        SpecError: there are several, or none at all.
    """
    found = sorted(set(versions))
    if len(found) == 1:
        return found[0]
    raise SpecError(
        "labels of different versions of the taxonomy" if found else "no version of the taxonomy",
        value=", ".join(found),
        where=where,
        hint="Carry them over to one version first."
        if found
        else "Name the version of each label.",
    )


def order(name: str) -> tuple[str, int]:
    """Where a pattern stands among the others: stage, then number, so that X.10 follows X.9."""
    found = _ID.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 0)


@cache
def shipped() -> Taxonomy:
    """The taxonomy of the paper, 45 patterns."""
    return read_taxonomy(Path(str(resources.files("benchwright.diagnosis") / "taxonomy.toml")))


def read_taxonomy(file: Path) -> Taxonomy:
    """A taxonomy file.

    Raises:
        SpecError: a key too many or too few, a pattern under a wrong stage, a pair or map that
            names a pattern that is not there.
        FormatError: no TOML, or another format.
    """
    stated = read_stated(file)
    patterns = {
        name: Pattern(name, p.name, p.stage, p.pillar, p.definition, p.settled, p.by)
        for name, p in sorted(stated.patterns.items(), key=lambda item: order(item[0]))
    }
    pillars = {n: Pillar(n, p.name, p.word, p.lower_confidence) for n, p in stated.pillars.items()}
    pairs = tuple(Pair((p.between[0], p.between[1]), p.rule) for p in stated.pairs)
    maps = tuple(
        VersionMap(m.source, stated.version, {k: tuple(v) for k, v in m.patterns.items()})
        for m in stated.maps
    )
    return Taxonomy(stated.version, stated.stages, pillars, patterns, pairs, maps)


def _unknown(name: str, known: Iterable[str], where: object) -> SpecError:
    if _UNDOTTED.fullmatch(name):
        hint = "Ids without a dot are of an older set with other meanings; label again."
    else:
        hint = nearest(name, known)
    return SpecError("unknown pattern", value=name, where=where, hint=hint)
