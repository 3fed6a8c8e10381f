"""Which column is the time, how it is written, and which clocks it could have been read from.

Takes distinct texts; gives `Clock`s that the reader of a corpus can read to the last row. Day or
month first is told where the digits tell it, and else left as two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.model import TimeRule
from benchwright.suites.telemetry.corpus.times import instants, wall_clock
from benchwright.suites.telemetry.corpus.zones import Ints, zone

_DAYS: Final = (
    *("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y-%m-%d", "%Y/%m/%d"),
    *("%Y.%m.%d", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y", "%m-%d-%y"),
)
_HOURS: Final = (
    *(" %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p", " %I:%M:%S%p", " %I:%M%p"),
    *(" %H:%M:%S.%f", "T%H:%M:%S", "T%H:%M", " %H.%M", " %H.%M.%S", ""),
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}(:\d{2}(:\d{2}(\.\d{1,6})?)?)?)?")
_OFFSET = re.compile(
    r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)"
)
_ANY_DAY = re.compile(
    r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))(?!\d)"
)
_OF_DAY = re.compile(r"\s*\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([AaPp]\.?[Mm]?\.?)?\s*")
_EPOCH = re.compile(r"\d{9,10}(\.\d+)?|\d{12,13}")
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class Clock:
    """A way to read the times of a file, known to work for every row."""

    columns: tuple[str, ...]
    form: str | tuple[str, ...]
    day: str
    """What sets it apart from another clock of the same column: the pattern of the day."""
    local: Ints
    """Milliseconds as written, or of UTC where `fixed`."""
    fixed: bool
    """Whether times say their instant themselves: an offset, or seconds since 1970."""
    offsets: Ints | None = None
    """Of every row in ms, where times carry one."""

    @property
    def zone(self) -> str | None:
        """The zone that the form itself decides."""
        return "offset" if self.day == "offset" else "UTC" if self.fixed else None


def looks_like_time(text: str) -> bool:
    """Whether a cell is a date, or seconds or milliseconds since 1970."""
    return _ANY_DAY.match(text) is not None or _EPOCH.fullmatch(text.strip()) is not None


def clocks_of(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[Clock]:
    """Clocks of the first column that holds times; two where day and month cannot be told apart.

    `columns` has the cells of every row, by column. Empty where no column holds times throughout.
    """
    every = list(zip(names, columns, strict=True))
    for name, cells in every:
        if not _ANY_DAY.match(cells[0] if cells else ""):
            continue
        plain = bool(re.fullmatch(_ANY_DAY.pattern + r"\s*", cells[0]))
        for other, hours in every if plain else ():
            if other != name and all(_OF_DAY.fullmatch(cell) for cell in hours[:_SAMPLE]):
                joined = [f"{a} {b}" for a, b in zip(cells, hours, strict=True)]
                if found := _dated((name, other), joined):
                    return found
        if found := _dated((name,), cells):
            return found
    for name, cells in every:
        if found := _epoch(name, cells):
            return found
    return []


def _dated(names: tuple[str, ...], cells: Sequence[str]) -> list[Clock]:
    first = cells[:_SAMPLE]
    if all(_OFFSET.fullmatch(text) for text in first) and len(names) == 1:
        return _by_reader(names, cells, "iso", "offset", "offset")
    plain = all(_ISO.fullmatch(text) for text in first) and len(names) == 1
    if plain and (found := _by_reader(names, cells, "iso", "iso", "UTC")):
        return found
    distinct = sorted(set(cells))
    return [clock for day in _DAYS if (clock := _by_patterns(names, cells, distinct, day))]


def _by_patterns(
    names: tuple[str, ...], cells: Sequence[str], distinct: Sequence[str], day: str
) -> Clock | None:
    used: dict[str, None] = {}
    known: dict[str, int] = {}
    for text in distinct:
        for pattern in (*used, *(day + hour for hour in _HOURS)):
            at = wall_clock(text, pattern)
            if at is not None:
                known[text] = at
                used[pattern] = None
                break
        else:
            return None
    local = np.array([known[text] for text in cells], dtype=np.int64)
    ordered = tuple(day + hour for hour in _HOURS if day + hour in used)
    return Clock(names, ordered, day, local, fixed=False)


def _by_reader(
    names: tuple[str, ...], cells: Sequence[str], form: str, day: str, zone_name: str
) -> list[Clock]:
    rule = TimeRule.model_validate({"column": names[0], "form": form, "zone": zone_name})
    try:
        local, _ = instants(rule, pa.chunked_array([pa.array(cells, pa.string())]), "")
    except (SpecError, pa.ArrowInvalid):
        return []
    fixed = day != "iso"
    offsets = _offsets(cells) if day == "offset" else None
    return [Clock(names, form, day, local, fixed, offsets)]


def _offsets(cells: Sequence[str]) -> Ints:
    ends = [text[16:].lstrip(":.0123456789") for text in cells]
    known = {end: _offset(end) for end in set(ends)}
    return np.array([known[end] for end in ends], dtype=np.int64)


def _offset(end: str) -> int:
    """Milliseconds of `Z`, `+02`, `+0200` or `+02:00`."""
    digits = re.sub(r"\D", "", end).ljust(4, "0")
    size = (int(digits[:2]) * 60 + int(digits[2:4])) * 60_000
    return -size if end.startswith("-") else size


def offset_zone(clocks: Sequence[Clock]) -> str | None:
    """The first zone whose clocks have the offsets of nine in ten rows, of which there are two."""
    told = [(clock.local, clock.offsets) for clock in clocks if clock.offsets is not None]
    if not told:
        return None
    at, offsets = (np.concatenate([pair[i] for pair in told]) for i in (0, 1))
    for name in ZONES:
        same = zone(name).local(at) - at == offsets
        if same.mean() >= 0.9 and len(np.unique(offsets[same])) > 1:
            return name
    return None


def _epoch(name: str, cells: Sequence[str]) -> list[Clock]:
    """Seconds or milliseconds since 1970, from 1990 to 2099, that never fall."""
    if not cells or not all(_EPOCH.fullmatch(text.strip()) for text in cells):
        return []
    numbers = np.array([float(text) for text in cells])
    seconds = bool(numbers.max() < 4.1e9)
    least = 631_152_000 * (1 if seconds else 1000)
    if numbers.min() < least or numbers.max() > (4.1e9 if seconds else 4.1e12):
        return []
    if not (np.diff(numbers) >= 0).all() and not re.search(
        "time|date|epoch|stamp|ts", name.lower()
    ):
        return []
    form = "unix_s" if seconds else "unix_ms"
    local = np.floor(numbers * (1000 if seconds else 1) + 1e-4).astype(np.int64)
    return [Clock((name,), form, form, local, fixed=True)]


ZONES: Final = {
    "Europe/Berlin": "Central Europe",
    "Europe/London": "Britain, Ireland and Portugal",
    "Europe/Athens": "Eastern Europe",
    "America/New_York": "the east of North America",
    "America/Chicago": "the middle of North America",
    "America/Denver": "the mountains of North America",
    "America/Los_Angeles": "the west of North America",
    "Australia/Sydney": "the south-east of Australia",
    "Pacific/Auckland": "New Zealand",
}
"""Zones that are tried, by the clocks that they stand for."""


def fitting_zone(files: Sequence[Ints]) -> tuple[str, int] | None:
    """The first zone whose clocks explain times that stand twice in a file, and one such time.

    None where no time stands twice, or where no zone that is tried explains nine in ten of them and
    shows every time that was written.
    """
    doubled, every = [], []
    for local in files:
        values, counts = np.unique(local, return_counts=True)
        doubled.append(values[counts > 1])
        every.append(values)
    twice_written, written = np.concatenate(doubled), np.concatenate(every)
    if not len(twice_written):
        return None
    for name in ZONES:
        _, _, twice, _ = zone(name).instants(twice_written)
        _, _, _, never = zone(name).instants(written)
        if twice.mean() >= 0.9 and not never.any():
            return name, int(twice_written[twice][0])
    return None
