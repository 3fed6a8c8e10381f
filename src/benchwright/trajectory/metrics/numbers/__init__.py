"""Numeric values that tools print: which tokens count, and by which rule the others do not.

Takes the text of an output and what its call shows; gives counts. Knows no log format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.trajectory.metrics.numbers.display import PLAIN, Display
from benchwright.trajectory.metrics.numbers.lines import LINE_RULES, judge, whole_rule
from benchwright.trajectory.metrics.numbers.literals import RULES as TOKEN_RULES
from benchwright.trajectory.metrics.numbers.literals import tokens

RULES: Mapping[str, str] = {**LINE_RULES, **TOKEN_RULES}
"""Every rule that leaves numbers out, and what it is about."""

_CANDIDATE = re.compile(r"\d+(?:[.,:/-]\d+)*")


@dataclass(frozen=True, slots=True)
class Values:
    """Numeric values of one output."""

    count: int
    excluded: Mapping[str, int]
    """Tokens with digits that each rule left out."""


def count_values(text: str, display: Display = PLAIN) -> Values:
    """The numeric values that an output prints.

    text: as the model was given it; display: what its call shows.
    """
    whole = whole_rule(display)
    left_out: dict[str, list[str]] = {whole: [text]} if whole else {}
    kept = []
    for line in () if whole else judge(text, display):
        if line.rule:
            left_out.setdefault(line.rule, []).append(line.text)
        elif line.text:
            kept.append(line.text)
    excluded = Counter(
        {rule: len(_CANDIDATE.findall("\n".join(lines))) for rule, lines in left_out.items()}
    )
    count = 0
    for token in tokens("\n".join(kept), separated=display.separated):
        count += token.values
        if token.rule:
            excluded[token.rule] += 1
    return Values(count, {rule: number for rule, number in excluded.items() if number})


def count_by_line(text: str, display: Display = PLAIN) -> dict[int, int]:
    """Values of each line that prints any; lines count from 1."""
    found = {}
    for number, line in enumerate(judge(text, display), start=1):
        values = 0 if line.rule else sum(t.values for t in tokens(line.text))
        if values:
            found[number] = values
    return found
