"""`RunView`: a run beside its tasks, as pages and the terminal read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode, Planned
from benchwright.errors import RunError, TaskSetError
from benchwright.scoring.model import ScoreRow, ScoreSheet
from benchwright.scoring.rows import read_rows
from benchwright.scoring.sheets import read_sheet, sheet_path
from benchwright.stats.attempts import Attempt
from benchwright.stats.read import HELDOUT, VISIBLE, read_attempts
from benchwright.tasks.taskset import TaskSet


@dataclass(frozen=True)
class RunView:
    """An existing, scored run and the task set that it was planned for."""

    folder: RunFolder
    tasks: TaskSet

    @classmethod
    def open(cls, path: Path) -> RunView:
        """Open both; refuses a task set that changed since the plan."""
        folder = RunFolder.open(path)
        planned = folder.record["taskset"]
        tasks = TaskSet.open(Path(planned["path"]))
        if tasks.digest != planned["digest"]:
            raise TaskSetError(
                "task set differs from the one that this run was planned for",
                value=tasks.digest,
                where=path / "run.toml",
                hint="Put the original set back at the path that run.toml names.",
            )
        return cls(folder, tasks)

    @cached_property
    def rows(self) -> Mapping[str, tuple[ScoreRow, ...]]:
        """Score rows by episode, in planned order."""
        found: dict[str, list[ScoreRow]] = {planned.id: [] for planned in self.folder.plan}
        for row in read_rows(self.folder.path):
            found.setdefault(row.episode_id, []).append(row)
        return {episode: tuple(rows) for episode, rows in found.items()}

    @cached_property
    def attempts(self) -> tuple[Attempt, ...]:
        """What accuracy is counted from."""
        return read_attempts(self.folder, self.tasks.task, VISIBLE)

    @cached_property
    def hidden_attempts(self) -> tuple[Attempt, ...]:
        """The same on held-out samples; empty where no task has them."""
        return read_attempts(self.folder, self.tasks.task, HELDOUT)

    def episode(self, planned: Planned) -> Episode | None:
        """The closing record, or None while the episode is owed."""
        return self.folder.episode(planned.id) if self.folder.is_closed(planned.id) else None

    def sheet(self, planned: Planned) -> ScoreSheet | None:
        """The score sheet of the run's scorer, or None while there is none."""
        folder, scorer = self.folder.folder(planned.id), self.folder.record["scorer"]
        return read_sheet(folder, scorer) if sheet_path(folder, scorer).is_file() else None

    def find(self, start: str) -> Planned:
        """The one planned episode whose id begins with `start`."""
        found = [planned for planned in self.folder.plan if planned.id.startswith(start)]
        exact = [planned for planned in found if planned.id == start]
        if len(found) == 1 or exact:
            return (exact or found)[0]
        problem = "several episodes begin like this" if found else "no such episode"
        ids = [planned.id for planned in found or self.folder.plan]
        raise RunError(
            problem,
            value=start,
            where=self.folder.path,
            hint=f"Write more of one of the {len(ids)} ids, e.g. {ids[0] if ids else 'none'}.",
        )
