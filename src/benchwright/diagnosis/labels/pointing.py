"""Where the evidence of a label leads: into the episode, or into the analysis that was labelled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from benchwright.diagnosis.documents.parse import Document, Issue, known
from benchwright.diagnosis.documents.skeleton import FULL
from benchwright.diagnosis.documents.sources import Sources, holds
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Resolved, quoted, resolve

CREDIT = "Credit Due"
RETRACTION = "Retraction / Correction Log"
_ISSUE = re.compile(r"issue (\d{1,4})", re.IGNORECASE)
_KINDS = ("step", "log", "artifact", "session", "result")
_STAGES = {part.stage: part.title for part in FULL.parts if part.stage}


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of one pointer."""

    outcome: Literal["holds", "astray", "unchecked"]
    """unchecked: the part that it points into was not given."""
    why: str = ""
    sections: frozenset[str] = frozenset()
    """Titles of the sections of the analysis that it leads to; none for other evidence."""


@dataclass(frozen=True, slots=True)
class _Part:
    title: str
    text: str


def numbered(document: Document) -> dict[int, Issue]:
    """The issues of a document by the number that labels give them: their place, from 1."""
    return dict(enumerate(document.issues, start=1))


def follow(
    evidence: Evidence, sources: Sources, document: Document | None, whole: bool = False
) -> Followed:
    """Where `evidence` leads; nothing is opened that was not given.

    `whole`: all that the episode has is given, so that what is not there leads nowhere; its log
    apart, which may lie elsewhere.
    """
    if evidence.source == "document":
        if document is not None:
            return _in_document(evidence, document)
        return Followed("unchecked", "", frozenset(filter(None, (known(evidence.at),))))
    kind = evidence.source.partition(":")[0]
    if kind not in _KINDS:
        return Followed("astray", "unknown kind of source")
    resolved = _resolved(evidence, kind, sources)
    if resolved is None and whole and kind != "log":
        resolved = resolve(evidence, sources.places)
    if resolved is None:
        return Followed("unchecked")
    return Followed("holds") if holds(resolved) else Followed("astray", resolved.why)


def _resolved(evidence: Evidence, kind: str, sources: Sources) -> Resolved | None:
    places = sources.places
    if kind == "session":
        return resolve(evidence, places) if places.session else None
    if kind == "result" and places.results is not None:
        return resolve(evidence, places)
    return sources.resolved(evidence)


def _in_document(evidence: Evidence, document: Document) -> Followed:
    parts = _parts(evidence.at.strip(), document)
    if not parts:
        return Followed("astray", "the analysis has no such part")
    if evidence.quote is not None:
        parts = [part for part in parts if quoted(evidence.quote, part.text)]
        if not parts:
            return Followed("astray", "the quote does not stand there")
    return Followed("holds", "", frozenset(part.title for part in parts))


def _parts(at: str, document: Document) -> list[_Part]:
    """The issue or section that `at` names; every section for an empty one."""
    found = _ISSUE.fullmatch(at)
    if found:
        issue = numbered(document).get(int(found[1]))
        return [_Part(_STAGES[issue.stage], issue.text)] if issue else []
    every = {title: _Part(title, section.text) for title, section in document.sections.items()}
    if not at:
        return list(every.values())
    title = _STAGES.get(at.upper()) or known(at)
    return [every[title]] if title in every else []
