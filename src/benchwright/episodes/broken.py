"""Attempts that broke off through provider or sandbox: set aside, so the episode is owed again.

<run>/broken/<episode-id>/<n>/   the whole folder of the n-th attempt that broke off, counted from 1

A folder moves there in one rename. Before it the episode is closed, after it the episode is owed;
no kill can find it in between. What lies there is shown and summed apart, and never scored.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from benchwright.episodes.folder import RunFolder, read_episode
from benchwright.episodes.model import Episode, Owner, Planned, Usage
from benchwright.errors import RunError
from benchwright.storage import safe_join

RETRIED: frozenset[Owner] = frozenset({"provider", "sandbox"})
"""Whose faults may be gone the next time; a task, operator or judge at fault stays so."""


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over attempts: what is known, and of how many attempts it is not known."""

    known: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What several attempts used together, apart from every score."""

    attempts: int
    owners: Mapping[str, int]
    """Number of attempts by who was to blame."""
    usage: Mapping[str, Total]
    """By field of `Usage`: tokens, nano-USD, calls, milliseconds."""


def set_aside(
    run: RunFolder, allowed: Callable[[Planned], bool] = lambda planned: True
) -> tuple[Planned, ...]:
    """Move every allowed episode that broke off to `broken/`; those are owed from now on."""
    moved = [p for p in run.plan if run.is_closed(p.id) and allowed(p) and _broke(run, p)]
    for planned in moved:
        kept = _kept(run, planned.id)
        place = _place(run, planned.id)
        place.mkdir(parents=True, exist_ok=True)
        os.rename(run.folder(planned.id), place / str(int(kept[-1].name) + 1 if kept else 1))
    return tuple(moved)


def broken_attempts(run: RunFolder, episode_id: str | None = None) -> Iterator[Episode]:
    """Attempts that were set aside, of one episode or of all, in planned order, oldest first."""
    for planned in run.plan:
        if episode_id in (None, planned.id):
            yield from (_read(folder, planned) for folder in _kept(run, planned.id))


def spent(attempts: Iterable[Episode]) -> Spent:
    """Sums from closing records; an unknown amount is counted and never taken for 0."""
    kept = list(attempts)
    owners = Counter(str(episode.owner) for episode in kept)
    usage = {field.name: _total(kept, field.name) for field in fields(Usage)}
    return Spent(len(kept), dict(sorted(owners.items())), usage)


def _total(episodes: Iterable[Episode], name: str) -> Total:
    amounts = [getattr(episode.usage, name) for episode in episodes]
    known = [amount for amount in amounts if amount is not None]
    return Total(sum(known), len(amounts) - len(known))


def _broke(run: RunFolder, planned: Planned) -> bool:
    return run.episode(planned.id).owner in RETRIED


def _place(run: RunFolder, episode_id: str) -> Path:
    return safe_join(run.path / "broken", episode_id)


def _kept(run: RunFolder, episode_id: str) -> list[Path]:
    """Folders of the attempts of one episode, oldest first."""
    place = _place(run, episode_id)
    names = [p.name for p in place.iterdir()] if place.is_dir() else []
    return [place / str(number) for number in sorted(int(n) for n in names if n.isdecimal())]


def _read(folder: Path, planned: Planned) -> Episode:
    episode = read_episode(folder)
    if episode.id != planned.id:
        raise RunError(
            "attempt that broke off belongs to another episode",
            value=episode.id,
            where=folder,
            hint="Restore the run folder from where it came; attempts are never moved by hand.",
        )
    return episode
