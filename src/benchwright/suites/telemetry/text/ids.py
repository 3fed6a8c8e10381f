"""Ids, handles and codes: whole tokens, never parts of one.

In backquotes anything is an id or a code as it stands. A bare token is one if it begins with a
letter and holds a digit, `_` or a dot inside.
"""

from __future__ import annotations

import re
from typing import Final

CODE: Final = r"`[^`\n]{1,300}`"
TOKEN: Final = r"(?<![\w./-])[A-Za-z]\w*(?:[./-]\w+)*"
HANDLE: Final = re.compile(r"r[0-9a-f]{12}")
_LABELS: Final = {
    "gap_ratio": "gap ratio",
    "offset_s": "offset",
    "quality_reason": "quality reason",
    "deciding_check": "deciding check",
    "mean_a": "first mean",
    "mean_b": "second mean",
}
PLAIN_LABELS: Final = frozenset(
    {
        *("action", "reason", "stream", "value", "observed", "coverage", "decision", "difference"),
        *("higher", "ranked", "winner", "margin", "error", "candidates", "flag", "streams"),
    }
)
"""Names of fields that are words as they stand, in backquotes too."""
_NO_IDS: Final = frozenset({"e.g", "i.e", "a.m", "p.m"})
CODES: Final = (
    "nearest_too_far_and_quality_insufficient",
    "nearest_but_acceptable_with_caveat",
    "exact_and_complete_with_caveat",
    "complete_with_caveat",
    "nearest_but_acceptable",
    "no_such_local_time",
    "quality_insufficient",
    "exact_and_complete",
    "caveat_not_wanted",
    "ambiguous_point",
    "caveat_accepted",
    "nearest_too_far",
    "no_observation",
    "faulty_reading",
    "out_of_range",
    "no_caveat",
    "drop-out",
    "ambiguous",
    "sentinel",
    "complete",
    "coverage",
    "dropout",
    "unknown",
    "frozen",
    "empty",
    "gaps",
    "none",
)
"""Codes that may stand as words, with a space, `_` or hyphen between them; longest first."""


def label(token: str) -> str | None:
    """The words of the name of a field; None for any other token."""
    return _LABELS.get(token) or (token if token in PLAIN_LABELS else None)


def is_handle(token: str) -> bool:
    """Whether a token has the form of a handle."""
    return HANDLE.fullmatch(token) is not None


def is_id(token: str) -> bool:
    """Whether a bare token is an id or a code."""
    if token.lower() in _NO_IDS or token == "re_clarify":
        return False
    return bool(re.search(r"[\d_]|\w\.\w", token))


def code_of(words: str) -> str:
    """The code that words spell."""
    spelt = re.sub(r"[ -]", "_", words)
    return "dropout" if spelt == "drop_out" else spelt


def code_pattern() -> str:
    """A pattern for every code in words."""
    return "|".join(re.sub(r"[_-]", "[ _-]", code) for code in CODES)
