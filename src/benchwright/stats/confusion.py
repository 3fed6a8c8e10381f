"""Confusion of labels: which truth was answered by which label, as raw counts.

Takes attempts; gives one matrix per agent and group. An owed sample without a usable first label
goes to a column of its own, and unknown outcomes are left out and counted, so that a row total is
always the number of judged samples of that truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.scoring.model import Check
from benchwright.stats.accuracy import AgentKey, agent_key
from benchwright.stats.attempts import Attempt, group

NO_ANSWER = "no usable answer"


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts [truth][answer] of one agent in one group."""

    agent: AgentKey
    group: Mapping[str, str]
    truths: tuple[str, ...]
    answers: tuple[str, ...]
    """The labels in the order of the prompt, then `no usable answer`."""
    counts: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[float | None, ...], ...]
    """Counts over their row total; None in a row without samples."""
    unknown: int
    """Samples left out because their outcome, or their truth, is not known."""


def confusion_tables(attempts: Iterable[Attempt], axes: Sequence[str]) -> tuple[Confusion, ...]:
    """One matrix per combination of `axes` and agent, ordinary agents first."""
    tables = []
    for key, members in group(attempts, axes).items():
        named = dict(zip(axes, key, strict=True))
        agents = sorted({agent_key(member.row) for member in members})
        for agent in agents:
            own = [member for member in members if agent_key(member.row) == agent]
            tables.append(_table(agent, named, own))
    return tuple(tables)


def _table(agent: AgentKey, named: Mapping[str, str], attempts: Sequence[Attempt]) -> Confusion:
    truths = tuple(dict.fromkeys(label for attempt in attempts for label in attempt.labels))
    answers = (*truths, NO_ANSWER)
    counts = {truth: dict.fromkeys(answers, 0) for truth in truths}
    unknown = 0
    for truth, answer in _pairs(attempts):
        if truth in counts and answer is not None:
            counts[truth][answer if answer in answers else NO_ANSWER] += 1
        else:
            unknown += 1
    raw = tuple(tuple(counts[truth].values()) for truth in truths)
    return Confusion(agent, named, truths, answers, raw, tuple(map(_shares, raw)), unknown)


def _pairs(attempts: Iterable[Attempt]) -> Iterable[tuple[str | None, str | None]]:
    for attempt in attempts:
        for sample in attempt.owed:
            check = attempt.checks.get(sample)
            known = check is not None and attempt.fate(sample) != "unknown"
            yield (_truth(check), _first(check)) if check is not None and known else (None, None)


def _truth(check: Check) -> str | None:
    return check.expected if isinstance(check.expected, str) else None


def _first(check: Check) -> str:
    got = check.got
    first = got[0] if isinstance(got, list | tuple) and got else got
    return first if isinstance(first, str) else NO_ANSWER


def _shares(row: tuple[int, ...]) -> tuple[float | None, ...]:
    total = sum(row)
    return tuple(count / total if total else None for count in row)
