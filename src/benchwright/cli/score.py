"""`score`: sheets and rows from the records of a run, and the two ways to repeat them."""

from __future__ import annotations

import shlex
from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.episodes.model import Episode
from benchwright.errors import SubmissionError
from benchwright.isolation.rule import RuleLimits
from benchwright.report.run import RunView
from benchwright.report.words import counted
from benchwright.scoring.artifacts import artifact
from benchwright.scoring.model import ScoreSheet
from benchwright.scoring.rows import rows_of, write_rows
from benchwright.scoring.score import score_episode, verify_records, verify_run
from benchwright.scoring.sheets import sheet_path, write_sheet
from benchwright.scoring.submission import answers_of, read_answers, run_submission
from benchwright.suites import Suite, open_suite
from benchwright.tasks.taskset import HeldSet


class Scoreable:
    """A run beside the task set and suite that score it."""

    def __init__(self, run: Path, tasks: Path | None) -> None:
        opened = RunView.open(run, lambda suite: open_suite(suite).scoring, tasks)
        self.run, self.tasks = opened.folder, opened.tasks
        self.held = HeldSet.open(self.tasks.path)
        self.suite: Suite = open_suite(self.tasks.suite)

    def sheet(self, episode: Episode) -> ScoreSheet:
        """The sheet of one episode from its records."""
        task = self.tasks.task(episode.task_id)
        gold = self.held.gold(task.id)
        return score_episode(self.suite.scoring, task, gold, episode)


def score(run: Path, tasks: Path | None, verify: bool, rerun: bool, as_json: bool) -> int:
    """Score what has no sheet yet; verify and rerun compare instead and answer with 0 or 1.

    They list everything that differs, and then leave the rows as they are.
    """
    work = Scoreable(run, tasks)
    differing = rerun_differences(work) if rerun else []
    if verify:
        differing += [str(found) for found in verify_run(work.run, work.sheet)]
    if not (verify or rerun):
        for episode in work.run.episodes():
            if not sheet_path(episode.folder, work.suite.scoring.name).is_file():
                verify_records(episode)
                write_sheet(episode.folder, work.sheet(episode))
    if not differing:
        write_rows(run, list(rows_of(work.run, work.tasks.task, work.suite.scoring)))
    closed = sum(1 for _ in work.run.episodes())
    if as_json:
        emit_json("score", {"run": run, "closed": closed, "differing": differing})
    else:
        word = "compared" if verify or rerun else "scored"
        say(f"{counted(closed, 'episode')} {word}, {len(differing)} differ")
        for line in differing:
            say(f"  differs: {line}")
        say(f"next: benchwright show {shlex.quote(str(run))}")
    return 1 if differing else 0


def rerun_differences(work: Scoreable) -> list[str]:
    """Execute every collected rule again; one line per sample whose answer changed."""
    return [
        f"{episode.id} {name}: {before} -> {after}"
        for episode in work.run.episodes()
        for name, before, after in _changed_answers(work, episode)
    ]


def _changed_answers(work: Scoreable, episode: Episode) -> list[tuple[str, object, object]]:
    task = work.tasks.task(episode.task_id)
    if work.suite.frames is None or not (episode.folder / "answers.json").is_file():
        return []
    try:
        rule = artifact(episode, task.submission.file)
    except SubmissionError:
        return [(task.submission.file, "collected", "missing")]
    frames = work.suite.frames(task, work.held.gold(task.id), work.held)
    written = run_submission(rule, frames, task.submission.labels, RuleLimits())
    found = answers_of(written, rule)
    stored = read_answers(episode.folder)
    names = sorted({*found, *stored})
    return [(n, stored.get(n), found.get(n)) for n in names if stored.get(n) != found.get(n)]
