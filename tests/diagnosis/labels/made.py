"""Labels as tests write them, and a short analysis with known issues."""

from __future__ import annotations

from typing import Any

from benchwright.diagnosis.documents.parse import Document, parse
from benchwright.diagnosis.labels.model import Label, Labels, Subject
from benchwright.trajectory.evidence import Evidence

SAID = Evidence("step", "1")

ANALYSIS = """\
# A run

> It fitted the scorer.

## Credit Due

The agent seeded its draws with 4711 and said so.

## A. Ideation & Planning

1. One idea was tried and no other. [stage: A | root cause: depth]

## C. Execution & Implementation

2. The cut was tuned on the scorer until it passed. [stage: C | root cause: integrity]

3. A run crashed and was taken as an answer. [stage: C | root cause: robustness]

## Retraction / Correction Log

The claim that the seed was unset was wrong.
"""


def analysis() -> Document:
    return parse(ANALYSIS)


def label(pattern: str | None, degree: Any = "hit", **more: Any) -> Label:
    stated = {"issue": None, "confidence": None, "evidence": (SAID,), "why": "", **more}
    return Label(pattern, degree, **stated)


def labels(*own: Label, subject: str = "run-1", rater: str = "A", **more: Any) -> Labels:
    stated = {"taxonomy": "arft-45", "rater_kind": "human", "verdict": None, **more}
    return Labels(subject=Subject(subject), rater=rater, labels=own, **stated)
