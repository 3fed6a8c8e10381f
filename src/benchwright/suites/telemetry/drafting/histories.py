"""What single readings of a class tell: falls of a counter, and stretches that never change.

Takes streams in order of time with their files and rows; gives remarks for a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.suites.telemetry.corpus.zones import DAY_MS, Ints
from benchwright.suites.telemetry.drafting.channels import Guess
from benchwright.suites.telemetry.drafting.groups import Floats


@dataclass(frozen=True, slots=True)
class History:
    """A stream in order of time."""

    stream: str
    at: Ints
    """Instants in ms."""
    values: Floats
    file: Ints
    """Place in `paths` of every reading."""
    row: Ints
    """Data row of that file, from 1."""
    paths: tuple[str, ...]

    def where(self, place: int) -> str:
        """File and row of a reading."""
        return f"{self.paths[self.file[place]]} row {self.row[place]}"

    def when(self, place: int) -> str:
        """Instant of a reading."""
        return f"{np.datetime64(int(self.at[place]), 'ms').astype('datetime64[s]')} UTC"


def fall_remarks(found: Guess, histories: Sequence[History]) -> tuple[str, ...]:
    """A remark for every fall of a counter."""
    remarks = []
    for fall in found.falls:
        one = histories[fall.stream]
        remarks.append(
            f"{one.stream} falls from {fall.before:.10g} to {fall.after:.10g} in "
            f"{one.where(fall.place)} ({one.when(fall.place)}): was the meter exchanged? "
            "Consumption across the fall is not known from the files."
        )
    return tuple(remarks)


def still_remarks(histories: Sequence[History], codes: Sequence[float]) -> tuple[str, ...]:
    """One remark: the longest stretch of equal readings beyond a day, and how many there are."""
    every = [(*run, one) for one in histories for run in _still(one, codes)]
    if not every:
        return ()
    first, last, one = max(every, key=lambda run: run[2].at[run[1]] - run[2].at[run[0]])
    more = f"; {len(every) - 1} more stretches exceed a day" if len(every) > 1 else ""
    return (
        f"{one.stream} reads {one.values[first]:.10g} in {last - first + 1} readings in "
        f"succession, from {one.when(first)} to {one.when(last)}{more}: a stuck sensor, or the "
        "truth? frozen_hours marks such stretches.",
    )


def _still(one: History, codes: Sequence[float]) -> list[tuple[int, int]]:
    """First and last place of equal readings that span more than a day."""
    changes = np.flatnonzero(np.diff(one.values) != 0)
    first = np.concatenate([[0], changes + 1])
    last = np.concatenate([changes, [len(one.values) - 1]])
    long = (one.at[last] - one.at[first] > DAY_MS) & ~np.isin(one.values[first], codes)
    return list(zip(first[long].tolist(), last[long].tolist(), strict=True))
