"""Findings of the screen as labels: a verdict is a hit, a lead at most a partial."""

from __future__ import annotations

from benchwright.diagnosis.labels.model import Degree, Label, Labels, Subject
from benchwright.diagnosis.screen.run import Screened
from benchwright.diagnosis.taxonomy import shipped

RATER = "screen"


def labels_from(subject: Subject, screened: Screened) -> Labels:
    """One label for each pattern that was found, with the evidence of all its findings."""
    found: dict[str, list[Label]] = {}
    for finding in screened.findings:
        degree: Degree = "hit" if finding.kind == "verdict" else "partial"
        says = f"{finding.detector}: {finding.says}"
        label = Label(finding.pattern, degree, None, None, finding.evidence, says)
        found.setdefault(finding.pattern, []).append(label)
    labels = tuple(_merged(same) for same in found.values())
    return Labels(shipped().version, subject, RATER, "screen", None, labels)


def _merged(labels: list[Label]) -> Label:
    """One label of one pattern: a hit where any is one."""
    first = next((label for label in labels if label.degree == "hit"), labels[0])
    same = [label for label in labels if label.degree == first.degree]
    evidence = tuple(dict.fromkeys(e for label in same for e in label.evidence))
    why = "; ".join(label.why for label in same)
    return Label(first.pattern, first.degree, None, None, evidence, why)
