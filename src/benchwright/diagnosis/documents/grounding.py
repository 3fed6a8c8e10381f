"""Of gate 5 what needs the episode: whether anchors are true, quotations real, and text copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.diagnosis.documents.anchors import (
    LEAST_QUOTE,
    Pointer,
    code,
    figures,
    pointers,
    works,
)
from benchwright.diagnosis.documents.gates import Failure, own_words
from benchwright.diagnosis.documents.parse import Document, Issue, visible
from benchwright.diagnosis.documents.similar import copied_share, plain
from benchwright.diagnosis.documents.skeleton import LEAST_ANCHORED, MOST_COPIED, Floors
from benchwright.diagnosis.documents.sources import Found, Sources, holds


@dataclass(frozen=True, slots=True)
class Grounded:
    """What was found of a document's anchors; `unchecked` point into parts that were not given."""

    pointers: int
    unchecked: int
    anchored: int
    quotes: int | None
    """Different quotations that stand in the sources; None without sources."""
    copied: float | None


def grounded(
    document: Document, floors: Floors, sources: Sources
) -> tuple[Grounded, list[Failure]]:
    """The figures and what fails; without sources an anchor counts by its form alone."""
    text = visible(document.text)
    every = tuple(pointers(text))
    found = _search(document, text, every, sources)
    anchored = [_is_anchored(issue, found, sources) for issue in document.issues]
    failures = list(_bare(document.issues, anchored))
    unchecked = sum(sources.resolved(pointer.evidence) is None for pointer in every)
    if not sources.given:
        return Grounded(len(every), unchecked, sum(anchored), None, None), failures
    failures += _false(every, found, sources)
    quotes = len({plain(span) for span in found.spans if len(span) >= LEAST_QUOTE})
    if quotes < floors.quotes:
        got, need = str(quotes), f"at least {floors.quotes}"
        failures.append(Failure("density", "too few quotations that exist", "document", got, need))
    copied = copied_share(own_words(document), sources.copyable())
    if copied > MOST_COPIED:
        got, need = f"{copied:.1%}", f"at most {MOST_COPIED:.0%}"
        failures.append(Failure("density", "text is copied", "document", got, need))
    return Grounded(len(every), unchecked, sum(anchored), quotes, copied), failures


def _search(document: Document, text: str, every: Sequence[Pointer], sources: Sources) -> Found:
    """One pass over the sources for all that the document quotes."""
    if not sources.given:
        return Found()
    bodies = [issue.body for issue in document.issues]
    names = {_path(pointer) for pointer in every} - {""}
    spans = {*code(text), *names, *(work for body in bodies for work in works(body))}
    return sources.find(sorted(spans), sorted({n for body in bodies for n in figures(body)}))


def _is_anchored(issue: Issue, found: Found, sources: Sources) -> bool:
    body = issue.body
    if not sources.given:
        return any((list(pointers(body)), code(body), figures(body), works(body)))
    if found.numbers.intersection(figures(body)) or found.spans.intersection(
        (*code(body), *works(body))
    ):
        return True
    for pointer in pointers(body):
        resolved = sources.resolved(pointer.evidence)
        if resolved is None or holds(resolved):
            return True
    return False


def _bare(issues: Sequence[Issue], anchored: Sequence[bool]) -> Iterator[Failure]:
    if not issues or sum(anchored) / len(issues) >= LEAST_ANCHORED:
        return
    bare = [str(i.line) for i, held in zip(issues, anchored, strict=True) if not held]
    numbers = f"{', '.join(bare[:8])}{', ...' if len(bare) > 8 else ''}"
    where = f"none in line{'s' if len(bare) > 1 else ''} {numbers}"
    got, need = f"{sum(anchored) / len(issues):.1%}", f"at least {LEAST_ANCHORED:.0%}"
    yield Failure("density", "too few issues with a true anchor", where, got, need)


def _false(every: Sequence[Pointer], found: Found, sources: Sources) -> Iterator[Failure]:
    """Pointers that lead nowhere.

    A file that is only spoken of in the sources is none: promised and never written is a finding.
    """
    for pointer in every:
        resolved = sources.resolved(pointer.evidence)
        if resolved is None or holds(resolved):
            continue
        bare = not pointer.evidence.at and pointer.evidence.quote is None
        if bare and _path(pointer) in found.spans:
            continue
        where = f"line {pointer.line}: {pointer.said}"
        yield Failure("density", "anchor is false", where, resolved.why, "what stands there")


def _path(pointer: Pointer) -> str:
    kind, _, name = pointer.evidence.source.partition(":")
    return name if kind == "artifact" else ""
