"""An analysis to fill: every heading with its floors, in comments that no gate counts."""

from __future__ import annotations

from collections.abc import Iterator

from benchwright.diagnosis.documents.skeleton import CHECKLIST, Floors, Part
from benchwright.diagnosis.taxonomy import Taxonomy


def blank_document(floors: Floors, taxonomy: Taxonomy) -> str:
    """Markdown with all sections of `floors`, the numbers of their issues, and trailers to choose.

    A word in capital letters between angle brackets is to be replaced; comments may stay.
    """
    words = "|".join(pillar.word for pillar in taxonomy.pillars.values())
    lines = [
        "# <TITLE>",
        "",
        f"<!-- {floors.profile} profile: at least {floors.characters} characters, {floors.issues} "
        f"issues, {floors.characters_per_issue} characters per issue, {floors.anchors} anchors and "
        f"{floors.quotes} quotations that exist. -->",
    ]
    for part in floors.parts:
        lines += ["", f"## {part.title}", "", f"<!-- at least {_least(part)} -->", ""]
        lines += _body(part, words)
    return "\n".join(lines) + "\n"


def _least(part: Part) -> str:
    issues = f", {part.issues} issues" if part.issues else ""
    # The published floor counts the two rows above the claims.
    rows = f", {part.rows - 2} claims" if part.rows else ""
    return f"{part.characters} characters{issues}{rows}"


def _body(part: Part, words: str) -> Iterator[str]:
    if part.title == CHECKLIST:
        yield "| <CLAIM> | <WHERE IT STANDS> | <HOLDS?> |"
        yield "|---|---|---|"
        yield from ["| <CLAIM> | <PLACE> | <YES OR NO> |"] * (part.rows - 2)
    elif part.stage:
        for number in range(1, part.issues + 1):
            gap = [""] if number < part.issues else []
            trailer = f"[stage: {part.stage} | root cause: <{words}>]"
            yield from [f"{number}. <WHAT, AND WHERE IT SHOWS> {trailer}", *gap]
    else:
        yield "<TEXT>"
