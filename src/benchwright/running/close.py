"""Closing an episode: answers of a rule, trajectory, score sheet, and last the closing record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.episodes.folder import close_episode
from benchwright.episodes.model import Episode
from benchwright.errors import IsolationError, SubmissionError, TaskSetError
from benchwright.isolation.rule import RuleLimits
from benchwright.running.model import SuiteParts
from benchwright.scoring.artifacts import artifact_in
from benchwright.scoring.model import ScoreSheet
from benchwright.scoring.score import score_episode
from benchwright.scoring.sheets import write_sheet
from benchwright.scoring.submission import run_submission, write_answers
from benchwright.storage import write_json
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.session import Session
from benchwright.tasks.taskset import HeldSet, TaskSet


@dataclass(frozen=True)
class Closer:
    """Everything that closing one episode needs beside the episode itself."""

    suite: SuiteParts
    held: HeldSet
    rule_limits: RuleLimits

    def gold(self, task: Task) -> Gold:
        """The gold of `task`."""
        return self.held.gold(task.id)

    def session(self, tasks: TaskSet, task: Task) -> Session:
        """A new session for one episode of a dialogue.

        Raises:
            TaskSetError: the suite has none.
        """
        refuse_mute(self.suite, task)
        assert self.suite.session is not None
        return self.suite.session(tasks, self.held, task)

    def answer(self, task: Task, folder: Path) -> None:
        """Execute a collected rule once on all frames; nothing when there is no rule to run."""
        if task.submission.mode != "programmatic" or self.suite.frames is None:
            return
        try:
            rule = artifact_in(folder, task.submission.file)
        except SubmissionError:
            return
        frames = self.suite.frames(task, self.gold(task), self.held)
        answers = run_submission(rule, frames, task.submission.labels, self.rule_limits)
        write_answers(folder, answers)

    def close(self, task: Task, episode: Episode, trajectory: dict[str, Any]) -> ScoreSheet:
        """Write trajectory and sheet, then the closing record."""
        write_json(episode.folder / "trajectory.json", trajectory)
        sheet = score_episode(self.suite.scoring, task, self.gold(task), episode)
        write_sheet(episode.folder, sheet)
        close_episode(episode)
        return sheet


def refuse_mute(suite: SuiteParts, task: Task) -> None:
    """TaskSetError where a task is a dialogue and its suite has no operator for it."""
    if task.submission.mode == "dialogue" and suite.session is None:
        raise TaskSetError(
            "suite has no operator for its dialogues",
            value=task.suite,
            where=task.id,
            hint="Sets of it can be built, checked and read, but not run by this version.",
        )


def fresh_folder(folder: Path) -> Path:
    """An empty episode folder; what an interrupted attempt left is removed."""
    import shutil

    if (folder / "episode.json").exists():
        raise IsolationError(
            "episode is closed already",
            value=folder.name,
            where=folder,
            hint="Closed episodes never run again; this is a defect of the plan.",
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
