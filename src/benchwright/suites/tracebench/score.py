"""The scorer `tracebench/1`: top-1 and shortlist over the samples of one task (paper 3.5, facts 8).

Pure: takes task, gold and the files of a closed episode, runs nothing. An answer file that breaks
the contract scores 0 on every sample and is flagged `invalid` (the original skips such episodes).
An error of a rule on one sample costs that sample alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.episodes.model import Episode
from benchwright.errors import SpecError, SubmissionError
from benchwright.scoring.answers import parse_results, shortlist, top1
from benchwright.scoring.artifacts import artifact
from benchwright.scoring.model import Check, Score, ScoreSheet, Scoring
from benchwright.scoring.submission import read_answers
from benchwright.suites.tracebench.golds import read_gold
from benchwright.tasks.model import Gold, Task
from benchwright.trajectory.evidence import Evidence

NAME = "tracebench/1"
TEST_METRICS = ("top1", "shortlist")
HELDOUT_METRICS = ("heldout_top1", "heldout_shortlist")


@dataclass(frozen=True, slots=True)
class _Answer:
    """One sample: ranked labels, or why there are none."""

    labels: tuple[str, ...]
    error: str | None = None


def metrics(task: Task) -> tuple[str, ...]:
    """Metrics of every sheet of this task; only rules are asked about held-out samples."""
    direct = task.submission.mode == "direct"
    return TEST_METRICS if direct else TEST_METRICS + HELDOUT_METRICS


def score(task: Task, gold: Gold, episode: Episode) -> ScoreSheet:
    """One check per sample, test samples before held-out ones, and their means as scores."""
    answers = read_gold(gold)
    truth = {name: answers.truth[name] for name in task.submission.samples}
    heldout = dict(answers.heldout.truth) if answers.heldout else {}
    if task.submission.mode == "direct":
        heldout = {}
    source = f"artifact:{task.submission.file}"
    try:
        given = _given(task, episode)
    except (SubmissionError, SpecError) as error:  # SpecError: a link that leaves the artifacts
        return _invalid(task, episode, {**truth, **heldout}, str(error))
    if given is None:
        return _unscorable(task, episode, "the rule was collected but never executed")
    scores = _scores(TEST_METRICS, truth, given)
    if task.submission.mode == "programmatic":
        scores += _scores(HELDOUT_METRICS, heldout, given)
    checks = tuple(
        _check(name, label, _answer(given, name), source)
        for name, label in {**truth, **heldout}.items()
    )
    return ScoreSheet(episode.id, NAME, scores, checks)


SCORING = Scoring(NAME, score, metrics)


def _given(task: Task, episode: Episode) -> dict[str, _Answer] | None:
    """Answers by sample; None when a delivered rule has no record of its execution."""
    file = artifact(episode, task.submission.file)
    if task.submission.mode == "direct":
        parsed = parse_results(file.read_bytes(), task.submission)
        return {name: _Answer(labels) for name, labels in parsed.items()}
    if not (episode.folder / "answers.json").is_file():
        return None
    return {
        name: _Answer(tuple(entry.get("labels", ())), entry.get("error"))
        for name, entry in read_answers(episode.folder).items()
    }


def _answer(given: Mapping[str, _Answer], name: str) -> _Answer:
    return given.get(name, _Answer((), "the rule gave no answer for this sample"))


def _scores(
    names: tuple[str, str], truth: Mapping[str, str], given: Mapping[str, _Answer]
) -> tuple[Score, ...]:
    """Means over samples, in the order of `names` (top-1, shortlist)."""
    if not truth:
        reason = "this set has no held-out samples"
        return tuple(Score(name, None, "unscorable", reason) for name in names)
    found = {name: _answer(given, name) for name in truth}
    errors = [answer.error for answer in found.values() if answer.error is not None]
    if len(errors) == len(truth):
        reason = f"every sample failed, the first with {errors[0]}"
        return tuple(Score(name, 0.0, "invalid", reason) for name in names)
    reason_part = f"{len(errors)} of {len(truth)} samples failed" if errors else None
    values = [
        sum(metric(found[name].labels, label) for name, label in truth.items()) / len(truth)
        for metric in (top1, shortlist)
    ]
    return tuple(
        Score(name, value, "scored", reason_part) for name, value in zip(names, values, strict=True)
    )


def _check(name: str, label: str, answer: _Answer, source: str) -> Check:
    right = answer.error is None and top1(answer.labels, label) == 1.0
    return Check(
        name=name,
        outcome="pass" if right else "fail",
        expected=label,
        got=list(answer.labels) if answer.error is None else None,
        reason=answer.error,
        evidence=(Evidence(source, name),),
    )


def _invalid(task: Task, episode: Episode, truth: Mapping[str, str], reason: str) -> ScoreSheet:
    scores = tuple(Score(name, 0.0, "invalid", reason) for name in metrics(task))
    checks = tuple(Check(name, "fail", label, None, reason) for name, label in truth.items())
    return ScoreSheet(episode.id, NAME, scores, checks)


def _unscorable(task: Task, episode: Episode, reason: str) -> ScoreSheet:
    scores = tuple(Score(name, None, "unscorable", reason) for name in metrics(task))
    return ScoreSheet(episode.id, NAME, scores, ())
