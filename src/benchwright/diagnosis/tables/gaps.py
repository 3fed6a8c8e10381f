"""What the taxonomy does not cover: issues that fit no pattern, and whether versions close in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.labels.nones import none_rate
from benchwright.diagnosis.tables.corpus import Corpus, value_of
from benchwright.diagnosis.tables.grid import RATE, Grid, Value, counts, texts
from benchwright.diagnosis.taxonomy import Taxonomy
from benchwright.errors import SpecError


def uncovered(corpus: Corpus) -> Grid:
    """Every issue that its rater could give no pattern."""
    rows = [
        (one.subject.id, one.subject.task, value_of(one.subject, "system"), label.issue, label.why)
        for one in corpus.labelled
        for label in one.labels
        if label.pattern is None
    ]
    return Grid(
        "uncovered",
        "Issues that fit no pattern",
        (*texts("trajectory", "task", "system"), *counts("issue"), *texts("why")),
        tuple(rows),
        ("Issues without a pattern are hits of no table.",),
    )


def saturation(versions: Sequence[Taxonomy], every: Iterable[Labels]) -> Grid:
    """By version of the taxonomy, in order: issues that fit none, and patterns that are new.

    A pattern is new where the version's map from the one before leads to it from none; without
    such a map that is unknown. Only labels with the number of an issue say that one fits none.

    Raises:
        SpecError: labels of a version that is not among `versions`.
    """
    kept = list(every)
    known = [taxonomy.version for taxonomy in versions]
    for one in kept:
        if one.taxonomy not in known:
            raise SpecError(
                "labels of a version that is not given",
                value=one.taxonomy,
                where=f"labels of {one.rater} for {one.subject.id}",
                hint="Give its file: --taxonomy FILE, once per version and oldest first.",
            )
    return Grid(
        "saturation",
        "Saturation over versions of the taxonomy",
        (*texts("version"), *counts("patterns", "new", "used", "labelled", "issues", "none"),
         *RATE),
        tuple(_versions(versions, kept)),
        ("share: issues that fit no pattern, with its exact interval (95 %) as if issues were "
         "independent. used: patterns with at least one hit.",),
    )  # fmt: skip


def _versions(versions: Sequence[Taxonomy], every: Sequence[Labels]) -> Iterator[tuple[Value, ...]]:
    before: Taxonomy | None = None
    for taxonomy in versions:
        own = [one for one in every if one.taxonomy == taxonomy.version]
        rate = none_rate(own)
        used = len({name for one in own for name in one.hits()})
        share = (rate.share, *rate.interval) if rate.issues else (None, None, None)
        trajectories = len({one.subject.id for one in own})
        yield (
            taxonomy.version, len(taxonomy.patterns), _new(before, taxonomy), used, trajectories,
            rate.issues, rate.none, *share,
        )  # fmt: skip
        before = taxonomy


def _new(before: Taxonomy | None, taxonomy: Taxonomy) -> int | None:
    if before is None:
        return len(taxonomy.patterns)
    maps = [m for m in taxonomy.maps if m.source == before.version]
    if not maps:
        return None
    carried = {name for names in maps[0].patterns.values() for name in names}
    return len(set(taxonomy.patterns) - carried)
