"""Findings of one rater matched with those of another, by the places that both point to.

A finding is a label with a hit, or an issue that fits no pattern. Two are the same where their
evidence overlaps most (`stats.matching`); only then are their patterns compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.diagnosis.agreement.against import (
    Figure,
    figure,
    others_than,
    precision_recall_f1,
)
from benchwright.diagnosis.agreement.levels import SET_LEVELS, Rated
from benchwright.diagnosis.agreement.places import Reader
from benchwright.diagnosis.taxonomy import Taxonomy
from benchwright.stats.bootstrap import Counts, by_cluster, draw_clusters, share_of
from benchwright.stats.matching import Finding, match
from benchwright.stats.retrieval import Retrieval
from benchwright.trajectory.resolve import Places


@dataclass(frozen=True, slots=True)
class MatchedFindings:
    """Findings of one rater against those of `truth`."""

    rater: str
    truth: str
    shared: int
    """Trajectories that both have labelled; findings of others count nowhere."""
    only_rater: int
    only_truth: int
    counts: Retrieval
    placeless: tuple[int, int]
    """Findings of the rater and of the truth whose evidence names no place that holds: never
    matched."""
    pointers: int
    """Pointers of both."""
    unfollowed: int
    """Of these, into what was not given: taken as they are written."""
    precision: Figure
    recall: Figure
    f1: Figure
    alike: dict[str, int]
    """Of the matched: how many are of one pattern, pillar or stage."""
    alike_share: dict[str, Figure]


def findings_against(
    rated: Rated,
    truth: str,
    least: float = 0.0,
    episodes: Mapping[str, Places] | None = None,
) -> tuple[MatchedFindings, ...]:
    """Every other rater against `truth`; pairs overlap by more than 0 and by `least`.

    `episodes` says where the parts of trajectories are, by id, so that pointers are followed.

    Raises:
        SpecError: no such rater, no other one, or no trajectory that both have labelled.
    """
    others = others_than(rated, truth)
    return tuple(_matched(rated, one, truth, least, Reader(episodes or {})) for one in others)


def _matched(rated: Rated, rater: str, truth: str, least: float, reader: Reader) -> MatchedFindings:
    ids = rated.shared(rater, truth)
    rows: list[tuple[str, Counts]] = []
    placeless = [0, 0]
    for i in ids:
        ours, theirs = (reader.findings(rated.own[one][i]) for one in (rater, truth))
        for side, own in enumerate((ours, theirs)):
            placeless[side] += sum(not finding.places for finding in own)
        rows.append((rated.cluster(i), _row(ours, theirs, rated.taxonomy, least)))
    draws = draw_clusters(by_cluster(rows))
    matched, found, true, *alike = (int(x) for x in draws.total)
    return MatchedFindings(
        rater,
        truth,
        len(ids),
        len(rated.own[rater]) - len(ids),
        len(rated.own[truth]) - len(ids),
        Retrieval(matched, found - matched, true - matched),
        (placeless[0], placeless[1]),
        reader.pointers,
        reader.unfollowed,
        *precision_recall_f1(draws),
        dict(zip(SET_LEVELS, alike, strict=True)),
        {level: figure(draws, share_of(3 + n, 0)) for n, level in enumerate(SET_LEVELS)},
    )


def _row(
    ours: Sequence[Finding], theirs: Sequence[Finding], taxonomy: Taxonomy, least: float
) -> Counts:
    """Matched, found, true, then the matched of one pattern, pillar and stage."""
    pairs = [(ours[m.first].name, theirs[m.second].name) for m in match(ours, theirs, least)]
    alike = [sum(_at(a, taxonomy, at) == _at(b, taxonomy, at) for a, b in pairs)
             for at in ("id", "pillar", "stage")]  # fmt: skip
    return np.array([len(pairs), len(ours), len(theirs), *alike], np.float64)


def _at(name: object, taxonomy: Taxonomy, level: str) -> str | None:
    """Pattern, pillar or stage of a finding; None of an issue that fits none."""
    return str(getattr(taxonomy.patterns[str(name)], level)) if name is not None else None
