"""Scoring one closed episode, and a whole run from its records alone.

An episode that failed through the fault of sandbox, provider, judge or operator has no score: its
metrics are `unscorable`, with the reason, and never a number (design 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchwright.episodes.folder import RunFolder, kept_digests, read_closing
from benchwright.episodes.model import Episode
from benchwright.errors import RunError
from benchwright.scoring.model import Score, ScoreSheet, Scoring
from benchwright.scoring.sheets import refuse_newer_sheet, sheet_bytes, sheet_path
from benchwright.tasks.model import Gold, Task

_NOT_THE_AGENT = frozenset({"task", "operator", "judge", "sandbox", "provider"})


@dataclass(frozen=True, slots=True)
class Difference:
    """An episode whose records or stored sheet are not what they were when it was closed."""

    episode_id: str
    what: str
    """What differs, in words."""

    def __str__(self) -> str:
        return f"{self.episode_id}: {self.what}"


def score_episode(scoring: Scoring, task: Task, gold: Gold, episode: Episode) -> ScoreSheet:
    """The sheet of one episode; the suite's scorer sees only what the agent is answerable for."""
    if episode.owner not in _NOT_THE_AGENT:
        return scoring.score(task, gold, episode)
    reason = f"{episode.owner}: {episode.end.reason or episode.end.kind}"
    blank = tuple(Score(metric, None, "unscorable", reason) for metric in scoring.metrics(task))
    return ScoreSheet(episode.id, scoring.name, blank, ())


def verify_run(run: RunFolder, sheet_of: Callable[[Episode], ScoreSheet]) -> Iterator[Difference]:
    """Score every closed episode again from its records; yields each of which a byte differs.

    Raises:
        FormatError: a stored sheet was written by a newer version.
    """
    for episode in run.episodes():
        what = _differs(episode, sheet_of)
        if what is not None:
            yield Difference(episode.id, what)


def _differs(episode: Episode, sheet_of: Callable[[Episode], ScoreSheet]) -> str | None:
    try:
        verify_records(episode)
    except RunError as error:
        return error.problem
    sheet = sheet_of(episode)
    path = sheet_path(episode.folder, sheet.scorer)
    if not path.is_file():
        return f"its sheet is missing: {path.name}"
    if path.read_bytes() == sheet_bytes(sheet):
        return None
    refuse_newer_sheet(path)
    return f"its sheet is another: {path.name}"


def verify_records(episode: Episode) -> None:
    """Refuse an episode whose files are not the ones that its closing record states."""
    stated = read_closing(episode.folder)
    found = kept_digests(episode.folder)
    for part, digests in found.items():
        if getattr(stated, part) != digests:
            raise RunError(
                f"{part} changed after the episode was closed",
                value=episode.id,
                where=episode.folder,
                hint="Restore the run folder from where it came; changed records are not scored.",
            )
