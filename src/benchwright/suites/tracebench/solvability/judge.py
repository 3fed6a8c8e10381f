"""Verdicts of many candidates, in the order in which they cost least.

First what the unchanged run alone rejects, then what events alone reject, then the rules, the ratio
to the unchanged run, and the one to the static run, which is simulated for the candidates that are
left and no others. Takes numbers of one system; gives codes and ratios. A few megabytes of series
are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.noise import refers_to_itself
from benchwright.suites.tracebench.solvability.batch import NEVER, Series, Simulator
from benchwright.suites.tracebench.solvability.divergence import first_divergences, measures
from benchwright.suites.tracebench.solvability.early import BY_EVENTS, EARLY, UNKNOWN
from benchwright.suites.tracebench.solvability.ratios import Asked, passes, ratios
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.solvability.rules import BY_DIVERGENCE, RULES
from benchwright.suites.tracebench.solvability.sums import scales
from benchwright.suites.tracebench.solvability.terms import terms_of
from benchwright.suites.tracebench.systems import System
from benchwright.suites.tracebench.systems._jit import kernel

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

ROUND_BYTES: Final = 1_500_000
"""Series of the candidates of one round: they stay in the processor's cache."""


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
    time: Floats
    """[candidate]: when it acts, in seconds."""

    def __len__(self) -> int:
        return len(self.family)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What was found, per candidate."""

    codes: Rows
    """`Reason` of the rejection, 0 for none."""
    divergence: Rows
    """Row of the first detected divergence, -1 for none, and where nobody asked for it."""
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


_KEPT: Final = int(Reason.KEPT)
_ODD: Final = int(Reason.NOT_FINITE)

Group = tuple[Rows, Rows, Rows, Rows]
"""Sampled candidates of a round: place, pair (unchanged run), parameter, row of the change."""


class Judge:
    """Judges candidates of one system under one dynamics. Not for use by two threads at once."""

    def __init__(self, system: System, dynamics: str, criteria: Criteria) -> None:
        self._system, self._dynamics = system, dynamics
        self._criteria = criteria
        self._terms = terms_of(system.name)
        self._by_events = np.zeros(len(system.variables), np.bool_)
        self._measures = measures(system)
        self._targets, self._unchanged, self._static = (
            Simulator(system, dynamics) for _ in range(3)
        )
        if self._targets.event_driven:
            self._by_events[list(BY_EVENTS[system.name])] = True

    def judge(self, candidates: Candidates) -> Judged:
        """Codes, first divergences and ratios of all candidates."""
        count, channels = len(candidates), len(self._system.channels)
        out = Judged(
            codes=np.zeros(count, np.int64),
            divergence=np.full(count, -1, np.int64),
            no_change=np.full((count, channels), np.nan),
            static=np.full((count, channels), np.nan),
        )
        size = max(ROUND_BYTES // (4 * channels * self._system.rows), 1)
        for part in _rounds(candidates.family, size):
            self._judge(candidates, part, out)
        return out

    def _judge(self, candidates: Candidates, part: slice, out: Judged) -> None:
        families, pairs = _runs_of(candidates.family[part])
        before = candidates.baselines[families]
        others = self._unchanged.run(_twice(before), np.full(len(families), NEVER))
        values = _twice(before[pairs])
        parameters, changes = candidates.parameter[part], candidates.change[part]
        values[np.arange(len(pairs)), 1, parameters] = candidates.value[part]
        times = candidates.time[part]
        codes = out.codes[part]
        if not self._criteria.complete:
            codes[:] = self._early(others, pairs, values, times, parameters, changes)
            # Rejected as equal to the unchanged run: the ratio is known.
            out.no_change[part][codes == int(Reason.RATIO_NO_CHANGE)] = 0.0
        left: Rows = _kept(codes, False)
        if not len(left):
            return
        group = (left, pairs[left], parameters[left], changes[left])
        targets = self._targets.run(values[left], times[left])
        codes[left] = self._rules(targets, others, group, out.divergence[part])
        self._compare(targets, others, group, values[left, 1], part, out)

    def _early(
        self,
        others: Series,
        pairs: Rows,
        values: Floats,
        times: Floats,
        parameters: Rows,
        changes: Rows,
    ) -> Rows:
        """Codes of what needs no sample of the candidates; `KEPT` for the others."""
        name, dt, on = self._system.name, self._system.dt, self._criteria.on
        nothing = np.empty((len(pairs), 0, 2), np.int32), np.full(len(pairs), UNKNOWN, np.int64)
        driven = self._targets.event_driven
        codes: Rows = EARLY[name](others, pairs, nothing, parameters, changes, dt, on, driven)
        ask = np.flatnonzero((codes == _KEPT) & self._by_events[parameters])
        if len(ask):
            _, *events = self._targets.events(values[ask], times[ask])
            codes[ask] = EARLY[name](
                others, pairs[ask], tuple(events), parameters[ask], changes[ask], dt, on, driven
            )
        return codes

    def _rules(self, targets: Series, others: Series, group: Group, divergence: Rows) -> Rows:
        left, pairs, parameters, changes = group
        name, dt, on = self._system.name, self._system.dt, self._criteria.on
        bounds, rows = self._measures, np.full(len(left), -1, np.int64)
        every = np.arange(len(left))
        if name in BY_DIVERGENCE:
            rows = first_divergences(targets[0], others[0], every, pairs, bounds, changes)
        codes: Rows = RULES[name](targets, others, pairs, parameters, changes, rows, dt, on)
        if name not in BY_DIVERGENCE:
            every = self._asked(codes)
            rows[every] = first_divergences(targets[0], others[0], every, pairs, bounds, changes)
        divergence[left] = rows
        return codes

    def _compare(
        self,
        targets: Series,
        others: Series,
        group: Group,
        after: Floats,
        part: slice,
        out: Judged,
    ) -> None:
        """Both ratios of sampled candidates, `after` being their new values [sampled, variable]."""
        places, pairs, _, changes = group
        codes = out.codes[part]
        ask = self._asked(codes[places])
        if not len(ask):
            return
        scale = self._scales(targets, others, ask, pairs[ask])
        known = self._known(changes)
        asked = Asked(ask, pairs[ask], changes[ask], pairs[ask], known[ask])
        found = self._ratios(targets, others, others, asked, scale)
        out.no_change[part][places[ask]] = found
        _reject(codes, places[ask], found, int(Reason.RATIO_NO_CHANGE))
        first, ask = ask, self._asked(codes[places])
        scale = scale[np.searchsorted(first, ask)]
        static = self._static.run(_twice(after[ask]), np.full(len(ask), NEVER))
        whole, every = np.zeros(len(ask), np.int64), np.arange(len(ask))
        asked = Asked(ask, every, whole, pairs[ask], known[ask])
        found = self._ratios(targets, static, others, asked, scale)
        out.static[part][places[ask]] = found
        _reject(codes, places[ask], found, int(Reason.RATIO_STATIC))

    def _known(self, changes: Rows) -> Rows:
        """First rows whose noise knows the events of the run itself, not of its unchanged one."""
        return np.zeros_like(changes) if refers_to_itself(self._dynamics) else changes

    def _scales(self, targets: Series, others: Series, chosen: Rows, pairs: Rows) -> Floats:
        """What the noise of chosen candidates refers to [chosen, channel]; NaN if not finite."""
        if refers_to_itself(self._dynamics):
            own: Floats = scales(targets[0], chosen)
            return own
        families, place = _runs_of(pairs)
        unchanged: Floats = scales(others[0], families)
        return unchanged[place]

    def _asked(self, codes: Rows) -> Rows:
        found: Rows = _kept(codes, self._criteria.complete)
        return found

    def _ratios(
        self, targets: Series, probes: Series, unchanged: Series, asked: Asked, scale: Floats
    ) -> Floats:
        found: Floats = ratios(
            targets, probes, unchanged, asked, scale, self._criteria.kappa, self._terms
        )
        return found


@kernel
def _kept(codes: Rows, every: bool) -> Rows:
    """Places of the candidates that nothing rejected, or all places."""
    out = np.empty(codes.shape[0], np.int64)
    count = 0
    for place in range(codes.shape[0]):
        if every or codes[place] == _KEPT:
            out[count] = place
            count += 1
    return out[:count]


@kernel
def _reject(codes: Rows, places: Rows, found: Floats, reason: int) -> None:
    """Give `reason` to candidates that were kept so far, but whose ratios [place, channel] fail."""
    for place in range(places.shape[0]):
        if codes[places[place]] == _KEPT and not passes(found[place]):
            codes[places[place]] = _ODD if np.isnan(found[place]).any() else reason


@kernel
def _runs_of(family: Rows) -> tuple[Rows, Rows]:
    """The different numbers of a sorted array, and the place of each entry among them."""
    different, place = np.empty_like(family), np.empty_like(family)
    count = 0
    for row in range(family.shape[0]):
        if row == 0 or family[row] != family[row - 1]:
            different[count] = family[row]
            count += 1
        place[row] = count - 1
    return different[:count], place


def _twice(values: Floats) -> Floats:
    """Values [run, variable] before and after a change that changes nothing."""
    return np.repeat(values[:, None], 2, axis=1)


def _rounds(family: Rows, size: int) -> Iterator[slice]:
    """Slices of at least `size` candidates, but for the last, that never cut a family."""
    ends = np.append(np.flatnonzero(np.diff(family)) + 1, len(family))
    start = 0
    for end in ends:
        if end - start >= size or (end == len(family) and end > start):
            yield slice(start, int(end))
            start = int(end)
