"""Rules that a good label file keeps, each a named flaw (facts arft 6.4 and 6.7, repaired).

A rule that breaks is told, not repaired: who labels again needs to know what, and whoever counts
decides what to leave out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.diagnosis.documents.parse import Document
from benchwright.diagnosis.documents.sources import Sources
from benchwright.diagnosis.labels.flaws import Flaw, Rule
from benchwright.diagnosis.labels.issues import issue_flaws
from benchwright.diagnosis.labels.model import Label, Labels
from benchwright.diagnosis.labels.pointing import CREDIT, RETRACTION, Followed, follow
from benchwright.diagnosis.taxonomy import Taxonomy, shipped
from benchwright.trajectory.resolve import Places

_ALONE: tuple[tuple[str, Rule, str], ...] = (
    (CREDIT, "credit_only", "pattern rests on praise alone"),
    (RETRACTION, "retracted_only", "pattern rests on what was taken back"),
)


@dataclass(frozen=True, slots=True)
class Quality:
    """What the rules say of one label file."""

    flaws: tuple[Flaw, ...]
    pointers: int
    unchecked: int
    """Pointers of these that were not followed: their part of the episode was not given."""

    @property
    def good(self) -> bool:
        """Whether no rule is broken; what is only reported does not count."""
        return not any(flaw.breaks for flaw in self.flaws)


def quality(
    labels: Labels,
    places: Places = Places(),  # noqa: B008 - immutable
    document: Document | None = None,
    taxonomy: Taxonomy | None = None,
    whole: bool = False,
) -> Quality:
    """`labels` by every rule, evidence followed into what is given of episode and analysis.

    `whole` says that `places` are all that the episode has.

    Labels of another version of the taxonomy have that one flaw and no other: carry them over
    first (`carry.carried`).
    """
    taxonomy = taxonomy or shipped()
    pointers = sum(len(label.evidence) for label in labels.labels)
    if labels.taxonomy != taxonomy.version:
        other = Flaw("version", "labels of another version of the taxonomy", "file",
                     labels.taxonomy, taxonomy.version)  # fmt: skip
        return Quality((other,), pointers, pointers)
    sources = Sources(places)
    followed = [
        [follow(e, sources, document, whole) for e in label.evidence] for label in labels.labels
    ]
    flaws = [
        flaw
        for number, label in enumerate(labels.labels, start=1)
        for flaw in _of_label(label, number, followed[number - 1], taxonomy)
    ]
    flaws += [*_twice(labels), *issue_flaws(labels, document, taxonomy), *_whole(labels)]
    unchecked = sum(one.outcome == "unchecked" for own in followed for one in own)
    return Quality(tuple(flaws), pointers, unchecked)


def _of_label(
    label: Label, number: int, followed: list[Followed], taxonomy: Taxonomy
) -> Iterator[Flaw]:
    where = f"label {number}, {label.pattern or 'none'}"
    if label.pattern is None:
        if label.issue is None:
            yield Flaw("pattern_missing", "label without pattern and without issue", where,
                       "nothing", "a pattern")  # fmt: skip
    elif label.pattern not in taxonomy.patterns:
        yield Flaw("pattern_unknown", "unknown pattern", where, label.pattern,
                   f"one of version {taxonomy.version}")  # fmt: skip
    if label.confidence is not None and not 0 <= label.confidence <= 1:
        yield Flaw("confidence_range", "confidence is no share", where, str(label.confidence),
                   "0 to 1")  # fmt: skip
    if label.pattern is not None:
        yield from _evidence(label, where, followed)


def _evidence(label: Label, where: str, followed: list[Followed]) -> Iterator[Flaw]:
    if not label.evidence:
        yield Flaw("evidence_missing", "pattern without evidence", where, "none", "a place")
        return
    for evidence, one in zip(label.evidence, followed, strict=True):
        if one.outcome == "astray":
            place = f"{evidence.source} {evidence.at}".strip()
            yield Flaw("evidence_astray", "evidence leads nowhere", where, place, one.why)
    for title, rule, problem in _ALONE:
        if all(one.sections == {title} for one in followed):
            yield Flaw(rule, problem, where, title, "evidence elsewhere")


def _twice(labels: Labels) -> Iterator[Flaw]:
    """Of a whole document each pattern stands once, in one list only."""
    degrees: dict[str, list[str]] = {}
    for label in labels.labels:
        if label.issue is None and label.pattern is not None:
            degrees.setdefault(label.pattern, []).append(label.degree)
    for pattern, found in degrees.items():
        if len(set(found)) > 1:
            yield Flaw("hit_and_partial", "pattern is a hit and a partial", pattern,
                       " and ".join(sorted(set(found))), "one of them")  # fmt: skip
        elif len(found) > 1:
            yield Flaw("pattern_twice", "pattern stands twice", pattern, f"{len(found)} labels",
                       "one, with all its evidence")  # fmt: skip


def _whole(labels: Labels) -> Iterator[Flaw]:
    hits = len(labels.hits())
    if labels.severity is not None and (labels.severity == "none") != (hits == 0):
        yield Flaw("severity", "severity and hits do not agree", "file",
                   f"{labels.severity}, hits: {hits}", "none exactly without a hit")  # fmt: skip
    if labels.verdict == "infrastructure" and hits:
        yield Flaw("verdict_and_hits", "the machine failed, and yet the agent has hits", "file",
                   f"hits: {hits}", "hits only for what the agent did itself")  # fmt: skip
