"""`RunView`: a run beside its tasks, as pages and the terminal read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchwright.episodes.broken import broken_attempts
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode, Planned
from benchwright.errors import RunError, TaskSetError
from benchwright.scoring.model import ScoreRow, ScoreSheet, Scoring
from benchwright.scoring.rows import rows_of, why_owed
from benchwright.scoring.sheets import read_sheet, sheet_path
from benchwright.stats.attempts import Attempt
from benchwright.stats.read import HELDOUT, read_attempts
from benchwright.storage import nearest
from benchwright.tasks.taskset import TaskSet


@dataclass(frozen=True)
class RunView:
    """An existing, scored run and the task set that it was planned for."""

    folder: RunFolder
    tasks: TaskSet
    scoring: Scoring

    @classmethod
    def open(
        cls, path: Path, scoring_of: Callable[[str], Scoring], tasks: Path | None = None
    ) -> RunView:
        """Open both, the set from `tasks` if it was moved; refuses one that changed since.

        `scoring_of` gives the scoring of a suite by name.
        """
        folder = RunFolder.open(path)
        planned = folder.record.taskset
        found = _planned_set(path, tasks or Path(planned.path), planned.digest)
        scoring = scoring_of(found.suite)
        folder.refuse_other_scorer(scoring.name)
        return cls(folder, found, scoring)

    @cached_property
    def rows(self) -> Mapping[str, tuple[ScoreRow, ...]]:
        """Score rows by episode, in planned order; derived from plan and sheets each time."""
        found: dict[str, list[ScoreRow]] = {planned.id: [] for planned in self.folder.plan}
        for row in rows_of(self.folder, self.tasks.task, self.scoring):
            found[row.episode_id].append(row)
        return {episode: tuple(rows) for episode, rows in found.items()}

    @property
    def _rows(self) -> list[ScoreRow]:
        return [row for rows in self.rows.values() for row in rows]

    @cached_property
    def attempts(self) -> tuple[Attempt, ...]:
        """What tables are counted from."""
        return read_attempts(
            self.folder, self._rows, self.tasks.task, self.scoring.counted, self.scoring.whole
        )

    @cached_property
    def hidden_attempts(self) -> tuple[Attempt, ...]:
        """The same on held-out samples; empty where no task has them."""
        return read_attempts(self.folder, self._rows, self.tasks.task, HELDOUT)

    def episode(self, planned: Planned) -> Episode | None:
        """The closing record, or None while the episode is owed."""
        return self.folder.episode(planned.id) if self.folder.is_closed(planned.id) else None

    def broken(self, episode_id: str | None = None) -> tuple[Episode, ...]:
        """Attempts of one episode, or of all, that broke off and were set aside; never scored."""
        return tuple(broken_attempts(self.folder, episode_id))

    def owed(self) -> Mapping[str, int]:
        """Number of episodes that are owed, by the reason why."""
        return Counter(why_owed(p, self.tasks.task(p.task_id)) for p in self.folder.owed())

    def sheet(self, planned: Planned) -> ScoreSheet | None:
        """The score sheet of the run's scorer, or None while there is none."""
        folder, scorer = self.folder.folder(planned.id), self.scoring.name
        return read_sheet(folder, scorer) if sheet_path(folder, scorer).is_file() else None

    def find(self, start: str) -> Planned:
        """The one planned episode whose id begins with `start`."""
        found = [planned for planned in self.folder.plan if planned.id.startswith(start)]
        exact = [planned for planned in found if planned.id == start]
        if len(found) == 1 or exact:
            return (exact or found)[0]
        if found:
            problem, hint = "several episodes begin like this", f"Write more of it: {found[0].id}."
        else:
            ids = [planned.id for planned in self.folder.plan]
            problem, hint = "no such episode", nearest(start, ids)
        raise RunError(problem, value=start, where=self.folder.path, hint=hint)


def _planned_set(run: Path, tasks: Path, digest: str) -> TaskSet:
    if not (tasks / "taskset.toml").is_file():
        raise TaskSetError(
            "the task set of this run is not here",
            value=str(tasks),
            where=run / "run.toml",
            hint="Name the folder that it was moved to with --tasks.",
        )
    found = TaskSet.open(tasks)
    if found.digest != digest:
        raise TaskSetError(
            "task set differs from the one that this run was planned for",
            value=found.digest,
            where=run / "run.toml",
            hint="Name the original set with --tasks.",
        )
    return found
