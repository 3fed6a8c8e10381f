"""Pieces that rules are written with, and clauses that state nothing."""

from __future__ import annotations

import re
from typing import Final

ID: Final = r"<i\d+>"
NUM: Final = r"<n\d+>"
AT: Final = r"<t\d+>"
_VERBS: Final = r"is|was|are|were|has|had|equals|comes|came|stands|amounts|not|no|and|or|than|to"
_ELSE: Final = r"another|others?|last|former|yesterday|tomorrow|any|each|every|half|part|different"
_NAMES: Final = r"coverage|ratio|difference|margin|mean|offset|value|reading|decision|reason"
OF: Final = (
    r"(?: (?:of|for|over|in|on|at|from)"
    rf"(?: (?!(?:{_VERBS}|{_NAMES}|{_ELSE})\b)(?:[a-z'-]+|<[ipt]\d+>)){{1,7}}?)?"
)
"""What something is of, between its name and its value."""
DONE: Final = " \u00a7 "
"""Stands where something was read."""
LINK: Final = (
    r"(?: ?[:=]| is| was| equals| comes to| came to| stands at| amounts to| of)?"
    r"(?: exactly| now)? \(?"
)
"""What ties a name to its value."""
DENY: Final = r" (?:is|was) not (?:exactly )?"
SURE: Final = (
    r"(?!,? ?(?:and |or )?<[nx]| <i| - <| (?:or|to|versus|vs|through|plus)\b"
    r"| (?:thousand|million|billion)\b"
    r"| ?[:/±%+])"
)
"""A number is not half of a pair, a range, a share or something in thousands."""
ENDS: Final = r"(?= ?(?:[.,;:)!]|$)| (?:and|with|because|so)\b)"
LIST: Final = (
    rf"(?:none\b|{ID}(?:(?:,| >|,? and|,? then) {ID})*)(?!,? (?:and|or|among|etc|amongst)\b|, ?<)"
)
INTENT: Final = re.compile(r"\b(?:let me|let us|will|going to|plan to|next i|first i)\b")
"""What is announced is not done."""
_ACTS: Final = (
    r"(?:answer|report (?!back)|report[.;,]|report$|abstain|withhold|re-?_?clarify|ask you)"
)
COMMITS: Final = re.compile(rf"\bi will (?:not )?{_ACTS}")
UNREAL: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|should|might|may|limit|threshold|minimum|maximum|required"
    r"|expected|usual|usually|typical|previous|previously|former|formerly|suppose|assuming|about"
    r"|approximately|roughly|around|nearly|almost|some|at least|at most|below|above|under"
    r"|over <n\d+>|between|more than|less than)\b"
)
"""What is supposed, allowed, remembered or rounded off states nothing."""


_NOT: Final = re.compile(r"\b(?:not|never|nor|neither|without)\b")
_NEW: Final = re.compile(r"[,:]|\b(?:and|because)\b")
_PARTS: Final = re.compile(r",? (?:but|while|whereas|although|though|however)\b")


def done(found: re.Match[str]) -> str:
    """What stands in the place of a statement: a mark, and the words that it is of."""
    of = found["of"] if "of" in found.re.groupindex else None
    return DONE + re.sub(r"<\w+>", "", of or "")


def scopes(frame: str) -> list[str]:
    """Parts of a sentence that state each for itself."""
    return [part for part in frame.split(";") if part.strip(" .")]


def clauses(frame: str) -> list[str]:
    """Parts of a scope within which a supposition holds."""
    return [part for part in _PARTS.split(frame) if part.strip(" .")]


def denied_before(clause: str, at: int) -> bool:
    """Whether what stands at a place is denied by a word before it, within its part."""
    return _NOT.search(_NEW.split(clause[:at])[-1]) is not None
