"""Which finding of one rater is which of another's: by the places that both point to.

Takes findings with their evidence; gives pairs. Words are not compared: two findings are the same
where they rest on the same place. Each is matched once at most, and the assignment is the one with
the largest sum of overlaps.

Overlap of two places, in [0, 1]:
- of two runs of lines, or two of bytes: common length by joint length;
- of two places that can hold each other (file and part, step and call, JSON value and value in it):
  depth of the outer by depth of the inner, the file or record itself being of depth 1; else 0;
- of different sources, or of lines with bytes or keys: 0.
Of two findings it is the largest over their places.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from posixpath import normpath

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchwright.trajectory.evidence import Evidence

_LINES = re.compile(r"(?:lines? )?(\d{1,15})(?:-(\d{1,15}))?")
_BYTES = re.compile(r"bytes (\d{1,15})-(\d{1,15})")
_SAME_NAME = 1e-9
"""Weight of equal names, far below any overlap: it decides between equal sums only."""


@dataclass(frozen=True, slots=True)
class Place:
    """A resolved pointer: a part of a source, by path or as a run of units."""

    source: str
    path: tuple[str, ...] = ()
    unit: str = ""
    """`lines` or `bytes` for a run; empty for a place in a tree."""
    start: int = 0
    stop: int = 0
    """First unit after the run."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rater found, and where."""

    name: Hashable
    """Pattern or other class; None for a finding of none."""
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Finding `first` of one list is finding `second` of the other."""

    first: int
    second: int
    overlap: float


def place_of(evidence: Evidence) -> Place | None:
    """Where a pointer leads as it is written; None for a run that ends before it begins."""
    source, at = _plain(evidence.source), evidence.at.strip()
    if source == "step":
        return Place(source, tuple(at.split(" ", 1)))
    if not at or source.startswith("result:"):
        return Place(source)
    if span := _BYTES.fullmatch(at):
        return _run(source, "bytes", int(span[1]), int(span[2]))
    if source != "session" and (lines := _LINES.fullmatch(at)):
        return _run(source, "lines", int(lines[1]), int(lines[2] or lines[1]) + 1)
    return Place(source, tuple(at[1:].split("/")) if at.startswith("/") else (at,))


def overlap(a: Place, b: Place) -> float:
    """How much of two places is common, in [0, 1]; symmetric, 1 for a place with itself."""
    if a.source != b.source:
        return 0.0
    if a.unit and a.unit == b.unit:
        common = min(a.stop, b.stop) - max(a.start, b.start)
        return max(common, 0) / (max(a.stop, b.stop) - min(a.start, b.start))
    if a.unit and b.unit:
        return 0.0
    outer, inner = sorted((a, b), key=_depth)
    held = outer.path == () if inner.unit else inner.path[: len(outer.path)] == outer.path
    return _depth(outer) / _depth(inner) if held and not outer.unit else 0.0


def nearness(a: Finding, b: Finding) -> float:
    """Largest overlap over the places of two findings; 0 where one points nowhere."""
    return max((overlap(x, y) for x in a.places for y in b.places), default=0.0)


def match(
    first: Sequence[Finding], second: Sequence[Finding], least: float = 0.0
) -> tuple[Match, ...]:
    """The assignment with the largest sum of overlaps, in order of `first`.

    Pairs overlap by more than 0 and by `least`. Among equal sums one with more equal names is
    taken, so that an issue that two patterns share is not counted as two disagreements.
    """
    if not first or not second:
        return ()
    near = np.array([[nearness(a, b) for b in second] for a in first])
    near[near < least] = 0.0
    same = np.array([[a.name == b.name for b in second] for a in first])
    rows, columns = linear_sum_assignment(near + _SAME_NAME * (same & (near > 0)), maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return tuple(Match(i, j, float(near[i, j])) for i, j in pairs if near[i, j] > 0)


def _plain(source: str) -> str:
    kind, colon, path = source.partition(":")
    return f"{kind}:{normpath(path)}" if kind == "artifact" and colon else source


def _run(source: str, unit: str, start: int, stop: int) -> Place | None:
    return Place(source, (), unit, start, stop) if start < stop else None


def _depth(place: Place) -> int:
    return 2 if place.unit else len(place.path) + 1
