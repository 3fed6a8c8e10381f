"""Accuracy per agent and condition, with what it rests on.

Takes attempts; gives one record per agent and group of axes: counts, share, exact interval over
samples, bounds when anything is missing, and the one-sided p against guessing. Seeds share held-out
samples, and trials share all: answers to one sample are no independent evidence. So interval and p
are those of as many answers as there are different samples, with the same share; where that is no
whole number of hits, the interval widens and p grows to the next one. They treat different samples
as independent, which samples of one episode are not quite; tables must label it so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.scoring.model import ScoreRow
from benchwright.stats.attempts import Attempt, Fate, group
from benchwright.stats.coverage import Coverage, counts, cover
from benchwright.stats.intervals import above_chance, clopper_pearson

INTERVAL = "95 % Clopper-Pearson over different"
"""What an interval is, before the name of what is counted."""


@dataclass(frozen=True, slots=True, order=True)
class AgentKey:
    """What makes two rows the same competitor; with the gold in hand it is another one."""

    privileged: bool
    name: str
    model: str
    sandbox: str


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """One line of a result table. Shares lie in 0..1."""

    agent: AgentKey
    group: Mapping[str, str]
    coverage: Coverage
    owed: int
    """Samples of all planned episodes."""
    judged: int
    """Samples with a known outcome; an invalid episode's samples are judged wrong."""
    correct: int
    accuracy: float | None
    """correct / judged; None when nothing was judged."""
    interval: tuple[float, float] | None
    """Of as many answers as there are different samples."""
    bounds: tuple[float, float] | None
    """When samples are missing: the share if all of them were wrong, and if all were right."""
    chance: float | None
    """Expected share when guessing: the mean over samples of one over the number of labels, 0 for
    what has none."""
    p_above_chance: float | None
    """Exact and one-sided; None where the group mixes label counts, where it is no binomial, and
    where nothing can be guessed."""
    means: Mapping[str, float]
    """Plain means over scored and invalid episodes of further metrics, by name."""


def accuracy_table(attempts: Iterable[Attempt], axes: Sequence[str]) -> tuple[AccuracyRow, ...]:
    """One row per agent and combination of `axes`, best accuracy first within a group.

    Privileged agents stand after all others of their group, whatever they reach.
    """
    rows = []
    for key, members in group(attempts, axes).items():
        named = dict(zip(axes, key, strict=True))
        found = [_row(agent, named, own) for agent, own in _by_agent(members).items()]
        rows += sorted(found, key=_rank)
    return tuple(rows)


def agent_key(row: ScoreRow) -> AgentKey:
    """The competitor that a score row belongs to."""
    return AgentKey(row.privileged, row.agent, row.model or "", row.sandbox)


def _by_agent(attempts: Iterable[Attempt]) -> dict[AgentKey, list[Attempt]]:
    found: dict[AgentKey, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(agent_key(attempt.row), []).append(attempt)
    return found


def _row(agent: AgentKey, named: Mapping[str, str], attempts: Sequence[Attempt]) -> AccuracyRow:
    tally: Counter[Fate] = Counter()
    for attempt in attempts:
        tally.update(attempt.tally())
    right, unknown, owed = tally["right"], tally["unknown"], tally.total()
    judged = owed - unknown
    return AccuracyRow(
        agent=agent,
        group=named,
        coverage=cover(attempt.row for attempt in attempts),
        owed=owed,
        judged=judged,
        correct=right,
        accuracy=right / judged if judged else None,
        interval=_interval(right, judged, _different(attempts)) if judged else None,
        bounds=(right / owed, (right + unknown) / owed) if unknown else None,
        chance=_chance(attempts),
        p_above_chance=_p(right, judged, attempts),
        means=_means(attempts),
    )


def _chance(attempts: Sequence[Attempt]) -> float | None:
    owed = sum(len(attempt.owed) for attempt in attempts)
    sizes = Counter[int]()
    for attempt in attempts:
        sizes[len(attempt.labels)] += len(attempt.owed)
    return sum(n / size for size, n in sorted(sizes.items()) if size) / owed if owed else None


def _different(attempts: Sequence[Attempt]) -> int:
    """How many different samples have a known outcome, however often they were asked about."""
    return len({s for a in attempts for s in a.owed if a.fate(s) != "unknown"})


def _interval(right: int, judged: int, different: int) -> tuple[float, float]:
    least, most = right * different // judged, -(-right * different // judged)
    return clopper_pearson(least, different)[0], clopper_pearson(most, different)[1]


def _p(right: int, judged: int, attempts: Sequence[Attempt]) -> float | None:
    sizes = {len(attempt.labels) for attempt in attempts}
    if not judged or len(sizes) != 1 or sizes == {0}:
        return None
    different = _different(attempts)
    return above_chance(right * different // judged, different, 1 / sizes.pop())


def _means(attempts: Sequence[Attempt]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for attempt in attempts:
        if counts(attempt.row):
            for name, value in attempt.values.items():
                if value is not None:
                    found.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in sorted(found.items())}


def _rank(row: AccuracyRow) -> tuple[bool, float, AgentKey]:
    return row.agent.privileged, -(row.accuracy if row.accuracy is not None else -1.0), row.agent
