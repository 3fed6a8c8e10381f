"""Sentences of a text, and whether one says something, denies it, or only supposes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.phrases import pattern, template

_BREAK = re.compile(
    r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*+|#>]|\d+[.)])\s?)"
)
_HEADING = re.compile(r"^(\s*#{1,6} .*|.*:[ \t]*)$", re.MULTILINE)
"""Lines that stand for themselves, whatever follows."""
_MAYBE = pattern("words", "supposes")
_NOT = template("words", r"\b{denies}\b|n't\b")
_CLAUSE = template("words", r"[,;:()]|\.\s|\b{turns}\b", re.NOFLAG)
"""What ends a clause."""


def sentences(text: str) -> Iterator[str]:
    """Sentences, list items, table rows and headings, each with its white space taken together."""
    for part in _BREAK.split(_HEADING.sub(r"\1\n", text)):
        line = " ".join(part.split())
        if line:
            yield line


def supposes(sentence: str) -> bool:
    """Whether the sentence only weighs what could be."""
    return _MAYBE.search(sentence) is not None


def states(pattern: re.Pattern[str], sentence: str) -> bool:
    """Whether the sentence has such words, and the first of them are not denied."""
    found = pattern.search(sentence)
    return found is not None and not denies(sentence, found.start())


def denies(sentence: str, at: int) -> bool:
    """Whether a negation stands in the same clause before position `at`."""
    clause = _CLAUSE.split(sentence[:at])[-1]
    return _NOT.search(clause) is not None
