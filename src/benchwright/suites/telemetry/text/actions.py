"""Rules for the action: what the agent says that it does, and what it says that it does not do."""

from __future__ import annotations

import re
from typing import Final

from benchwright.suites.telemetry.rows.model import ACTIONS
from benchwright.suites.telemetry.text.frame import Sentence
from benchwright.suites.telemetry.text.grammar import DONE, ID
from benchwright.suites.telemetry.text.model import Found

_VERBS: Final = {
    "answer": r"answer|report(?! back)",
    "abstain": r"abstain|withhold",
    "re_clarify": r"re-?_?clarify|ask (?:you )?(?:back|again)"
    r"|need (?:you to clarify|clarification)",
}
_I: Final = r"\bi (?:do |must |will |have to |therefore |hereby )*(?P<not>not )?"
_STATED: Final = re.compile(
    r"\b(?:action|my answer)(?: is| ?:)(?P<not> not)?(?: to)?"
    rf" (?P<v>{ID}|{'|'.join(ACTIONS)})(?!\w)"
)
_DONE_BY: Final = {action: re.compile(rf"{_I}(?:{verbs})\b") for action, verbs in _VERBS.items()}
MENTION: Final = re.compile(
    r"\bi\b.*\b(?:report|answer|abstain|withhold|re-?_?clarify)|\baction\b"
    r"|\b(?:my|no) answer\b"
)


def acted(sentence: Sentence, clause: str) -> tuple[list[Found], str]:
    """Actions of a clause, and what is left of it."""
    found: list[Found] = []
    for m in _STATED.finditer(clause):
        said = sentence.text(m["v"]) if m["v"].startswith("<") else m["v"]
        if said in ACTIONS:
            found.append(Found("action", said, sentence.raw, m["not"] is not None))
    clause = _STATED.sub(DONE, clause)
    for action, rule in _DONE_BY.items():
        for m in rule.finditer(clause):
            found.append(Found("action", action, sentence.raw, m["not"] is not None))
        clause = rule.sub(DONE, clause)
    return found, clause
