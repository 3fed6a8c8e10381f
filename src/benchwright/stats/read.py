"""Attempts of a run on disk: score rows, checks and contracts brought together.

Takes an open run folder and its tasks; gives what the tables count. Reads score sheets, not logs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from benchwright.episodes.folder import RunFolder
from benchwright.scoring.model import Check, ScoreRow
from benchwright.scoring.sheets import read_sheet
from benchwright.stats.attempts import Attempt
from benchwright.tasks.model import Task

VISIBLE = "top1"
"""Top-1 on the samples that the agent was given."""
HELDOUT = "heldout_top1"
"""Top-1 of a submitted rule on samples that the agent never saw."""


def read_attempts(
    run: RunFolder,
    rows: Iterable[ScoreRow],
    tasks: Callable[[str], Task],
    metric: str = VISIBLE,
    whole: str | None = None,
) -> tuple[Attempt, ...]:
    """One attempt per planned episode that has `metric`, in the order of `rows`.

    `whole` names the check that stands for an episode, where an episode is one thing that was asked
    and not a number of samples.
    """
    found: dict[str, dict[str, ScoreRow]] = {}
    for row in rows:
        found.setdefault(row.episode_id, {})[row.metric] = row
    return attempts_of(
        ((named, checks_of(run, next(iter(named.values())))) for named in found.values()),
        tasks,
        metric,
        whole,
    )


def checks_of(run: RunFolder, row: ScoreRow) -> dict[str, Check]:
    """Checks of the episode of `row` by name; none while it has no sheet."""
    if row.status == "missing":
        return {}
    sheet = read_sheet(run.folder(row.episode_id), row.scorer)
    return {check.name: check for check in sheet.checks}


def attempts_of(
    episodes: Iterable[tuple[dict[str, ScoreRow], dict[str, Check]]],
    tasks: Callable[[str], Task],
    metric: str,
    whole: str | None = None,
) -> tuple[Attempt, ...]:
    """The same from rows by metric and checks by name, per episode."""
    opened = cache(tasks)
    kept = [(rows, checks) for rows, checks in episodes if metric in rows]
    hidden = _hidden_names(kept, opened) if metric == HELDOUT else {}
    attempts = []
    for rows, checks in kept:
        row = rows[metric]
        if whole is not None:
            attempts.append(_whole(rows, checks, metric, whole))
            continue
        contract = opened(row.task_id).submission
        owed = hidden[row.task_id] if metric == HELDOUT else contract.samples
        values = _beside(rows, metric)
        attempts.append(Attempt(row, contract.labels, tuple(owed), checks, values))
    return tuple(attempts)


def _whole(rows: dict[str, ScoreRow], checks: dict[str, Check], metric: str, whole: str) -> Attempt:
    """An episode that is one thing, named by its task; nothing of it can be guessed."""
    row = rows[metric]
    own = {row.task_id: checks[whole]} if whole in checks else {}
    return Attempt(row, (), (row.task_id,), own, _beside(rows, metric))


def _beside(rows: dict[str, ScoreRow], metric: str) -> dict[str, float | None]:
    return {name: other.value for name, other in rows.items() if name != metric}


def _hidden_names(
    episodes: Iterable[tuple[dict[str, ScoreRow], dict[str, Check]]],
    tasks: Callable[[str], Task],
) -> dict[str, tuple[str, ...]]:
    """Held-out samples by task: every check of any episode that is not in the contract.

    Where no episode of a task was scored, the contract's count stands in with names of its own, so
    that what is missing is owed all the same.
    """
    names: dict[str, set[str]] = {}
    for rows, checks in episodes:
        task_id = next(iter(rows.values())).task_id
        visible = set(tasks(task_id).submission.samples)
        names.setdefault(task_id, set()).update(set(checks) - visible)
    return {
        task_id: tuple(sorted(found)) or _unnamed(tasks(task_id))
        for task_id, found in names.items()
    }


def _unnamed(task: Task) -> tuple[str, ...]:
    return tuple(f"held-out {number}" for number in range(task.submission.heldout))
