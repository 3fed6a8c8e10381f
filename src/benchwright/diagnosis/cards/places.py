"""The places that a person writes into a sheet, as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from benchwright.diagnosis.documents.anchors import pointers
from benchwright.trajectory.evidence import Evidence

MOST_STEPS = 20
"""Of a range of steps."""
_SPLIT = re.compile(r"[;,\n]+")
_STEPS = re.compile(r"(step|session)s? *(\d{1,9})(?: *[-\u2013] *(\d{1,9}))?", re.IGNORECASE)
_FILE = re.compile(r"(?:file +|artifact[: ]+)?(.+?)(?:(?::| +lines? +)(\d{1,9}(?:-\d{1,9})?))?")
GRAMMAR = "step 12; steps 3-5; rule.py; rule.py:4-9; session 7; result:HANDLE"


class NoPlace(Exception):
    """A part of a cell that is no place; the message is that part."""


def places_said(text: str, files: Mapping[str, str]) -> tuple[Evidence, ...]:
    """The places in a cell, set apart by `;`, `,` or line feeds, each once.

    `files` are artifacts by the name that the card shows.

    Raises:
        NoPlace: a part is no place.
    """
    return tuple(dict.fromkeys(one for part in parts_of(text) for one in _one(part, files)))


def parts_of(text: str) -> list[str]:
    """What stands between the signs that set places apart, where it is anything."""
    return [part for part in map(str.strip, _SPLIT.split(text)) if part]


def _one(part: str, files: Mapping[str, str]) -> Iterator[Evidence]:
    steps = _STEPS.fullmatch(part)
    if steps:
        first = int(steps[2])
        last = int(steps[3] or first)
        if not first <= last < first + MOST_STEPS:
            raise NoPlace(part)
        yield from (Evidence(steps[1].lower(), str(n)) for n in range(first, last + 1))
        return
    named = _FILE.fullmatch(part)
    if named and named[1] in files:
        yield Evidence(f"artifact:{files[named[1]]}", named[2] or "")
        return
    found = list(pointers(part))
    if len(found) != 1 or found[0].said != part:
        raise NoPlace(part)
    yield found[0].evidence
