"""What is compared at each level, and which trajectories of whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchwright.diagnosis.labels.model import Labels, Subject
from benchwright.diagnosis.published.stated import Level
from benchwright.diagnosis.tables.corpus import by_rater, cluster_of, corpus
from benchwright.diagnosis.tables.subjects import refuse_conflicts
from benchwright.diagnosis.taxonomy import Taxonomy

SetLevel = Literal["pattern", "pillar", "stage"]
SET_LEVELS: Final[tuple[SetLevel, ...]] = ("pattern", "pillar", "stage")
LEVELS: Final[tuple[Level, ...]] = (*SET_LEVELS, "finding")


@dataclass(frozen=True)
class Rated:
    """Labels of several raters, each trajectory once per rater."""

    taxonomy: Taxonomy
    own: Mapping[str, Mapping[str, Labels]]
    """By rater and trajectory."""

    @property
    def raters(self) -> tuple[str, ...]:
        """Names, in order."""
        return tuple(self.own)

    def is_program(self, rater: str) -> bool:
        """Whether what a rater says was found by a program, the screen, and not by reading."""
        return any(one.rater_kind == "screen" for one in self.own[rater].values())

    def shared(self, *raters: str) -> list[str]:
        """Trajectories that all of these have labelled, in order of ids."""
        sets = [set(self.own[rater]) for rater in raters]
        return sorted(set.intersection(*sets))

    def cluster(self, trajectory: str) -> str:
        """The task of a trajectory, as the first rater by name who gives one has it."""
        subjects = [own[trajectory].subject for own in self.own.values() if trajectory in own]
        return cluster_of(next((s for s in subjects if s.task), Subject(trajectory)))


def rated(every: Iterable[Labels], taxonomy: Taxonomy) -> Rated:
    """Labels by rater.

    Raises:
        SpecError: as for `corpus`: other versions, unknown patterns, a trajectory twice, or of two
            tasks, systems or suites.
    """
    kept = list(every)
    own = by_rater(kept)
    corpora = {name: corpus(labels, taxonomy, name) for name, labels in own.items()}
    refuse_conflicts(kept)
    return Rated(
        taxonomy,
        {name: {x.subject.id: x for x in one.labelled} for name, one in corpora.items()},
    )


def names_of(taxonomy: Taxonomy, level: SetLevel) -> Sequence[str]:
    """Everything that can be found at a level."""
    return tuple(
        {"pattern": taxonomy.patterns, "pillar": taxonomy.pillars, "stage": taxonomy.stages}[level]
    )


def found_at(labels: Labels, taxonomy: Taxonomy, level: SetLevel) -> frozenset[str]:
    """What has a hit: patterns, or their pillars or stages. A partial is no hit."""
    hits = labels.hits()
    if level == "pattern":
        return hits
    return frozenset(str(getattr(taxonomy.patterns[name], level)) for name in hits)


def pools_of(taxonomy: Taxonomy, level: SetLevel) -> dict[str, tuple[str, ...]]:
    """Names that are also taken together: all of them (empty), and the patterns of each pillar."""
    names = tuple(names_of(taxonomy, level))
    if level != "pattern":
        return {"": names}
    pillars = {
        pillar: tuple(n for n in names if taxonomy.patterns[n].pillar == pillar)
        for pillar in taxonomy.pillars
    }
    return {"": names, **{pillar: own for pillar, own in pillars.items() if own}}


def lower_confidence(taxonomy: Taxonomy, level: Level, name: str) -> bool:
    """Whether the authors hold agreement on it to be lower; of a stage nothing is said."""
    if level == "pattern" and name in taxonomy.patterns:
        name = taxonomy.patterns[name].pillar
    known = level in ("pattern", "pillar") and name in taxonomy.pillars
    return known and taxonomy.pillars[name].lower_confidence
