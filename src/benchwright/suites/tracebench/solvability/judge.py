"""Verdicts of many candidates, in the order in which they cost least.

Rules come first, then the ratio to the unchanged run, then the one to the static run, which is
simulated for the candidates that are left and no others. Takes numbers of one system; gives codes
and ratios. A few dozen candidates are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.solvability.batch import NEVER, Series, Simulator
from benchwright.suites.tracebench.solvability.divergence import first_divergences, measures
from benchwright.suites.tracebench.solvability.ratios import LIMIT, ratios, scales
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.solvability.rules import RULES
from benchwright.suites.tracebench.solvability.terms import terms_of
from benchwright.suites.tracebench.systems import System

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

CHUNK: Final = 64
"""Candidates per round: their series stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Steps of one system, in the order of their families."""

    baselines: Floats
    """[family, variable]"""
    family: Rows
    """[candidate]: which row of `baselines`; never decreasing."""
    parameter: Rows
    """[candidate]: which column steps."""
    value: Floats
    """[candidate]: its new value."""
    change: Rows
    """[candidate]: first row with it."""

    def __len__(self) -> int:
        return len(self.family)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What was found, per candidate."""

    codes: Rows
    """`Reason` of the rejection, 0 for none."""
    divergence: Rows
    """Row of the first detected divergence, -1 for none."""
    no_change: Floats
    """[candidate, channel] ratios; NaN where an earlier reason made them needless."""
    static: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Criteria:
    """How candidates are judged."""

    kappa: float
    on: NDArray[np.bool_]
    """[reason]: which vetoes may reject."""
    complete: bool = False
    """Compute every ratio of every candidate, also of rejected ones."""


class Judge:
    """Judges candidates of one system under one dynamics. Not for use by two threads at once."""

    def __init__(self, system: System, dynamics: str, criteria: Criteria) -> None:
        self._system = system
        self._criteria = criteria
        self._terms = terms_of(system.name)
        self._measures = measures(system)
        self._targets, self._unchanged, self._static = (
            Simulator(system, dynamics) for _ in range(3)
        )

    def judge(self, candidates: Candidates) -> Judged:
        """Codes, first divergences and ratios of all candidates."""
        count, channels = len(candidates), len(self._system.channels)
        out = Judged(
            codes=np.zeros(count, np.int64),
            divergence=np.full(count, NEVER, np.int64),
            no_change=np.full((count, channels), np.nan),
            static=np.full((count, channels), np.nan),
        )
        for part in _chunks(candidates.family):
            self._judge(candidates, part, out)
        return out

    def _judge(self, candidates: Candidates, part: slice, out: Judged) -> None:
        families, pairs = np.unique(candidates.family[part], return_inverse=True)
        before = candidates.baselines[families]
        never = np.full(len(families), NEVER, np.int64)
        others = self._unchanged.run(np.stack([before, before], axis=1), never)
        values = np.repeat(before[pairs][:, None], 2, axis=1)
        values[np.arange(len(pairs)), 1, candidates.parameter[part]] = candidates.value[part]
        changes = candidates.change[part]
        targets = self._targets.run(values, changes)
        scale = scales(targets[0])
        rows = first_divergences(targets[0], others[0], pairs, self._measures, changes)
        codes = RULES[self._system.name](
            targets,
            others,
            pairs,
            candidates.parameter[part],
            changes,
            rows,
            self._system.dt,
            self._criteria.on,
        )
        codes[np.isnan(scale).any(axis=1)] = Reason.NOT_FINITE
        out.divergence[part] = rows
        left = self._left(codes)
        near = self._ratios(targets, others, left, pairs[left], changes[left], scale)
        out.no_change[part.start + left] = near
        _reject(codes, left, near, Reason.RATIO_NO_CHANGE)
        left = self._left(codes)
        after = np.repeat(values[left, 1:], 2, axis=1)
        static = self._static.run(after, np.full(len(left), NEVER, np.int64))
        whole = np.zeros(len(left), np.int64)
        far = self._ratios(targets, static, left, np.arange(len(left)), whole, scale)
        out.static[part.start + left] = far
        _reject(codes, left, far, Reason.RATIO_STATIC)
        out.codes[part] = codes

    def _left(self, codes: Rows) -> Rows:
        return np.flatnonzero((codes == Reason.KEPT) | self._criteria.complete)

    def _ratios(
        self, targets: Series, probes: Series, left: Rows, pairs: Rows, starts: Rows, scale: Floats
    ) -> Floats:
        found: Floats = ratios(
            targets, probes, left, pairs, starts, scale, self._criteria.kappa, self._terms
        )
        return found


def _reject(codes: Rows, left: Rows, found: Floats, reason: Reason) -> None:
    failed = left[~(found.max(axis=1, initial=0.0) > LIMIT)]
    codes[failed[codes[failed] == Reason.KEPT]] = reason


def _chunks(family: Rows) -> Iterator[slice]:
    """Slices of about CHUNK candidates that never cut a family."""
    ends = np.append(np.flatnonzero(np.diff(family)) + 1, len(family))
    start = 0
    for end in ends:
        if end - start >= CHUNK or end == len(family):
            if end > start:
                yield slice(start, int(end))
            start = int(end)
