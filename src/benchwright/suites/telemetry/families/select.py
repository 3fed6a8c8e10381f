"""From candidates to rows: dev every n-th, cells in turn, caps, quotas.

Takes the candidates of one kind; gives those chosen for each split in order. Nothing but keys,
cells and caps decides; a quota that cannot be filled stays unfilled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchwright.suites.telemetry.contract.model import Caps
from benchwright.suites.telemetry.families.model import Candidate, Kind

Split = Literal["train", "dev", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One row to be, in the order of the manifest."""

    kind: Kind
    split: Split
    candidate: Candidate


def by_split(candidates: Iterable[Candidate], every: int) -> dict[Split, list[Candidate]]:
    """Candidates in the order of their keys; of those not held out, each `every`-th is dev."""
    found: dict[Split, list[Candidate]] = {split: [] for split in SPLITS}
    rest = 0
    for candidate in sorted(candidates, key=lambda c: c.key):
        if candidate.part == "test":
            found["test"].append(candidate)
            continue
        rest += 1
        found["dev" if rest % every == 0 else "train"].append(candidate)
    return found


def choose(candidates: Sequence[Candidate], quota: int, caps: Caps) -> list[Candidate]:
    """At most `quota` of ordered candidates: cells in turn, and none beyond a cap."""
    cells: dict[tuple[str, ...], list[Candidate]] = {}
    for candidate in candidates:
        cells.setdefault(candidate.cell, []).append(candidate)
    waiting = [iter(found) for found in cells.values()]
    used: Counter[tuple[str, object]] = Counter()
    chosen: list[Candidate] = []
    while waiting and len(chosen) < quota:
        left = []
        for cell in waiting:
            if len(chosen) == quota:
                break
            taken = next((c for c in cell if _allowed(c, caps, used)), None)
            if taken is not None:
                used.update(counted(taken))
                chosen.append(taken)
                left.append(cell)
        waiting = left
    return chosen


def counted(candidate: Candidate) -> list[tuple[str, object]]:
    """What caps count a candidate under."""
    traits = candidate.traits
    found: list[tuple[str, object]] = [("cell", candidate.cell)]
    found += [("stream", stream) for stream in traits.streams]
    if traits.winner is not None:
        found.append(("winner", traits.winner))
    if traits.bucket is not None:
        found.append(("offset_bucket", traits.bucket))
    return found


def _allowed(candidate: Candidate, caps: Caps, used: Mapping[tuple[str, object], int]) -> bool:
    return forbidding(candidate, caps, used) is None


def forbidding(
    candidate: Candidate, caps: Caps, used: Mapping[tuple[str, object], int]
) -> str | None:
    """The first cap that is reached for a candidate; None where none is."""
    limits = caps.model_dump()
    for what in counted(candidate):
        limit = limits[what[0]]
        if limit is not None and used[what] >= limit:
            return what[0]
    return None
