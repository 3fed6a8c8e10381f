"""Places of pointers: followed into the episode where it is at hand, else as they are written.

A pointer that leads nowhere, or whose quote does not stand there, is no place. A followed one has
the own name of its file, however it was spelled, and its lines are a run of bytes, so that lines
and bytes can overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from pathlib import Path

from benchwright.diagnosis.documents.sources import Sources
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.labels.pointing import follow
from benchwright.stats.matching import Finding, Place, place_of
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places


@dataclass
class Reader:
    """Findings of labels; counts what was followed on the way."""

    episodes: Mapping[str, Places] = field(default_factory=dict)
    """Where the parts of a trajectory are, by its id."""
    pointers: int = 0
    unfollowed: int = 0
    """Pointers into what was not given; taken as they are written."""

    def findings(self, labels: Labels) -> tuple[Finding, ...]:
        """Hits and issues without a pattern, with the places of their evidence."""
        sources = Sources(self.episodes.get(labels.subject.id, Places()))
        return tuple(
            Finding(label.pattern, tuple(self._places(label.evidence, sources)))
            for label in labels.labels
            if label.degree == "hit"
        )

    def _places(self, evidence: Iterable[Evidence], sources: Sources) -> Iterable[Place]:
        for one in evidence:
            self.pointers += 1
            followed = follow(one, sources, None)
            if followed.outcome == "astray":
                continue
            held = followed.outcome == "holds"
            self.unfollowed += not held
            found = _found(one, sources) if held else place_of(one)
            if found is not None:
                yield found


def _found(evidence: Evidence, sources: Sources) -> Place | None:
    kind, _, name = evidence.source.partition(":")
    if kind not in ("artifact", "log"):
        return place_of(evidence)
    resolved = sources.resolved(evidence)
    own = resolved.evidence if resolved is not None else evidence
    place, name = place_of(own), own.source.partition(":")[2]
    folder = sources.places.artifacts
    file = folder / name if folder is not None and name else sources.places.log
    return _in_bytes(place, file) if place is not None and file is not None else place


def _in_bytes(place: Place, file: Path) -> Place:
    """A run of lines as the run of bytes that they are; any other place as it is."""
    if place.unit != "lines":
        return place
    with file.open("rb") as lines:
        ends = [0, *accumulate(map(len, islice(lines, place.stop - 1)))]
    start, stop = ends[min(max(place.start, 1), len(ends)) - 1], ends[-1]
    return replace(place, unit="bytes", start=start, stop=stop) if start < stop else place
