"""Texts of times to instants, by the rules of a source: zone, twice-shown and never-shown hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from benchwright.suites.telemetry.audit.canonical import EPOCH, milliseconds
from benchwright.suites.telemetry.audit.clock import DAY, Clock
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.stream import ADJUSTED

_NAIVE = EPOCH.replace(tzinfo=None)


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
    zone = rule.get("zone", "offset")
    form = rule.get("form", "iso")
    if isinstance(form, str) and form != "iso":
        raise UnusableInput(f"the audit reads no times of the form {dict(rule)} ({where})")
    if zone == "offset":
        return [milliseconds(t) for t in texts], bytearray(len(texts))
    days: dict[str, int] = {}
    if form == "iso":
        walls = [wall(t, days) for t in texts]
    else:
        known = {t: _by_patterns(t, form, where) for t in set(texts)}
        walls = [known[t] for t in texts]
    return _placed(walls, Clock(zone), rule, where)


def _by_patterns(text: str, patterns: Sequence[str], where: str) -> int:
    """A wall time by the first pattern that fits."""
    for pattern in patterns:
        try:
            found = datetime.strptime(text.strip(), pattern)
        except ValueError:
            continue
        return (found - _NAIVE) // timedelta(milliseconds=1)
    raise UnusableInput(f"the audit cannot read the time {text!r} ({where})")


def _placed(
    walls: list[int], clock: Clock, rule: Mapping[str, Any], where: str
) -> tuple[list[int], bytearray]:
    made, marks = [], bytearray(len(walls))
    later = _later_pass(walls, clock)
    for index, at in enumerate(walls):
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
            continue
        marks[index] |= ADJUSTED
        made.append(first if policy in {"earlier", "forward"} else second)
    return made, marks


def _later_pass(walls: list[int], clock: Clock) -> dict[int, bool]:
    """Of rows whose time comes twice: whether the order of the file puts them into the later pass.

    A file runs forward or backward. Inside a repeated stretch the clock jumps once against that
    direction, and the pass changes there.
    """
    forward = len(walls) < 2 or walls[0] <= walls[-1]
    order = range(len(walls)) if forward else range(len(walls) - 1, -1, -1)
    made: dict[int, bool] = {}
    seen: dict[int, tuple[int, bool]] = {}
    for index in order:
        first, second = clock.passes(walls[index])
        if first >= second:
            continue
        last, passed = seen.get(walls[index] // DAY, (-1, False))
        passed = passed or walls[index] <= last
        seen[walls[index] // DAY] = (walls[index], passed)
        made[index] = passed
    return made
