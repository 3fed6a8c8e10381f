"""Scoring one closed episode, and a whole run from its records alone.

An episode that failed through the fault of sandbox, provider, judge or operator has no score: its
metrics are `unscorable`, with the reason, and never a number (design 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from benchwright.episodes.folder import Closing, RunFolder, kept_digests, read_closing
from benchwright.episodes.model import Episode
from benchwright.errors import BenchwrightError, RunError
from benchwright.scoring.model import Check, Score, ScoreSheet, Scoring
from benchwright.scoring.sheets import read_sheet, refuse_newer_sheet, sheet_bytes, sheet_path
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
        return f"{error.problem}{_shown(episode, sheet_of)}"
    sheet = sheet_of(episode)
    path = sheet_path(episode.folder, sheet.scorer)
    if not path.is_file():
        return f"its sheet is missing: {path.name}"
    if path.read_bytes() == sheet_bytes(sheet):
        return None
    refuse_newer_sheet(path)
    return f"its sheet is another: {path.name}{_first_other(episode, sheet)}"


def _shown(episode: Episode, sheet_of: Callable[[Episode], ScoreSheet]) -> str:
    """What scoring makes of changed records: the first thing that comes out otherwise."""
    try:
        sheet = sheet_of(episode)
    except BenchwrightError as error:
        return f"; {error.problem}"
    stored = sheet_path(episode.folder, sheet.scorer)
    return _first_other(episode, sheet) if stored.is_file() else ""


def _first_other(episode: Episode, sheet: ScoreSheet) -> str:
    """The first check, or else the first score, in which a stored sheet is another."""
    try:
        stored = read_sheet(episode.folder, sheet.scorer)
    except BenchwrightError as error:
        return f"; {error.problem}"
    checks = {check.name: check for check in stored.checks}
    other = [check for check in sheet.checks if checks.get(check.name) != check]
    if other:
        first = next((check for check in other if check.evidence), other[0])
        old = checks.get(first.name)
        return f"; first {first.name}{_where(first)}: {_told(old)}, now {_told(first)}"
    for old_score, score in zip(stored.scores, sheet.scores, strict=False):
        if old_score != score:
            why = f" ({score.reason})" if score.reason else ""
            return f"; {score.metric}: {old_score.value}, now {score.value}{why}"
    return ""


def _where(check: Check) -> str:
    """The first place that a check points to."""
    if not check.evidence:
        return ""
    first = check.evidence[0]
    name = "session.jsonl, exchange" if first.source == "session" else first.source
    return f" ({name} {first.at})"


def _told(check: Check | None) -> str:
    if check is None:
        return "not there"
    return f"{check.outcome}, {check.reason}" if check.reason else check.outcome


def verify_records(episode: Episode) -> None:
    """Refuse an episode whose files are not the ones that its closing record states."""
    stated = read_closing(episode.folder)
    found = kept_digests(episode.folder)
    for part, digests in found.items():
        if getattr(stated, part) != digests:
            raise RunError(
                f"{part} changed after the episode was closed{_other_file(stated, part, digests)}",
                value=episode.id,
                where=episode.folder,
                hint="Restore the run folder from where it came; changed records are not scored.",
            )


def _other_file(stated: Closing, part: str, found: object) -> str:
    """The first file of a part that is not what the closing record says."""
    told, now = getattr(stated, part), found
    if not isinstance(told, Mapping) or not isinstance(now, Mapping):
        return ""
    names = sorted(name for name in {*told, *now} if told.get(name) != now.get(name))
    return f": {names[0]}" if names else ""
