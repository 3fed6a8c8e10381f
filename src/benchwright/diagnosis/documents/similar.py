"""How much of a text repeats itself, and how much of it was copied: by windows at every position.

Windows at every position have no phase: where a repeat begins does not matter, nor how long the
text between two repeats is. Cost grows with the length of the texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

REPEAT = 60
"""Characters of a window for repeats."""
COPY = 120
"""Characters of a window for copies: what is shorter is a quotation."""
_SHORTEST = 600
"""Characters below which a text has no share of repeats."""

_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/nrtbf]))')
_SIGNS = {"n": "\n", "r": "\n", "t": " ", "b": " ", "f": " "}
_PREFIX = re.compile(r"^\s*+(?:[>*+#|-]\s*+|\d{1,3}[.)]\s++)*+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*+")
_NESTED = 3
"""How often JSON can stand as text inside JSON."""


def plain(text: str) -> str:
    """`text` as it compares: escapes undone, marks of lines and emphasis off, spaces single."""
    for _ in range(_NESTED):
        if "\\" not in text:
            break
        text = _ESCAPE.sub(_sign, text)
    lines = (_PREFIX.sub("", line, count=1) for line in text.split("\n"))
    bare = unicodedata.normalize("NFKC", " ".join(lines)).translate(_EMPHASIS)
    return " ".join(bare.split()).casefold()


_EMPHASIS = {ord(sign): None for sign in "*`|\u200b\u200c\u200d\u2060\ufeff\u00ad"}


def repeated_share(text: str) -> float:
    """Share of windows that stand elsewhere too, but for one of each; numbers count as equal.

    0.0 for fewer than 600 characters. The order of sentences changes it only where they meet.
    """
    compared = _DIGITS.sub("0", plain(text))
    if len(compared) < _SHORTEST:
        return 0.0
    number = len(compared) - REPEAT + 1
    return 1 - len(windows(compared, REPEAT)) / number


def copied_share(text: str, sources: Iterable[str]) -> float:
    """Share of the characters of `text` in windows that stand in one of `sources`.

    Grows with sources, whatever their order; 1.0 for a text of 120 or more copied whole.
    """
    compared = plain(text)
    wanted = windows(compared, COPY)
    if not wanted:
        return 0.0
    found: set[str] = set()
    for source in sources:
        own = plain(source)
        found.update(
            piece for at in range(len(own) - COPY + 1) if (piece := own[at : at + COPY]) in wanted
        )
    covered, end = 0, 0
    for at in range(len(compared) - COPY + 1):
        if compared[at : at + COPY] in found:
            covered += at + COPY - max(at, end)
            end = at + COPY
    return covered / len(compared)


def similarity(one: str, other: str) -> float:
    """Share of the windows of two texts that both have; 1.0 for equal ones of 60 characters."""
    first, second = (windows(_DIGITS.sub("0", plain(text)), REPEAT) for text in (one, other))
    return len(first & second) / len(first | second) if first | second else 0.0


def windows(text: str, size: int) -> set[str]:
    """Every piece of `size` characters; none of a shorter text."""
    return {text[at : at + size] for at in range(len(text) - size + 1)}


def _sign(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _SIGNS.get(found[2], found[2])
