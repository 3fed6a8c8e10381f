"""What differs between two plans of the same task set, in the words of the command line.

Takes planned episodes; gives one short phrase per difference, which a refusal can name.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchwright.episodes.model import AgentRecord, Planned

_FLAGS = {"model": "--model", "sandbox": "--sandbox", "version": "version", "privileged": "gold"}


def differences(before: Sequence[Planned], now: Sequence[Planned]) -> tuple[str, ...]:
    """How `now` differs from `before`, agents first; empty for the same plan."""
    old, new = _agents(before), _agents(now)
    left, added = [n for n in old if n not in new], [n for n in new if n not in old]
    told = [f"without agent {name}" for name in left] + [f"with agent {name}" for name in added]
    for name in new:
        if name in old:
            told += [f"{name}: {words}" for words in _changes(old[name], new[name])]
    trials = _trials(before), _trials(now)
    if trials[0] != trials[1]:
        told.append(f"--trials {trials[1]} instead of {trials[0]}")
    return tuple(told)


def _agents(plan: Sequence[Planned]) -> dict[str, AgentRecord]:
    return {planned.agent.name: planned.agent for planned in plan}


def _trials(plan: Sequence[Planned]) -> int:
    return max((planned.trial for planned in plan), default=-1) + 1


def _changes(old: AgentRecord, new: AgentRecord) -> list[str]:
    """What is not the same in two records of one name."""
    told = [
        f"{flag} {getattr(new, part) or 'none'} instead of {getattr(old, part) or 'none'}"
        for part, flag in _FLAGS.items()
        if getattr(old, part) != getattr(new, part)
    ]
    for key in sorted({*old.settings, *new.settings}):
        was, is_now = old.settings.get(key), new.settings.get(key)
        if was != is_now:
            told.append("its code has changed" if key == "code" else f"other {key}: {is_now}")
    return told
