"""Files of one header as one group, with the one clock that reads all of them.

Takes sheets; gives `Group`s by the name of their first file. A file whose digits do not tell day
from month is read as those of its group that do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.corpus.zones import DAY_MS, Ints
from benchwright.suites.telemetry.drafting.clocks import Clock
from benchwright.suites.telemetry.drafting.longs import Long
from benchwright.suites.telemetry.drafting.naming import Days, Naming, naming_of
from benchwright.suites.telemetry.drafting.sheets import Sheet

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Group:
    """Files that one source reads."""

    name: str
    sheets: tuple[Sheet, ...]
    clocks: tuple[Clock, ...]
    """Of each sheet, all of one column and one pattern of days."""
    naming: Naming
    decimal: str
    doubt: tuple[str, str] | None
    """The pattern of days that was taken, and another that reads every time as well."""

    @property
    def first(self) -> Sheet:
        """The first file; its header is that of all."""
        return self.sheets[0]

    @property
    def long(self) -> Long | None:
        """Columns of a row per reading; None for wide files."""
        return self.first.long

    @property
    def encoding(self) -> str:
        """The one that reads all files."""
        found = {sheet.shape.encoding for sheet in self.sheets}
        return "utf-8-sig" if "utf-8-sig" in found else self.first.shape.encoding

    @property
    def columns(self) -> list[str]:
        """Every column but those of the time."""
        times = self.clocks[0].columns
        return [name for name in self.first.names if name not in times]

    @property
    def form(self) -> str | tuple[str, ...]:
        """How times are written, in any of the files."""
        if isinstance(self.clocks[0].form, str):
            return self.clocks[0].form
        return tuple(dict.fromkeys(p for clock in self.clocks for p in clock.form))

    def times(self) -> list[Ints]:
        """Wall-clock times of every stream of every file, in the order of its rows."""
        found: list[Ints] = []
        for sheet, clock in zip(self.sheets, self.clocks, strict=True):
            if sheet.long is None:
                found.append(clock.local)
            else:
                codes = sheet.long.codes
                found += [clock.local[codes == i] for i in range(len(sheet.long.ids))]
        return found

    def days(self) -> tuple[date, date]:
        """First and last day of all readings, by the clock that wrote them."""
        every = [days_of(clock) for clock in self.clocks]
        return min(first for first, _ in every), max(last for _, last in every)


def days_of(clock: Clock) -> Days:
    """First and last day of the times of a file."""
    low, high = int(clock.local.min()) // DAY_MS, int(clock.local.max()) // DAY_MS
    return date(1970, 1, 1) + timedelta(days=low), date(1970, 1, 1) + timedelta(days=high)


def grouped(sheets: Sequence[Sheet]) -> list[Group]:
    """Groups of sheets that have a clock, in the order of their first files."""
    alike: dict[object, list[Sheet]] = defaultdict(list)
    for sheet in sorted(sheets, key=lambda s: s.path):
        alike[_header(sheet)].append(sheet)
    found: list[Group] = []
    for members in alike.values():
        for sign, some in _by_decimal(members):
            for day, doubt, chosen in _by_day(some):
                found.append(_group(chosen, sign, day, doubt, [g.name for g in found]))
    return found


def _header(sheet: Sheet) -> object:
    shape, long = sheet.shape, sheet.long
    encoding = "utf-8" if shape.encoding.startswith("utf-8") else shape.encoding
    layout = (long.stream, long.value) if long else ()
    clock = sheet.clocks[0]
    return (shape.header, shape.delimiter, encoding, layout, clock.columns, clock.fixed)


def _by_decimal(sheets: Sequence[Sheet]) -> Iterator[tuple[str, list[Sheet]]]:
    """Files by decimal sign; those without any decimals go with the others."""
    signs = sorted({s.decimal for s in sheets if s.decimal is not None}) or ["."]
    for sign in signs:
        yield sign, [s for s in sheets if (s.decimal or signs[0]) == sign]


def _by_day(
    sheets: Sequence[Sheet],
) -> Iterator[tuple[str, tuple[str, str] | None, list[Sheet]]]:
    """Files by the pattern of their days; those that fit several go where a sure one is."""
    sure = sorted({s.clocks[0].day for s in sheets if len({c.day for c in s.clocks}) == 1})
    left = list(sheets)
    for day in sure:
        yield day, None, [s for s in left if any(c.day == day for c in s.clocks)]
        left = [s for s in left if not any(c.day == day for c in s.clocks)]
    if left:
        days = [c.day for c in left[0].clocks if all(_reads(s, c.day) for s in left)]
        best = min(days, key=lambda day: (_backward(left, day), days.index(day)))
        other = next((day for day in days if day != best), best)
        yield best, (best, other), left


def _reads(sheet: Sheet, day: str) -> bool:
    return any(clock.day == day for clock in sheet.clocks)


def _backward(sheets: Sequence[Sheet], day: str) -> int:
    """How often a row lies before the one above it, or more than 27 days after it."""
    steps = [np.diff(next(c.local for c in s.clocks if c.day == day)) for s in sheets]
    return sum(int(((s < 0) | (s > 27 * DAY_MS)).sum()) for s in steps)


def _group(
    sheets: list[Sheet], sign: str, day: str, doubt: tuple[str, str] | None, taken: list[str]
) -> Group:
    clocks = tuple(next(c for c in s.clocks if c.day == day) for s in sheets)
    naming = naming_of({s.path: days_of(c) for s, c in zip(sheets, clocks, strict=True)})
    stem = PurePosixPath(sheets[0].path).stem
    name = stem if len(sheets) == 1 else f"{len(sheets)} files like {stem}"
    while name in taken:
        name += " again"
    return Group(name, tuple(sheets), clocks, naming, sign, doubt)
