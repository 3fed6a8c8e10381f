"""Rules for ids, lists, codes and handles: whole tokens, bound to the name of what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchwright.suites.telemetry.text.frame import Sentence
from benchwright.suites.telemetry.text.grammar import DONE, ENDS, ID, LIST, OF, denied_before, done
from benchwright.suites.telemetry.text.ids import code_of, code_pattern
from benchwright.suites.telemetry.text.model import Found

_IS: Final = r"(?: is| was| ?:)"
_CODE: Final = rf"(?P<not> not)? (?P<v>{ID}|(?:{code_pattern()})\b){ENDS}"
_WORD: Final = rf"(?P<not> not)? (?P<v>{ID}|answer|caution|abstain){ENDS}"
_ONE: Final = rf"(?P<v>{ID})(?!,? (?:and|or) {ID}|, {ID})"
_WRITTEN: Final[tuple[tuple[str, str], ...]] = (
    ("streams", rf"\b(?:supporting|evidence) streams?(?: is| are| ?:) (?P<v>{LIST})"),
    ("streams", rf"\brests? on(?: the)?(?: streams?)? (?P<v>{LIST})"),
    ("candidates", rf"\bcandidates?(?: is| are| ?:) (?P<v>{LIST})"),
    (
        "ranked",
        r"\b(?:rank(?:ed|ing)|order)(?:,? \(?(?:from )?(?:the )?highest(?: to lowest| first)\)?),?"
        rf"(?: is| are| ?:)? (?P<v>{LIST})",
    ),
    (
        "quality_reason",
        rf"\b(?:quality reason|reason (?:of|for) (?:that|the) decision){_IS}{_CODE}",
    ),
    (
        "deciding_check",
        r"\b(?:deciding check|check that decided|check behind (?:it|that decision|the decision))"
        rf"{_IS}{_CODE}",
    ),
    ("decision", rf"\bdecision(?: on quality)?(?P<of>{OF}){_IS}{_WORD}"),
    ("error", rf"\berror(?: code)?{_IS}{_CODE}"),
    ("error", rf"\brefused (?:with|as)(?: the)?(?: error)?{_CODE}"),
    ("flag", rf"\b(?:flagged|marked)(?: as)?(?: an?)?{_CODE}"),
    ("flag", rf"\bflag{_IS}{_CODE}"),
    ("reason", rf"\breason(?: code)?{_IS}{_CODE}"),
    ("reason", rf"\bwith(?: the)? reason(?: code)?{_CODE}"),
    ("reason", rf"\bbecause(?: of)?{_CODE}"),
    ("higher", rf"{_ONE} (?:is|was) (?:the )?higher(?: one)?\b"),
    ("higher", rf"{_ONE} (?:has|had) the higher (?:mean|{DONE.strip()})"),
    ("higher", rf"\bhigher(?: one| stream)?{_IS} {_ONE}"),
    ("winner", rf"{_ONE} (?:leads|led|wins|won|(?:is|was) the (?:winner|leader))\b"),
    ("winner", rf"\b(?:winner|leader)(?P<of>{OF}){_IS} {_ONE}"),
    ("stream", rf"\bstream(?: id)?{_IS}? {_ONE}"),
    ("of", r"\b(?:it|this|that|value) (?:is|was) an? (?P<v>mean|change)\b"),
)
_RULES: Final = tuple((field, re.compile(rule)) for field, rule in _WRITTEN)
NAMED: Final[Mapping[str, str]] = {
    "quality_reason": r"quality reason",
    "deciding_check": r"deciding check|check that decided",
    "decision": r"decision\b(?! on the)",
    "error": r"error",
    "flag": r"flag",
    "reason": r"(?<!quality )reason(?! (?:of|for) )",
    "candidates": r"candidates?",
    "ranked": r"rank(?:ed|ing)|order",
    "streams": r"supporting streams?|evidence streams?",
    "winner": r"winner|leader",
    "higher": r"higher",
    "of": r"mean or",
}
"""Words whose mention without a value is a statement that cannot be read."""
LISTS: Final = frozenset({"streams", "candidates", "ranked"})
CODED: Final = frozenset({"quality_reason", "deciding_check", "error", "flag", "reason"})
IDS: Final = ("stream", "higher", "winner", *sorted(LISTS), *sorted(CODED), "decision")


def named(sentence: Sentence, clause: str) -> tuple[list[Found], str]:
    """Ids, lists and codes that are bound in a clause, and what is left of it."""
    found: list[Found] = []
    # Because of what a decision is so is a reason of quality, and not of what the agent does.
    decides = "decision" in clause
    for field, rule in _RULES:
        if field == "reason" and decides and "because" in rule.pattern:
            continue
        for m in rule.finditer(clause):
            denied = "not" in m.re.groupindex and m["not"] is not None
            denied = denied or denied_before(clause, m.start())
            found.append(Found(field, _value(sentence, field, m["v"]), sentence.raw, denied))
        # A leader may be named and lead by a margin in one breath: only what was read goes.
        clause = rule.sub(done, clause)
    return found, clause


def _value(sentence: Sentence, field: str, text: str) -> Any:
    if field in LISTS:
        return [sentence.text(mark) for mark in re.findall(ID, text)]
    if re.fullmatch(ID, text):
        return sentence.text(text)
    return code_of(text) if field in CODED else text


def handles(sentence: Sentence, clause: str) -> Iterator[str]:
    """Handles that a clause cites; one that denies cites nothing."""
    if not re.search(r"\b(?:not|never|no)\b", clause):
        for mark in re.findall(r"<h\d+>", clause):
            yield sentence.text(mark)
