"""Values of the report that differ from what the last run printed for them. A lead (E.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.quantities import Quantity, quantities
from benchwright.diagnosis.screen.report import Said, sayings
from benchwright.diagnosis.screen.story import Act, Story

_PRINTED = re.compile(r"[\"']?\b([A-Za-z][\w]*)[\"']?\s*(?:[:=]\s*|\s)[\"'\[(]*(-?\d+\.\d+)")
_REACH = 40
"""Characters before a value in which its name stands."""
_NEAR = 0.5
"""Relative distance within which a value can be meant to be another one."""


def contradicts_last_run(story: Story) -> Iterator[Found]:
    """The first such value of each text."""
    runs = [act for act in story.calls("shell", "python") if _PRINTED.search(act.output)]
    printed: dict[str, list[tuple[Act, str]]] = {}
    for act in runs:
        for name, value in _PRINTED.findall(act.output):
            printed.setdefault(name.lower(), []).append((act, value))
    known = [next(quantities(value)) for series in printed.values() for _, value in series[-1:]]
    for said in sayings(story):
        yield from _first(story, said, printed, known)


def _first(
    story: Story, said: Said, printed: dict[str, list[tuple[Act, str]]], known: list[Quantity]
) -> Iterator[Found]:
    for line in said.prose().split("\n"):
        for stated in quantities(line):
            if stated.digits < 3 or not stated.decimal or any(_agree(stated, k) for k in known):
                continue
            for name, series in printed.items():
                act, last = series[-1]
                if _meant(stated, line, name, series):
                    says = (
                        f"{said.name} states {stated.text} where the last run printed {name} {last}"
                    )
                    yield Found(says, (said.at(story, stated.text), story.at(act, last)))
                    return


def _meant(stated: Quantity, line: str, name: str, series: list[tuple[Act, str]]) -> bool:
    """Whether it is an earlier value of that name, or stands beside the name and near its value."""
    values = [next(quantities(value)) for _, value in series]
    keys = {key for key in (_program(act) for act, _ in series)}
    if len(keys) > 1 or re.search(
        r"\b(?:sensitivity|instead|alternative|other|first|earlier|previous)", line, re.I
    ):
        return False
    if any(_agree(stated, earlier) for earlier in values[:-1]):
        return True
    last = abs(values[-1].value)
    words = [w for w in re.split(r"[_\d]+", name) if len(w) > 1] or [name]
    if stated.percent:
        return False
    before = line[max(0, stated.start - _REACH) : stated.start]
    beside = all(re.search(rf"\b{re.escape(word)}", before, re.IGNORECASE) for word in words)
    return beside and last > 0 and abs(abs(stated.value) - last) / last < _NEAR


def _program(act: Act) -> str:
    """What printed: values of different programs do not contradict each other."""
    return next((ran.key for ran in programs(act)), "")


def _agree(one: Quantity, other: Quantity) -> bool:
    scales = (1.0, 100.0) if one.percent else (1.0,)
    half = max(one.half, other.half) * 1.02
    return any(abs(abs(one.value) - abs(other.value) * s) <= half * s for s in scales)
