"""Values of the report that differ from what the last run printed for them. A lead (E.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

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
_ELSE = re.compile(
    r"\b(?:sensitivity|instead|alternative|other|first|earlier|previous)", re.IGNORECASE
)
"""Lines about something else than the last run."""

Printed = list[tuple[Act, Quantity]]
"""Values of one name, in the order in which they were printed."""


def contradicts_last_run(story: Story) -> Iterator[Found]:
    """The first such value of each text. Grows with values of the report times printed names."""
    printed: dict[str, Printed] = {}
    for act in story.calls("shell", "python"):
        for name, value in _PRINTED.findall(act.output):
            printed.setdefault(name.lower(), []).append((act, next(quantities(value))))
    known = [series[-1][1] for series in printed.values()]
    alike = {
        name: series
        for name, series in printed.items()
        if len({_program(act) for act, _ in series}) == 1
    }
    for said in sayings(story):
        yield from _first(story, said, alike, known)


def _first(
    story: Story, said: Said, printed: Mapping[str, Printed], known: Sequence[Quantity]
) -> Iterator[Found]:
    for line in said.prose().split("\n"):
        if _ELSE.search(line):
            continue
        for stated in quantities(line):
            if stated.digits < 3 or not stated.decimal or any(_agree(stated, k) for k in known):
                continue
            before = line[max(0, stated.start - _REACH) : stated.start]
            for name, series in printed.items():
                if _meant(stated, before, name, series):
                    act, last = series[-1]
                    says = (
                        f"{said.name} states {stated.text} where the last run printed "
                        f"{name} {last.text}"
                    )
                    yield Found(says, (said.at(story, stated.text), story.at(act, last.text)))
                    return


def _meant(stated: Quantity, before: str, name: str, series: Printed) -> bool:
    """Whether it is an earlier value of that name, or stands beside the name and near its value."""
    if any(_agree(stated, earlier) for _, earlier in series[:-1]):
        return True
    last = abs(series[-1][1].value)
    if stated.percent or not last or abs(abs(stated.value) - last) / last >= _NEAR:
        return False
    words = [w for w in re.split(r"[_\d]+", name) if len(w) > 1] or [name]
    return all(re.search(rf"\b{re.escape(word)}", before, re.IGNORECASE) for word in words)


def _program(act: Act) -> str:
    """What printed: values of different programs do not contradict each other."""
    return next((ran.key for ran in programs(act)), "")


def _agree(one: Quantity, other: Quantity) -> bool:
    scales = (1.0, 100.0) if one.percent else (1.0,)
    half = max(one.half, other.half) * 1.02
    return any(abs(abs(one.value) - abs(other.value) * s) <= half * s for s in scales)
