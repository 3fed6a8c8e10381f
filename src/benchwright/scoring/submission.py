"""From a collected `rule.py` to `answers.json`: executed once, isolated, when the episode closes.

`answers.json` stands beside `artifacts/`, never inside it: whatever an agent writes under that name
is an artifact like any other and is read by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchwright.canonical import digest_file
from benchwright.errors import SubmissionError
from benchwright.isolation.rule import Answer, Frame, RuleLimits, run_rule
from benchwright.scoring.answers import resolve_labels
from benchwright.storage import read_json, write_json

ANSWERS_FORMAT = "benchwright.answers/1"


def run_submission(
    rule: Path, frames: Iterable[Frame], labels: Sequence[str], limits: RuleLimits
) -> dict[str, Any]:
    """Run the rule on every frame: per sample its labels, or the error that the sample cost."""
    answers = {a.name: _resolved(a, labels) for a in run_rule(rule, frames, limits)}
    return {"format": ANSWERS_FORMAT, "rule": digest_file(rule), "answers": answers}


def write_answers(folder: Path, answers: dict[str, Any]) -> None:
    """Put the answers beside the artifacts of an episode."""
    write_json(folder / "answers.json", answers)


def read_answers(folder: Path) -> dict[str, Any]:
    """Per sample `{"labels": [...]}` or `{"error": "..."}`."""
    data = read_json(folder / "answers.json", form=ANSWERS_FORMAT)
    answers = data["answers"]
    assert isinstance(answers, dict)
    return answers


def _resolved(answer: Answer, labels: Sequence[str]) -> dict[str, Any]:
    if answer.labels is None:
        return {"error": answer.error or "no answer"}
    try:
        return {"labels": list(resolve_labels(answer.labels, labels))}
    except SubmissionError as error:
        return {"error": f"ValueError: {error.problem}: {error.value!r}"[:300]}
