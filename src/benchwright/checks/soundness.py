"""Soundness: what oracle, no-op, constant, random and forger earn on the real path.

Every agent works on every task, and every rule that comes of it is executed in its box; about
held-out samples that many tasks share, the rules of one of these tasks are asked (see `asked`).
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from benchwright.checks.asked import Asked, asked_once
from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode, Planned
from benchwright.running.agents import agent_record
from benchwright.running.listener import Listener
from benchwright.running.plan import box_of
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.scoring.score import verify_records
from benchwright.scoring.sheets import read_sheet
from benchwright.stats.intervals import above_chance

NAME = "soundness"
ALPHA = 0.001
"""One-sided level of the exact binomial test against chance, per agent over all samples."""

_UNCLOSED = "An episode could not be closed; read its Inspect log."
AGENTS = ("oracle", "noop", "constant", "random", "forger")


def check_soundness(subject: Subject) -> Found:
    """Run the trivial agents in the sandbox and judge what each of them earned.

    Where `subject.run` names a run that has them already, its records are judged instead.
    """
    names = [n for n in AGENTS if n in subject.suite.agents]
    found: Found = []
    if subject.sandbox == "none":
        names.remove("forger")
        found.append(Note(NAME, "without a sandbox: the forger and answers by rule", skipped=True))
    if subject.run is not None:
        run = RunFolder.open(subject.run)
        found += _lacking(subject, names, run)
        return found + _judged(subject, names, run)
    with tempfile.TemporaryDirectory(prefix="benchwright-check-") as folder:
        asked = asked_once(subject)
        result = _run(subject, names, asked, Path(folder) / "run")
        found += [Problem(NAME, "run", text, _UNCLOSED) for text in result.problems]
        return found + _judged(subject, names, result.run, asked)


class _Counting(Listener):
    """Tells how many episodes of how many have ended."""

    def __init__(self, told: Callable[[int, int], None], total: int) -> None:
        self._told, self._done, self._total = told, count(1), total

    def closed(self, planned: Planned, sheet: ScoreSheet) -> None:
        """As `Listener.closed`."""
        self._told(next(self._done), self._total)


def _run(subject: Subject, names: list[str], asked: Asked, out: Path) -> RunResult:
    box = box_of(subject.tasks.tasks, subject.sandbox)
    agents = [agent_record(subject.suite, name, None, box) for name in names]
    fit = _fit(subject)
    request = RunRequest(
        subject.tasks,
        asked,
        agents,
        listener=_Counting(subject.on_episode, len(fit) * len(agents)),
        only=lambda planned: planned.task_id in fit,
    )
    return run_episodes(request, out)


def _fit(subject: Subject) -> set[str]:
    """Tasks that can be run here: without a sandbox, those that need no rule executed."""
    everywhere = subject.sandbox == "bwrap"
    return {t.id for t in subject.tasks.tasks if everywhere or t.submission.mode != "programmatic"}


def _lacking(subject: Subject, names: list[str], run: RunFolder) -> Iterator[Problem]:
    """Tasks that some agent has not answered in `run`, or answered when they were others."""
    digests = subject.tasks.task_digests
    there = {
        (episode.task_id, episode.agent.name)
        for episode in run.episodes()
        if episode.task_digest == digests.get(episode.task_id)
    }
    for task_id, name in sorted({(i, n) for i in _fit(subject) for n in names} - there):
        yield Problem(NAME, task_id, f"the run lacks an episode of {name}", "Finish the run first.")


Earned = list[tuple[Check, float]]
"""Checks of every sample with the chance of a guess there."""


def _judged(
    subject: Subject, names: list[str], run: RunFolder, asked: Asked | None = None
) -> Found:
    """What every agent earned; without `asked`, rules were asked about everything."""
    own = [episode for episode in run.episodes() if episode.agent.name in names]
    found: Found = list(_broken(own))
    earned: dict[str, Earned] = defaultdict(list)
    for episode in own:
        verify_records(episode)
        task = subject.tasks.task(episode.task_id)
        chance = subject.suite.chance(task)
        for check in read_sheet(episode.folder, subject.suite.scoring.name).checks:
            if asked is None or asked.counts(task, check.name):
                earned[episode.agent.name].append((check, chance))
    for name in names:
        found += _judge(name, earned[name], subject)
    return found


def _broken(episodes: Iterable[Episode]) -> Iterator[Problem]:
    for episode in episodes:
        if episode.owner in ("sandbox", "provider"):
            yield Problem(
                NAME, episode.owner, f"an episode failed: {episode.end}", "Repeat the check."
            )


def _judge(name: str, earned: Earned, subject: Subject) -> Found:
    right = sum(check.outcome == "pass" for check, _ in earned)
    total = len(earned)
    told = f"{name}: {right} of {total} samples right"
    if not total:
        return [_told(False, f"{name}: no sample was judged", "Its episodes broke off: see above.")]
    if name == "oracle":
        return [_told(right == total, told, "The gold does not score 1: a task is wrong.")]
    if name == "noop":
        return [_told(right == 0, told, "Doing nothing must earn nothing.")]
    if name == "forger" and right:
        return [_told(False, told, "A forged result counted: find what read it.")]
    chance = sum(c for _, c in earned) / total
    p = above_chance(right, total, chance)
    told += f" (chance {chance:.3f}, p = {p:.3f})"
    return [_told(p > ALPHA, told, "A trivial agent beats chance: classes are not balanced.")]


def _told(fine: bool, text: str, hint: str) -> Problem | Note:
    return Note(NAME, text) if fine else Problem(NAME, "reference agents", text, hint)
