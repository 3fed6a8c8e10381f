"""`Corpus`: the labels of one rater as tables count them, and what is missing from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from benchwright.diagnosis.labels.model import Labels, Subject
from benchwright.diagnosis.tables.subjects import refuse_conflicts
from benchwright.diagnosis.taxonomy import Taxonomy, one_version
from benchwright.errors import SpecError
from benchwright.stats.bootstrap import Counts, by_cluster
from benchwright.storage.people import nearest

Axis = Literal["system", "kind", "domain"]
AXES: Final[tuple[Axis, ...]] = ("system", "kind", "domain")
ALL = "all"
NOT_STATED = "not stated"


@dataclass(frozen=True)
class Corpus:
    """One labelling per trajectory, in order of their ids, and what was owed and is not there."""

    taxonomy: Taxonomy
    rater: str
    labelled: tuple[Labels, ...]
    missing: tuple[Subject, ...]
    """Planned, or labelled by another rater, and without labels of this one."""

    @property
    def planned(self) -> int:
        """Trajectories that were to be labelled."""
        return len(self.labelled) + len(self.missing)

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """[trajectories, patterns] in the order of the taxonomy."""
        return self._found([one.hits() for one in self.labelled])

    @cached_property
    def partials(self) -> NDArray[np.bool_]:
        """The same for patterns that were found in part and not whole."""
        return self._found([partials_of(one) for one in self.labelled])

    @cached_property
    def clusters(self) -> tuple[str, ...]:
        """Of each trajectory: its task, or itself where the task is not known."""
        return tuple(cluster_of(one.subject) for one in self.labelled)

    def columns(self, patterns: Iterable[str]) -> list[int]:
        """Places of patterns in the order of the taxonomy."""
        places = {name: place for place, name in enumerate(self.taxonomy.patterns)}
        return [places[name] for name in patterns]

    def parts(self, axis: Axis) -> Iterator[tuple[str, Corpus]]:
        """All of it, then each value of `axis` on its own, by name."""
        yield ALL, self
        yield from self.slices(axis)

    def slices(self, axis: Axis) -> Iterator[tuple[str, Corpus]]:
        """Each value of `axis` on its own, by name; where it is not stated, under that name."""
        every = (*(one.subject for one in self.labelled), *self.missing)
        for name in sorted({value_of(subject, axis) for subject in every}):
            labelled = tuple(x for x in self.labelled if value_of(x.subject, axis) == name)
            missing = tuple(x for x in self.missing if value_of(x, axis) == name)
            yield name, Corpus(self.taxonomy, self.rater, labelled, missing)

    def by_cluster(self, counts: NDArray[np.number]) -> dict[str, Counts]:
        """Rows of `counts` [trajectories, things], added up within clusters."""
        return by_cluster(zip(self.clusters, counts.astype(np.float64), strict=True))

    def _found(self, each: list[frozenset[str]]) -> NDArray[np.bool_]:
        names = list(self.taxonomy.patterns)
        return np.array([[n in own for n in names] for own in each], bool).reshape(-1, len(names))


def corpus(
    every: Iterable[Labels],
    taxonomy: Taxonomy,
    rater: str | None = None,
    planned: Iterable[Subject] = (),
) -> Corpus:
    """The labels of `rater`, or of the only one there is.

    `planned` are trajectories that were to be labelled; what another rater has labelled counts as
    planned too, so that nothing leaves the denominator unseen. A planned one that lacks suite, kind
    or domain takes them from a labelled one of its task.

    Raises:
        SpecError: no labels, several raters and none named, another version of the taxonomy, a
            trajectory labelled twice by one rater or with two tasks, systems or suites, a pattern
            that the taxonomy does not have.
    """
    kept = list(every)
    one_version([taxonomy.version, *(one.taxonomy for one in kept)], "labels and taxonomy")
    name = _only(kept, rater)
    own = [one for one in kept if one.rater == name]
    known = {one.subject.id: one for one in sorted(own, key=lambda one: one.subject.id)}
    if len(known) < len(own):
        twice = next(one for one in own if one is not known[one.subject.id])
        raise _twice(twice)
    for one in own:
        for label in one.labels:
            if label.pattern is not None:
                taxonomy.pattern(label.pattern, f"labels of {one.rater} for {one.subject.id}")
    refuse_conflicts(kept)
    tasks = {one.subject.task: one.subject for one in kept if one.subject.task}
    plan = [_completed(subject, tasks.get(subject.task)) for subject in planned]
    owed = {subject.id: subject for subject in (*plan, *(one.subject for one in kept))}
    missing = tuple(owed[subject] for subject in sorted(owed) if subject not in known)
    return Corpus(taxonomy, name, tuple(known.values()), missing)


def value_of(subject: Subject, axis: Axis) -> str:
    """What a subject is on an axis."""
    return str(getattr(subject, axis)) or NOT_STATED


def cluster_of(subject: Subject) -> str:
    """The task of a trajectory, apart from tasks of other suites; else the trajectory itself."""
    return f"task {subject.suite} {subject.task}" if subject.task else f"trajectory {subject.id}"


def partials_of(labels: Labels) -> frozenset[str]:
    """Distinct patterns that were found in part, and in no place whole."""
    part = {x.pattern for x in labels.labels if x.pattern and x.degree == "partial"}
    return frozenset(part - labels.hits())


def by_rater(every: Iterable[Labels]) -> Mapping[str, tuple[Labels, ...]]:
    """Labels of each rater, by name."""
    found: dict[str, list[Labels]] = {}
    for one in every:
        found.setdefault(one.rater, []).append(one)
    return {name: tuple(found[name]) for name in sorted(found)}


def _completed(subject: Subject, like: Subject | None) -> Subject:
    if like is None:
        return subject
    return replace(
        subject,
        suite=subject.suite or like.suite,
        kind=subject.kind or like.kind,
        domain=subject.domain or like.domain,
    )


def _only(every: list[Labels], rater: str | None) -> str:
    names = sorted({one.rater for one in every})
    if rater is None and len(names) == 1:
        return names[0]
    if rater is not None and rater in names:
        return rater
    if not names:
        raise SpecError("no labels", value=0, where="labels", hint="Give files of labels.")
    raise SpecError(
        "labels of several raters; a table is of one" if rater is None else "no such rater",
        value=", ".join(names) if rater is None else rater,
        where="--rater",
        hint="Name one: --rater NAME." if rater is None else nearest(rater, names),
    )


def _twice(labels: Labels) -> SpecError:
    return SpecError(
        "a rater has labelled a trajectory twice",
        value=labels.subject.id,
        where=f"labels of {labels.rater}",
        hint="Keep one of the two, or give them different names of rater.",
    )
