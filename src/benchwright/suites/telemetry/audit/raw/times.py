"""Texts of times to instants, by the rules of a source: zone, twice-shown and never-shown hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from math import floor
from typing import Any

from benchwright.suites.telemetry.audit.canonical import EPOCH, milliseconds
from benchwright.suites.telemetry.audit.clock import DAY, Clock
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.stream import ADJUSTED

_NAIVE = EPOCH.replace(tzinfo=None)
EPOCHS = {"unix_s": 1000, "unix_ms": 1}


def wall(text: str, days: dict[str, int]) -> int:
    """A wall time as ms of a clock without zone; `days` remembers dates."""
    day = days.get(text[:10])
    if day is None:
        day = days[text[:10]] = (datetime.fromisoformat(text[:10]) - _NAIVE).days * DAY
    rest = text[11:]
    if len(rest) == 8 and rest[2] == ":" == rest[5]:
        return day + (int(rest[:2]) * 3600 + int(rest[3:5]) * 60 + int(rest[6:])) * 1000
    return (datetime.fromisoformat(text) - _NAIVE) // timedelta(milliseconds=1)


def instants(
    texts: Sequence[str], rule: Mapping[str, Any], where: str
) -> tuple[list[int], bytearray]:
    """Instants and marks of a column of times, in the order of the file."""
    zone, form = rule.get("zone", "offset"), rule.get("form", "iso")
    if isinstance(form, str) and form in EPOCHS:
        known = {t: _epoch(t, EPOCHS[form], where) for t in set(texts)}
        return [known[t] for t in texts], bytearray(len(texts))
    if zone == "offset":
        known = {t: _with_offset(t, form, where) for t in set(texts)}
        return [known[t] for t in texts], bytearray(len(texts))
    return _placed(walls(texts, rule, where), Clock(zone), rule, where)


def walls(texts: Sequence[str], rule: Mapping[str, Any], where: str) -> list[int]:
    """Wall times of a column, in ms of a clock without a zone."""
    form = rule.get("form", "iso")
    days: dict[str, int] = {}
    try:
        if form == "iso":
            return [wall(t, days) for t in texts]
    except ValueError as error:
        raise UnusableInput(f"the audit cannot read a time: {error} ({where})") from error
    known = {t: _cut(_by_patterns(t, form, where) - _NAIVE) for t in set(texts)}
    return [known[t] for t in texts]


def _with_offset(text: str, form: Any, where: str) -> int:
    """An instant of a text that carries its own offset."""
    try:
        if form == "iso":
            return milliseconds(text.strip())
        return _cut(_by_patterns(text, form, where) - EPOCH)
    except (ValueError, TypeError) as error:
        raise UnusableInput(f"the audit cannot read the time {text!r} ({where})") from error


def _epoch(text: str, scale: int, where: str) -> int:
    """Milliseconds of a count since 1970; finer parts are cut off, towards the past."""
    try:
        return floor(Decimal(text.strip()) * scale)
    except (ArithmeticError, ValueError) as error:
        raise UnusableInput(f"the audit cannot read the time {text!r} ({where})") from error


def _cut(since: timedelta) -> int:
    return since // timedelta(milliseconds=1)


def _by_patterns(text: str, patterns: str | Sequence[str], where: str) -> datetime:
    """A time by the first pattern that fits."""
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        try:
            return datetime.strptime(text.strip(), pattern)
        except ValueError:
            continue
    raise UnusableInput(f"the audit cannot read the time {text!r} ({where})")


def _placed(
    at_wall: list[int], clock: Clock, rule: Mapping[str, Any], where: str
) -> tuple[list[int], bytearray]:
    made, marks = [], bytearray(len(at_wall))
    later, turned = _later_pass(at_wall, clock)
    for index, at in enumerate(at_wall):
        first, second = clock.passes(at)
        if first == second:
            made.append(first)
            continue
        policy = rule.get("repeated" if first < second else "skipped", "refuse")
        if policy == "refuse":
            raise UnusableInput(
                f"row {index + 1} has a time that the clock shows twice or never ({where})"
            )
        if policy == "file_order":
            made.append(second if later[index] else first)
            marks[index] |= 0 if at // DAY in turned else ADJUSTED
            continue
        marks[index] |= ADJUSTED
        made.append(first if policy in {"earlier", "forward"} else second)
    return made, marks


def _later_pass(at_wall: list[int], clock: Clock) -> tuple[dict[int, bool], set[int]]:
    """Of rows whose time comes twice: whether the order of the file puts them into the later pass.

    A file runs forward or backward. Inside a repeated stretch the clock jumps once against that
    direction, and the pass changes there. Given besides: the days on which it does.
    """
    forward = len(at_wall) < 2 or at_wall[0] <= at_wall[-1]
    order = range(len(at_wall)) if forward else range(len(at_wall) - 1, -1, -1)
    made: dict[int, bool] = {}
    seen: dict[int, tuple[int, bool]] = {}
    for index in order:
        first, second = clock.passes(at_wall[index])
        if first >= second:
            continue
        last, passed = seen.get(at_wall[index] // DAY, (-1, False))
        passed = passed or at_wall[index] <= last
        seen[at_wall[index] // DAY] = (at_wall[index], passed)
        made[index] = passed
    return made, {day for day, (_, passed) in seen.items() if passed}
