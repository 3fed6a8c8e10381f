"""Soundness: what oracle, no-op, constant, random and forger earn on the real path."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.running.agents import agent_record
from benchwright.running.run import RunRequest, run_episodes
from benchwright.scoring.model import Check
from benchwright.scoring.sheets import read_sheet
from benchwright.stats.intervals import above_chance

NAME = "soundness"
ALPHA = 0.001
"""One-sided level of the exact binomial test against chance, per agent over all samples."""

AGENTS = ("oracle", "noop", "constant", "random", "forger")


def check_soundness(subject: Subject) -> Found:
    """Run the trivial agents in the sandbox and judge what each of them earned."""
    names = [n for n in AGENTS if n in subject.suite.agents]
    if subject.sandbox == "none":
        names.remove("forger")
    with tempfile.TemporaryDirectory(prefix="benchwright-check-") as folder:
        earned, problems = _earned(subject, names, Path(folder) / "run")
    found: Found = list(problems)
    if subject.sandbox == "none":
        found.append(Note(NAME, "without a sandbox: the forger and answers by rule", skipped=True))
    for name in names:
        found += _judge(name, earned[name], subject)
    return found


Earned = list[tuple[Check, float]]
"""Checks of every sample with the chance of a guess there."""


def _earned(
    subject: Subject, names: list[str], out: Path
) -> tuple[dict[str, Earned], list[Problem]]:
    agents = [agent_record(subject.suite, name, None, subject.sandbox) for name in names]
    direct = {t.id for t in subject.tasks.tasks if t.submission.mode == "direct"}
    fit = {t.id for t in subject.tasks.tasks} if subject.sandbox == "bwrap" else direct
    done = count(1)
    request = RunRequest(
        subject.tasks,
        subject.suite,
        agents,
        on_closed=lambda *_: subject.on_episode(next(done), len(fit) * len(agents)),
        only=lambda planned: planned.task_id in fit,
    )
    result = run_episodes(request, out)
    earned: dict[str, Earned] = defaultdict(list)
    for episode in result.run.episodes():
        chance = subject.suite.chance(subject.tasks.task(episode.task_id))
        sheet = read_sheet(episode.folder, subject.suite.scoring.name)
        earned[episode.agent.name] += [(check, chance) for check in sheet.checks]
    return earned, list(_broken(result.problems, result.run.episodes()))


def _broken(problems: Iterable[str], episodes: Iterable[object]) -> Iterator[Problem]:
    for text in problems:
        yield Problem(NAME, "run", text, "An episode could not be closed; read its Inspect log.")
    for episode in episodes:
        owner = getattr(episode, "owner", None)
        if owner in ("sandbox", "provider"):
            end = getattr(episode, "end", None)
            yield Problem(NAME, str(owner), f"an episode failed: {end}", "Repeat the check.")


def _judge(name: str, earned: Earned, subject: Subject) -> Found:
    right = sum(check.outcome == "pass" for check, _ in earned)
    total = len(earned)
    told = f"{name}: {right} of {total} samples right"
    if name == "oracle":
        return [_told(right == total > 0, told, "The gold does not score 1: a task is wrong.")]
    if name == "noop":
        return [_told(right == 0 < total, told, "Doing nothing must earn nothing.")]
    if name == "forger" and right:
        return [_told(False, told, "A forged result counted: find what read it.")]
    chance = sum(c for _, c in earned) / total if total else 0.0
    p = above_chance(right, total, chance) if total else 0.0
    told += f" (chance {chance:.3f}, p = {p:.3f})"
    return [_told(p > ALPHA, told, "A trivial agent beats chance: classes are not balanced.")]


def _told(fine: bool, text: str, hint: str) -> Problem | Note:
    return Note(NAME, text) if fine else Problem(NAME, "reference agents", text, hint)
