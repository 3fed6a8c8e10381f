"""`View`: what a learner is shown of each sample, and what it must not be able to tell from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchwright.canonical import digest
from benchwright.errors import SpecError

FOLDS = 5
"""Parts of the cross-validation."""

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One thing that is shown of each sample of a set."""

    where: str
    """Part of the set, such as a system and a noise level."""
    name: str
    """What is shown."""
    samples: tuple[str, ...]
    """A name per sample, each another."""
    labels: tuple[str, ...]
    """Class of each sample."""
    groups: tuple[str, ...]
    """Configuration of each sample: samples of one are never parted by a fold."""
    data: Floats
    """Series [sample, channel, row] or a table [sample, number]; NaN in a table is unknown."""
    detail: str = ""
    """How much of each sample, and of which ones, for people."""
    decides: bool = True
    """Whether the set is at fault where a learner beats chance here; else it only informs."""

    @property
    def series(self) -> bool:
        """Whether whole series are shown."""
        return self.data.ndim == 3

    def ordered(self) -> View:
        """The same with its samples by name, so that no order in which they came has a say."""
        order = sorted(range(len(self.samples)), key=lambda index: self.samples[index])
        samples, labels, groups = (
            tuple(values[index] for index in order)
            for values in (self.samples, self.labels, self.groups)
        )
        return replace(self, samples=samples, labels=labels, groups=groups, data=self.data[order])


def numbered(names: tuple[str, ...]) -> Integers:
    """Each name as its place among the different names, sorted."""
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names], np.int64)


def folds(groups: tuple[str, ...]) -> Integers:
    """The fold of each sample: configurations are dealt in turn, in the order of their digests.

    Raises:
        SpecError: fewer configurations than folds.
    """
    different = sorted(set(groups), key=lambda group: digest(["fold", group]))
    if len(different) < FOLDS:
        raise SpecError(
            "too few configurations to audit",
            value=len(different),
            where="shortcuts",
            hint=f"Give samples of {FOLDS} configurations or more.",
        )
    dealt = {group: place % FOLDS for place, group in enumerate(different)}
    return np.array([dealt[group] for group in groups], np.int64)
