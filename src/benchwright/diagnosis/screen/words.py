"""Sentences of a text, and whether one says something, denies it, or only supposes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BREAK = re.compile(
    r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*+|#>]|\d+[.)])\s?)"
)
_HEADING = re.compile(r"^(\s*#{1,6} .*|.*:[ \t]*)$", re.MULTILINE)
"""Lines that stand for themselves, whatever follows."""
_MAYBE = re.compile(
    r"\b(?:if|whether|unless|would|could|might|may|perhaps|possibly|suppose|in case|"
    r"potential(?:ly)?|"
    r"hypothetical|had (?:we|it|i)|were (?:it|we) to|should (?:you|it|this)|can be|cannot rule)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:no|not|never|none|without|nor|neither|isn't|wasn't|aren't|weren't|doesn't|didn't|don't|"
    r"won't|cannot|can't|free of|absence of|ruled out|instead of|rather than|avoid(?:s|ed)?|"
    r"prevents?|prevented)\b|n't\b",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[str]:
    """Sentences, list items, table rows and headings, each with its white space taken together."""
    for part in _BREAK.split(_HEADING.sub(r"\1\n", text)):
        line = " ".join(part.split())
        if line:
            yield line


def supposes(sentence: str) -> bool:
    """Whether the sentence only weighs what could be."""
    return _MAYBE.search(sentence) is not None


def denies(sentence: str, at: int) -> bool:
    """Whether a negation stands in the same clause before position `at`."""
    clause = re.split(r"[,;:()]|\.\s|\b(?:but|however|although|while)\b", sentence[:at])[-1]
    return _NOT.search(clause) is not None
