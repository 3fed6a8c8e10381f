"""Sentences of a text, and whether one says something, denies it, or only supposes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.phrases import pattern, template

_BREAK = re.compile(
    r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*+|#>]|\d+[.)])\s?)"
)
_HEADING = re.compile(r"^([ \t]*#{1,6} .*|.*:[ \t]*)$", re.MULTILINE)
"""Lines that stand for themselves, whatever follows."""
_MAYBE = pattern("words", "supposes")
_NOT = template("words", r"\b{denies}\b|n't\b")
_CLAUSE = template("words", r"[,;:()]|\.\s|\b{turns}\b", re.NOFLAG)
"""What ends a clause."""


LONGEST_WORD, LONGEST_GAP, LONGEST_SENTENCE, LONGEST_LINE = 1_000, 60, 1_000, 4_000
"""Characters; what is longer is no prose and no command that anybody typed."""
_LONG_WORD = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")
_LONG_GAP = re.compile(rf"\s{{{LONGEST_GAP},}}")
_LONG_LINE = re.compile(rf"([^\n]{{{LONGEST_LINE}}})[^\n]+")
MOST = 1_000_000
"""Characters of one text that are read."""


def tidy(text: str) -> str:
    """The text with endless words, gaps and lines cut short: expressions stay fast on any text."""
    if len(text) < LONGEST_GAP:
        return text
    text = _LONG_WORD.sub(r"\1", _LONG_GAP.sub("\n\n", text[:MOST]))
    return _LONG_LINE.sub(r"\1", text)


def sentences(text: str) -> Iterator[str]:
    """Sentences, list items, table rows and headings, each with its white space taken together."""
    for part in _BREAK.split(_HEADING.sub(r"\1\n", text)):
        line = " ".join(part[: 2 * LONGEST_SENTENCE].split())[:LONGEST_SENTENCE]
        if line:
            yield line


def as_written(text: str, sentence: str) -> str:
    """The first ten words of a sentence as they stand in its text; empty where they do not."""
    words = sentence.strip("-*#>| ").split()[:10]
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return found.group() if found else ""


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
