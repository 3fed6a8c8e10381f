"""Which details a message asks for: sentences that ask, and the words that name a detail."""

from __future__ import annotations

import re
from typing import Final

from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.text.frame import Sentence

_NAMED: Final = {
    "site": r"sites?|buildings?|facility|plant|substation|which (?:one|of them)|where",
    "time": r"times?|dates?|days?|weeks?|months?|periods?|windows?|instant|timestamp|when",
    "point_class": r"point[ _-]class|class|(?:type|kind) of (?:sensor|point|meter)",
    "unit": r"units?",
    "purpose": r"purpose|what for|why do you",
}
_BEGS: Final = re.compile(
    r"^(?:please |could you |can you |would you |so |and |then )*"
    r"(?:tell me|let me know|specify|say which|confirm which|i need to know|i have to know)\b"
)


_ASIDE: Final = re.compile(
    r"\b(?:irrelevant|right|not|never|no longer|anything|nothing|already|missing|i know|no matter"
    r"|does it matter)\b"
)
"""What is asked beside a detail is no question for it."""
_RULES: Final = {slot: re.compile(rf"\b(?:{names})\b") for slot, names in _NAMED.items()}


def is_question(sentence: Sentence) -> bool:
    """Whether a sentence asks: by its mark, or by its first words."""
    return sentence.asks or _BEGS.search(sentence.frame) is not None


def asked(sentence: Sentence) -> list[str]:
    """Details that a question asks for, in the order of the public list."""
    if _ASIDE.search(sentence.frame):
        return []
    return [s for s in SLOTS if _RULES[s].search(sentence.frame)]
