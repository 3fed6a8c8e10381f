"""Where families offer what they found: it counts, finds the part and keeps what can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchwright.suites.telemetry.contract.holdout import part_of
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.families.inventory import Inventory
from benchwright.suites.telemetry.families.model import (
    Candidate,
    Counts,
    Identity,
    Kind,
    Traits,
    key_of,
)


class Sink:
    """Candidates and counts of one kind."""

    def __init__(self, kind: Kind, inventory: Inventory) -> None:
        self.kind, self.counts = kind, Counts()
        self.found: list[Candidate] = []
        self._inventory = inventory

    def seed(self, stream: str, first_day: str) -> Identity:
        """What the anchor of a stream and a week is drawn by."""
        return {**self.named, "streams": [stream], "first_day": first_day}

    @property
    def named(self) -> Identity:
        """The part of an identity that all of this kind share."""
        return {"family": self.kind.family.name, "variant": self.kind.variant}

    def miss(self, reason: str, number: int = 1, why: str | None = None) -> None:
        """Count questions that are not eligible; `why` is a finer reason."""
        if number:
            self.counts.candidates += number
            self.counts.missed[reason] += number
            self.counts.why[why or reason] += number

    def offer(
        self,
        identity: Identity,
        site: str,
        points: Sequence[Point],
        reach: Window,
        traits: Traits,
    ) -> None:
        """Count an eligible question about `points`, and keep it if a split may hold it."""
        self.counts.candidates += 1
        self.counts.eligible += 1
        held = self._inventory
        part = part_of(self.kind.family, points, reach, held.contract, held.store.zone)
        if part is None:
            self.counts.across += 1
            return
        whole = {**self.named, **identity}
        cell = (points[0].point_class, _quarter(reach.start, held), traits.extra)
        self.found.append(Candidate(whole, key_of(whole), site, reach, part, cell, traits))


def _quarter(instant: int, inventory: Inventory) -> str:
    local = inventory.clock.local(np.array([instant]))[0]
    month = np.datetime64(int(local), "ms").astype("datetime64[M]")
    year, number = divmod(int(month.astype(np.int64)), 12)
    return f"{1970 + year}Q{number // 3 + 1}"
