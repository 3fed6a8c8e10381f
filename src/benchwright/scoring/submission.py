"""From a collected `rule.py` to `answers.json`: executed once, isolated, when the episode closes.

`answers.json` stands beside `artifacts/`, never inside it: whatever an agent writes under that name
is an artifact like any other and is read by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from benchwright.canonical import digest_file
from benchwright.errors import FormatError, SubmissionError
from benchwright.isolation.rule import Answer, Frame, RuleLimits, run_rule
from benchwright.scoring.answers import resolve_labels
from benchwright.storage import read_json, write_json
from benchwright.storage.records import Text, record

ANSWERS_FORMAT = "benchwright.answers/1"


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """What a rule gave for one sample: ranked labels, or the error that the sample cost."""

    labels: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    error: str | None = None

    def __str__(self) -> str:
        return self.error or ", ".join(self.labels or ())


@dataclass(frozen=True, slots=True)
class _AnswersFile:
    answers: Mapping[str, SampleAnswer]


def run_submission(
    rule: Path, frames: Iterable[Frame], labels: Sequence[str], limits: RuleLimits
) -> dict[str, Any]:
    """Run the rule on every frame: per sample its labels, or the error that the sample cost."""
    answers = {a.name: _resolved(a, labels) for a in run_rule(rule, frames, limits)}
    return {"format": ANSWERS_FORMAT, "rule": digest_file(rule), "answers": answers}


def write_answers(folder: Path, answers: dict[str, Any]) -> None:
    """Put the answers beside the artifacts of an episode."""
    write_json(folder / "answers.json", answers)


def read_answers(folder: Path) -> Mapping[str, SampleAnswer]:
    """Labels or error of every sample, by its name."""
    file = folder / "answers.json"
    return answers_of(read_json(file, form=ANSWERS_FORMAT), file)


def answers_of(written: object, where: Path) -> Mapping[str, SampleAnswer]:
    """The same from what `run_submission` gave."""
    answers = record(_AnswersFile, written, where).answers
    for name, answer in answers.items():
        if (answer.labels is None) == (answer.error is None):
            raise FormatError(
                "sample has neither labels nor an error, or both",
                value=name,
                where=where,
                hint="Restore the run folder from where it came.",
            )
    return answers


def _resolved(answer: Answer, labels: Sequence[str]) -> dict[str, Any]:
    if answer.labels is None:
        return {"error": answer.error or "no answer"}
    try:
        return {"labels": list(resolve_labels(answer.labels, labels))}
    except SubmissionError as error:
        return {"error": f"ValueError: {error.problem}: {error.value!r}"[:300]}
