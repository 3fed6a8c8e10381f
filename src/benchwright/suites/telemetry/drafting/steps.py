"""How often readings come, and since when: the most frequent step, and lasting changes of it.

Takes wall-clock times of the files of a source; gives regimes for its corpus file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.suites.telemetry.corpus.zones import DAY_MS, Ints

_LASTING_DAYS = 7
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Found:
    """A step in seconds, and the wall-clock time from which it holds; None: from the beginning."""

    start: str | None
    step_s: int


def step_of(streams: Sequence[Ints]) -> int | None:
    """The most frequent step in whole seconds; None where half of the steps are others."""
    steps = np.concatenate([_steps(times)[1] for times in streams])
    return _most(steps)


def regimes_of(streams: Sequence[Ints]) -> tuple[Found, ...]:
    """Regimes of all streams together; empty where no step is frequent enough.

    A change is told where another step is the most frequent one on seven days with readings in
    succession or more, and the days of each step taken together say the same.
    """
    pairs = [_steps(times) for times in streams]
    at, steps = (np.concatenate([pair[i] for pair in pairs]) for i in (0, 1))
    whole = _most(steps)
    if not len(at):
        return ()
    order = np.argsort(at, kind="stable")
    at, steps = at[order], steps[order]
    runs: list[tuple[int, int, int]] = []  # first place, step, days
    days = np.unique(at // DAY_MS, return_index=True)[1].tolist()
    for first, last in zip(days, [*days[1:], len(at)], strict=True):
        most = _most(steps[first:last])
        if most is None:
            continue
        if runs and runs[-1][1] == most:
            runs[-1] = (*runs[-1][:2], runs[-1][2] + 1)
        else:
            runs.append((first, most, 1))
    lasting = [run for run in runs if run[2] >= _LASTING_DAYS]
    changes = [run for i, run in enumerate(lasting) if not i or run[1] != lasting[i - 1][1]]
    if len(changes) < 2:
        return (Found(None, whole),) if whole else ()
    starts = [None, *(_text(_first(at, steps, run)) for run in changes[1:])]
    return tuple(Found(start, run[1]) for start, run in zip(starts, changes, strict=True))


def _first(at: Ints, steps: Ints, run: tuple[int, int, int]) -> int:
    """The reading that the first step of a run leaves from."""
    place = run[0] + int(np.argmax(np.abs(steps[run[0] :] - run[1]) <= 0.05 * run[1]))
    return int(at[place])


def _steps(times: Ints) -> tuple[Ints, Ints]:
    """Where each step begins (ms) and how long it is, in whole seconds."""
    ordered = np.unique(times)
    return ordered[:-1], np.rint(np.diff(ordered) / 1000).astype(np.int64)


def _most(steps: Ints) -> int | None:
    if not len(steps):
        return None
    values, counts = np.unique(steps, return_counts=True)
    most = int(values[np.argmax(counts)])
    near = np.abs(values - most) <= max(0.05 * most, 0)
    return most if most >= 1 and counts[near].sum() >= _SHARE * counts.sum() else None


def _text(at: int) -> str:
    return str(np.datetime64(at, "ms").astype("datetime64[s]"))
