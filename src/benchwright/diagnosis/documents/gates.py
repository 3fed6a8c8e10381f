"""The six gates that need no episode: totals, sections, breadth, thickness, density, labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from benchwright.diagnosis.documents.anchors import density
from benchwright.diagnosis.documents.parse import (
    Document,
    Issue,
    claims,
    visible,
    without_number,
    without_trailers,
)
from benchwright.diagnosis.documents.similar import repeated_share, similarity
from benchwright.diagnosis.documents.skeleton import (
    MOST_REPEATED,
    MOST_SHORT,
    MOST_STUBS,
    SHORT,
    STUB,
    Floors,
)
from benchwright.diagnosis.taxonomy import Taxonomy

Gate = Literal["totals", "sections", "breadth", "thickness", "density", "labels"]
_UNSEEN = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad]")
_ALIKE = 0.2
"""Similarity from which two issues are named as one phrase written twice."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One gate that a document does not pass: what, where, what was found and what is asked."""

    gate: Gate
    problem: str
    where: str
    got: str
    need: str


def characters(text: str) -> int:
    """Characters that are read: runs of white space are one, comments and unseen signs none."""
    return len(" ".join(_UNSEEN.sub("", visible(text)).split()))


def totals(document: Document, floors: Floors) -> Iterator[Failure]:
    """Gate 1: characters, issues, and the first divided by the second."""
    length, issues = characters(document.text), len(document.issues)
    yield from _least("totals", "document is too short", "document", length, floors.characters)
    yield from _least("totals", "too few issues", "document", issues, floors.issues)
    if issues:
        each, least = length // issues, floors.characters_per_issue
        yield from _least("totals", "too few characters per issue", "document", each, least)


def sections(document: Document, floors: Floors) -> Iterator[Failure]:
    """Gate 2: every section once and long enough, and claims in the checklist."""
    for part in floors.parts:
        section = document.sections.get(part.title)
        if section is None:
            yield Failure("sections", "section is missing", part.title, "nothing", "its heading")
            continue
        length = characters(section.text)
        yield from _least("sections", "section is too short", part.title, length, part.characters)
        if part.rows:
            # The published floor counts the two rows above the claims.
            rows, least = claims(section), part.rows - 2
            yield from _least("sections", "too few claims in tables", part.title, rows, least)
    for section in document.twice:
        where = f"{section.title}, line {section.line}"
        yield Failure("sections", "section stands twice", where, "twice", "once")


def breadth(document: Document, floors: Floors) -> Iterator[Failure]:
    """Gate 3: issues of each stage."""
    for part in floors.parts:
        if part.stage:
            found = sum(issue.stage == part.stage for issue in document.issues)
            yield from _least("breadth", "too few issues", part.title, found, part.issues)


def thickness(document: Document) -> Iterator[Failure]:
    """Gate 4: not too many short issues, hardly any stubs."""
    lengths = [characters(issue.text) for issue in document.issues]
    for limit, most in ((SHORT, MOST_SHORT), (STUB, MOST_STUBS)):
        share = sum(length < limit for length in lengths) / len(lengths) if lengths else 0.0
        problem = f"too many issues under {limit} characters"
        yield from _most("thickness", problem, "document", share, most)


def padding(document: Document, floors: Floors) -> Iterator[Failure]:
    """Of gate 5: anchors in the document, and phrases that come again."""
    body = own_words(document)
    yield from _least("density", "too few anchors", "document", density(body), floors.anchors)
    share = repeated_share(body)
    if share > MOST_REPEATED:
        where = _alike(document.issues) or "document"
        yield from _most("density", "phrases are recycled", where, share, MOST_REPEATED)


def own_words(document: Document) -> str:
    """The text without trailers and without the numbers of issues: neither says anything."""
    lines = visible(document.text).split("\n")
    for issue in document.issues:
        lines[issue.line - 1] = without_number(lines[issue.line - 1])
    return without_trailers("\n".join(lines))


def labels(document: Document, taxonomy: Taxonomy) -> Iterator[Failure]:
    """Gate 6: every issue ends with one trailer, of the taxonomy and of its own section."""
    words = [pillar.word for pillar in taxonomy.pillars.values()]
    for issue in document.issues:
        where = f"{issue.stage}, line {issue.line}"
        if len(issue.trailers) != 1:
            got = f"{len(issue.trailers)} trailers" if issue.trailers else "none"
            yield Failure("labels", "issue without its one trailer", where, got, "one")
            continue
        trailer = issue.trailers[0]
        stage = trailer.stage.upper()
        if stage not in taxonomy.stages:
            known = ", ".join(taxonomy.stages)
            yield Failure("labels", "unknown stage in a trailer", where, trailer.stage, known)
        elif stage != issue.stage:
            yield Failure("labels", "trailer of another stage", where, stage, issue.stage)
        if trailer.word not in words:
            got, need = trailer.word, ", ".join(words)
            yield Failure("labels", "unknown root cause in a trailer", where, got, need)
        if not trailer.last:
            yield Failure("labels", "trailer is not at the end", where, "text behind it", "the end")


def _alike(issues: tuple[Issue, ...]) -> str:
    """The two issues next to each other in order of length that are most alike, "" for none."""
    ranked = sorted(issues, key=lambda issue: (len(issue.body), issue.line))
    pairs = [(similarity(one.body, other.body), one, other) for one, other in pairwise(ranked)]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    if best is None or best[0] < _ALIKE:
        return ""
    first, second = sorted((best[1].line, best[2].line))
    return f"issues of lines {first} and {second}"


def _least(gate: Gate, problem: str, where: str, got: int, least: int) -> Iterator[Failure]:
    if got < least:
        yield Failure(gate, problem, where, str(got), f"at least {least}")


def _most(gate: Gate, problem: str, where: str, got: float, most: float) -> Iterator[Failure]:
    if got > most:
        yield Failure(gate, problem, where, f"{got:.1%}", f"at most {most:.0%}")
