"""Which candidates become rows: splits, cells, rounds, caps and quotas of docs/families.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from benchwright.suites.telemetry.audit.candidates.base import Candidate, Pool
from benchwright.suites.telemetry.audit.clock import Clock
from benchwright.suites.telemetry.audit.contract import SPLITS

Cell = tuple[str | None, ...]


def splits(candidates: Sequence[Candidate], dev_every: int) -> dict[str, list[Candidate]]:
    """Candidates by split, each in the order of keys."""
    made: dict[str, list[Candidate]] = {name: [] for name in SPLITS}
    ranked = sorted(candidates, key=lambda c: c.key)
    made["test"] = [c for c in ranked if c.part == "test"]
    for place, candidate in enumerate((c for c in ranked if c.part == "rest"), 1):
        made["train" if place % dev_every else "dev"].append(candidate)
    return made


def quarter(clock: Clock, ms: int) -> str:
    """The calendar quarter of an instant, with its year."""
    day = clock.period_of("month", ms).first_day
    return f"{day[:4]}-{(int(day[5:7]) + 2) // 3}"


def cell_of(candidate: Candidate, clock: Clock) -> Cell:
    """What the rounds and the cap of cells go by."""
    return candidate.point_class, quarter(clock, candidate.reach[0]), candidate.extra


class Chooser:
    """Rounds over cells under caps, for one family, variant and split."""

    def __init__(self, caps: Mapping[str, int], clock: Clock) -> None:
        self.caps = caps
        self.clock = clock
        self.used: Counter[tuple[str, object]] = Counter()

    def counters(self, candidate: Candidate) -> list[tuple[str, object]]:
        """Every (cap, what it counts) that the candidate would add one to."""
        found: list[tuple[str, object]] = [("cell", cell_of(candidate, self.clock))]
        found += [("stream", s) for s in candidate.counted]
        found += [("winner", candidate.winner)] if candidate.winner is not None else []
        found += [("offset_bucket", candidate.bucket)] if candidate.bucket is not None else []
        return found

    def forbidden(self, candidate: Candidate) -> bool:
        """Whether a cap is full."""
        return any(self.used[c] >= self.caps[c[0]] for c in self.counters(candidate))

    def choose(self, candidates: Sequence[Candidate], quota: int) -> list[Candidate]:
        """The chosen, in the order in which they were chosen."""
        queues: dict[Cell, Iterator[Candidate]] = {}
        cells: dict[Cell, list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            cells[cell_of(candidate, self.clock)].append(candidate)
        queues = {cell: iter(found) for cell, found in cells.items()}
        chosen: list[Candidate] = []
        while len(chosen) < quota:
            before = len(chosen)
            for queue in queues.values():
                found = next((c for c in queue if not self.forbidden(c)), None)
                if found is not None and len(chosen) < quota:
                    self.used.update(self.counters(found))
                    chosen.append(found)
            if len(chosen) == before:
                break
        return chosen


def quotas(pool: Pool) -> dict[str, int]:
    """How many rows each split wants."""
    wanted = pool.family.quota if pool.variant == "usual" else pool.family.negative
    return {split: wanted.get(split, 0) for split in SPLITS}


def chosen(pool: Pool) -> Iterator[tuple[str, list[Candidate]]]:
    """The rows of one family and variant, split by split."""
    wanted, corpus = quotas(pool), pool.world.corpus
    for split, candidates in splits(pool.kept, corpus.rules["dev_every"]).items():
        chooser = Chooser(pool.family.caps, corpus.clock)
        yield split, chooser.choose(candidates, wanted[split])
