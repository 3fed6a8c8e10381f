"""The scorer `tracebench/1`: top-1 and shortlist over the samples of one task (paper 3.5, facts 8).

Pure: takes task, gold and the files of a closed episode, runs nothing. An answer file that breaks
the contract scores 0 on every sample and is flagged `invalid` (the original skips such episodes).
An error of a rule on one sample costs that sample alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose

from benchwright.episodes.model import Episode
from benchwright.errors import FormatError, SpecError, SubmissionError
from benchwright.scoring.answers import parse_results, shortlist, top1
from benchwright.scoring.artifacts import artifact
from benchwright.scoring.model import Check, Score, ScoreSheet, Scoring
from benchwright.scoring.submission import SampleAnswer, read_answers
from benchwright.suites.tracebench.contract import check_task
from benchwright.suites.tracebench.golds import true_answers
from benchwright.tasks.model import Gold, Task
from benchwright.trajectory.evidence import Evidence

NAME = "tracebench/1"
TEST_METRICS = ("top1", "shortlist")
_ROUNDING = 1e-9
HELDOUT_METRICS = ("heldout_top1", "heldout_shortlist")


@dataclass(frozen=True, slots=True)
class _Answer:
    """One sample: ranked labels, or why there are none."""

    labels: tuple[str, ...]
    error: str | None = None


def metrics(task: Task) -> tuple[str, ...]:
    """Metrics of every sheet of this task; only rules are asked about held-out samples."""
    direct = check_task(task).mode == "direct"
    return TEST_METRICS if direct else TEST_METRICS + HELDOUT_METRICS


def score(task: Task, gold: Gold, episode: Episode) -> ScoreSheet:
    """One check per sample, test samples before held-out ones, and their means as scores."""
    answers = true_answers(task, gold)
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


def check_sheet(task: Task, sheet: ScoreSheet) -> None:
    """FormatError unless a stored sheet judges the samples of `task`, and its scores are theirs."""
    asked = task.submission
    names = [check.name for check in sheet.checks]
    hidden = [name for name in names if name not in set(asked.samples)]
    if not names:
        if any(score.value is not None for score in sheet.scores):
            raise _inconsistent("sheet has scores and no checks", len(sheet.scores), sheet)
        return
    owed = asked.heldout if asked.mode == "programmatic" else 0
    if not set(asked.samples) <= set(names) or len(hidden) != owed:
        raise _inconsistent("sheet judges other samples than the task has", len(names), sheet)
    truth = {check.name: _true_label(task, sheet, check) for check in sheet.checks}
    given = {check.name: _judged(task, sheet, check) for check in sheet.checks}
    scores = _scores(TEST_METRICS, {name: truth[name] for name in asked.samples}, given)
    if asked.mode == "programmatic":
        scores += _scores(HELDOUT_METRICS, {name: truth[name] for name in hidden}, given)
    for stated, found in zip(sheet.scores, scores, strict=True):
        known = (stated.value, found.value)
        if (None in known and known != (None, None)) or not isclose(
            stated.value or 0.0, found.value or 0.0, abs_tol=_ROUNDING
        ):
            raise _inconsistent(f"{stated.metric} is not that of its checks", stated.value, sheet)


SCORING = Scoring(NAME, score, metrics, check_sheet)


def _true_label(task: Task, sheet: ScoreSheet, check: Check) -> str:
    if isinstance(check.expected, str) and check.expected in task.submission.labels:
        return check.expected
    raise _inconsistent(f"truth of {check.name} is no label", check.expected, sheet)


def _judged(task: Task, sheet: ScoreSheet, check: Check) -> _Answer:
    """The answer that a check is about; its outcome must be the one that follows."""
    given = check.got if isinstance(check.got, list) else []
    labels = tuple(label for label in given if label in task.submission.labels)
    answer = _Answer(tuple(map(str, labels)), None if check.got is not None else check.reason or "")
    again = _check(check.name, str(check.expected), answer, "")
    if again.outcome != check.outcome or again.got != check.got:
        raise _inconsistent(f"outcome of {check.name} does not follow", check.got, sheet)
    return answer


def _inconsistent(problem: str, value: object, sheet: ScoreSheet) -> FormatError:
    where = f"sheet {sheet.scorer} of {sheet.episode_id}"
    hint = "Restore the run folder from where it came, or remove the sheet and score again."
    return FormatError(problem, value=value, where=where, hint=hint)


def _given(task: Task, episode: Episode) -> dict[str, _Answer] | None:
    """Answers by sample; None when a delivered rule has no record of its execution."""
    file = artifact(episode, task.submission.file)
    if task.submission.mode == "direct":
        parsed = parse_results(file.read_bytes(), task.submission)
        return {name: _Answer(labels) for name, labels in parsed.items()}
    if not (episode.folder / "answers.json").is_file():
        return None
    answers = read_answers(episode.folder)
    return {name: _recorded(task, name, entry) for name, entry in answers.items()}


def _recorded(task: Task, name: str, entry: SampleAnswer) -> _Answer:
    """One recorded answer; recording let none pass but allowed labels, each of them once."""
    labels = entry.labels or ()
    if len(set(labels)) != len(labels) or not set(labels) <= set(task.submission.labels):
        raise FormatError(
            "recorded answer is none that the task allows",
            value=labels,
            where=f"answers.json: {name}",
            hint="Restore the run folder from where it came.",
        )
    return _Answer(labels, entry.error)


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
