"""Groups of trials: how reliably an agent does one task that it is given several times.

Takes score rows of one metric that is 1 or 0; gives what became of every trial, of every group of
trials of one task and agent, and pass^k. A group whose trials are not all known stays in the
denominator, and is told apart. One row per task, agent and trial, or the table is refused: a
repeated one would count twice, a lost one would make the rest look better.

pass^k is the chance that k trials of a task all pass. From c passes of n known trials of a task
C(c, k) / C(n, k) estimates it without bias, the complement of pass@k (Chen et al. 2021,
arXiv:2107.03374) turned round (Yao et al. 2024, arXiv:2406.12045); tasks are averaged. The share of
groups that pass is the same number where every task has k known trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final, Literal

import numpy as np

from benchwright.errors import SpecError, TaskSetError
from benchwright.scoring.model import ScoreRow
from benchwright.stats.accuracy import AgentKey, agent_key
from benchwright.stats.attempts import refuse_mixed_scorers
from benchwright.stats.intervals import clopper_pearson

Trial = Literal["pass", "fail", "unverified", "blocked", "missing"]
Fate = Literal["pass", "fail", "unresolved"]
TRIALS: Final[tuple[Trial, ...]] = ("pass", "fail", "unverified", "blocked", "missing")
SEED: Final = 20240612
"""Of the resampling, so that the same rows give the same interval."""
RESAMPLES: Final = 2000


@dataclass(frozen=True, slots=True)
class PassHat:
    """pass^k of several tasks. Shares lie in 0..1."""

    k: int
    value: float | None
    """Mean over tasks with at least k known trials; None where there is none."""
    tasks: int
    """Number of these tasks."""
    interval: tuple[float, float] | None
    """95 % percentile interval, tasks drawn again with replacement."""
    bounds: tuple[float, float] | None
    """Over all tasks, when trials are not known: if all of those failed, and if all passed."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One line of a table of groups."""

    agent: AgentKey
    group: Mapping[str, str]
    trials: Mapping[Trial, int]
    groups: Mapping[Fate, int]
    share_of_all: float
    """Groups that pass by all groups."""
    share_of_resolved: float | None
    """Groups that pass by those that pass or fail; None where nothing is resolved."""
    interval: tuple[float, float]
    """Exact (Clopper and Pearson) of `share_of_all`, unresolved ones counted as not passed."""
    pass_hat: tuple[PassHat, ...]
    """For k from 1 to the number of trials."""


def trial_of(row: ScoreRow) -> Trial:
    """What became of one trial.

    Raises:
        SpecError: the metric is neither 1 nor 0, so that a trial neither passes nor fails.
    """
    if row.status == "missing":
        return "missing"
    if row.status == "unscorable":
        return "unverified" if row.owner in (None, "agent") else "blocked"
    if row.value not in (0, 1):
        raise SpecError(
            "a trial passes or it fails",
            value=row.value,
            where=f"{row.metric} of {row.episode_id}",
            hint="Count groups by a metric that is 1 or 0.",
        )
    return "pass" if row.value == 1 else "fail"


def fate_of(trials: Sequence[Trial]) -> Fate:
    """What became of a group: passed if all did, failed if all are known and one did not."""
    if any(trial not in ("pass", "fail") for trial in trials):
        return "unresolved"
    return "fail" if "fail" in trials else "pass"


def pass_power(passed: int, n: int, k: int) -> float:
    """Share of the k-subsets of n trials that all pass: unbiased for (chance of a pass)^k."""
    if not 0 <= passed <= n or not 1 <= k <= n:
        raise SpecError(
            "needs 0 <= passed <= n and 1 <= k <= n",
            value=(passed, n, k),
            where="pass^k",
            hint="Ask for no more trials than there are.",
        )
    return comb(passed, k) / comb(n, k)


def group_table(rows: Iterable[ScoreRow], axes: Sequence[str]) -> tuple[GroupRow, ...]:
    """One row per agent and combination of `axes`, in the order of axes, privileged agents last.

    Raises:
        TaskSetError: a trial is there twice, or scorers are mixed.
    """
    kept = list(rows)
    refuse_mixed_scorers(kept)
    found: dict[tuple[tuple[str, ...], AgentKey], dict[str, dict[int, Trial]]] = {}
    for row in kept:
        key = tuple(row.axes.get(axis, "") for axis in axes), agent_key(row)
        trials = found.setdefault(key, {}).setdefault(row.task_id, {})
        if row.trial in trials:
            raise _twice(row)
        trials[row.trial] = trial_of(row)
    return tuple(
        _row(agent, dict(zip(axes, key, strict=True)), found[key, agent])
        for key, agent in sorted(found)
    )


def _row(
    agent: AgentKey, named: Mapping[str, str], tasks: Mapping[str, Mapping[int, Trial]]
) -> GroupRow:
    known = [tuple(tasks[task].values()) for task in sorted(tasks)]
    trials = Counter(trial for own in known for trial in own)
    fates = Counter(map(fate_of, known))
    passed, resolved = fates["pass"], fates["pass"] + fates["fail"]
    return GroupRow(
        agent=agent,
        group=named,
        trials={name: trials[name] for name in TRIALS},
        groups={"pass": passed, "fail": fates["fail"], "unresolved": fates["unresolved"]},
        share_of_all=passed / len(known),
        share_of_resolved=passed / resolved if resolved else None,
        interval=clopper_pearson(passed, len(known)),
        pass_hat=tuple(pass_hat(known, k) for k in range(1, max(map(len, known)) + 1)),
    )


def pass_hat(tasks: Sequence[Sequence[Trial]], k: int) -> PassHat:
    """pass^k over tasks, each given by its trials."""
    counted = [Counter(own) for own in tasks]
    sure = [(c["pass"], c["pass"] + c["fail"]) for c in counted]
    values = [pass_power(passed, n, k) for passed, n in sure if n >= k]
    whole = all(n == len(own) for (_, n), own in zip(sure, tasks, strict=True))
    return PassHat(
        k=k,
        value=sum(values) / len(values) if values else None,
        tasks=len(values),
        interval=_resampled(values) if values else None,
        bounds=None if whole else _bounds(counted, k),
    )


def _bounds(counted: Sequence[Counter[Trial]], k: int) -> tuple[float, float] | None:
    asked = [(c["pass"], c["fail"], c.total()) for c in counted if c.total() >= k]
    if not asked:
        return None
    least = [pass_power(passed, n, k) for passed, _, n in asked]
    most = [pass_power(n - failed, n, k) for _, failed, n in asked]
    return sum(least) / len(asked), sum(most) / len(asked)


def _resampled(values: Sequence[float]) -> tuple[float, float]:
    """Percentiles of means of resamples; of equal values they are that value.

    Sorted first, so that the order of tasks does not move the interval.
    """
    own = np.sort(np.asarray(values))
    drawn = np.random.default_rng(SEED).integers(0, len(own), (RESAMPLES, len(own)))
    low, high = np.percentile(own[drawn].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def _twice(row: ScoreRow) -> TaskSetError:
    return TaskSetError(
        "a trial is there twice",
        value=row.episode_id,
        where=f"{row.agent} on {row.task_id}, trial {row.trial}",
        hint="Give each run once; runs of one agent are told apart by name.",
    )
