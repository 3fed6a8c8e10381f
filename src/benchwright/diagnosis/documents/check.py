"""A document through all gates. The same document and episode give the same verdict."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.diagnosis.documents.gates import (
    Failure,
    breadth,
    characters,
    labels,
    padding,
    sections,
    thickness,
    totals,
)
from benchwright.diagnosis.documents.grounding import Grounded, grounded
from benchwright.diagnosis.documents.parse import parse
from benchwright.diagnosis.documents.skeleton import FULL, Floors
from benchwright.diagnosis.documents.sources import Sources
from benchwright.diagnosis.taxonomy import Taxonomy, shipped
from benchwright.trajectory.resolve import Places


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a document passes; `failures` in the order of the gates."""

    passes: bool
    profile: str
    taxonomy: str
    checked: bool
    """Whether anchors were followed; False where no part of the episode was given."""
    characters: int
    issues: int
    grounded: Grounded
    failures: tuple[Failure, ...]


def check_document(
    text: str,
    places: Places = Places(),  # noqa: B008 - immutable
    floors: Floors = FULL,
    taxonomy: Taxonomy | None = None,
) -> Verdict:
    """The verdict on the Markdown `text` about the episode at `places`."""
    taxonomy = taxonomy or shipped()
    document, sources = parse(text), Sources(places)
    found, false = grounded(document, floors, sources)
    failures = (
        *totals(document, floors),
        *sections(document, floors),
        *breadth(document, floors),
        *thickness(document),
        *padding(document, floors),
        *false,
        *labels(document, taxonomy),
    )
    return Verdict(
        not failures,
        floors.profile,
        taxonomy.version,
        sources.given,
        characters(text),
        len(document.issues),
        found,
        failures,
    )
