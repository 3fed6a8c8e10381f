"""Findings are held against each other where they rest on the same place."""

from __future__ import annotations

import pytest

from benchwright.diagnosis.agreement.findings import findings_against, findings_of
from benchwright.diagnosis.agreement.grids import findings_grid
from benchwright.diagnosis.agreement.levels import rated
from benchwright.diagnosis.labels.model import Label, Labels, Subject
from benchwright.diagnosis.taxonomy import shipped
from benchwright.errors import SpecError
from tests.diagnosis.tables.made import label


def said(rater: str, *own: Label, subject: str = "s1 t1") -> Labels:
    return Labels("arft-45", Subject(subject, "t1"), rater, "human", None, own)


OURS = (
    label("F.4", ("artifact:report.md", "10-19")),
    label("A.1", ("log", "40")),
    label("D.4", ("log", "90-99")),
    label("B.1"),
    label("C.1~", ("log", "5")),
)
THEIRS = (
    label("F.2", ("artifact:report.md", "12-21")),
    label("A.1", ("log", "40-41")),
    label("E.2", ("artifact:decision.json", "/conclusion")),
)


def test_matched_findings_are_counted_and_then_compared_by_pattern_pillar_and_stage() -> None:
    every = rated([said("judge", *OURS), said("human", *THEIRS)], shipped())
    (found,) = findings_against(every, "human")
    assert (found.counts.right, found.counts.wrong, found.counts.missed) == (2, 2, 1)
    assert (found.precision.value, found.recall.value) == (2 / 4, 2 / 3)
    assert found.alike == {"pattern": 1, "pillar": 2, "stage": 2}
    assert found.alike_share["pattern"].value == 0.5
    assert found.placeless == (1, 0)
    assert found.precision.interval is None  # of one task


def test_the_asked_overlap_decides_what_is_matched() -> None:
    every = rated([said("judge", *OURS), said("human", *THEIRS)], shipped())
    (found,) = findings_against(every, "human", least=0.6)
    assert found.counts.right == 1 and found.alike == {"pattern": 0, "pillar": 1, "stage": 1}


def test_an_issue_that_fits_no_pattern_is_a_finding_and_a_partial_is_none() -> None:
    place = ("log", "7")
    ours = said("judge", label("1:", place), label("2:A.1", ("log", "9")), label("A.1~", place))
    assert [finding.name for finding in findings_of(ours)] == [None, "A.1"]
    every = rated([ours, said("human", label("1:", place))], shipped())
    (found,) = findings_against(every, "human")
    assert (found.counts.right, found.counts.wrong) == (1, 1)
    assert found.alike == {"pattern": 1, "pillar": 1, "stage": 1}


def test_the_table_says_what_is_compared() -> None:
    every = rated([said("judge", *OURS), said("human", *THEIRS)], shipped())
    table = findings_grid(findings_against(every, "human"))
    row = dict(zip((c.title for c in table.columns), table.rows[0], strict=True))
    assert (row["matched"], row["same pillar"], row["same pattern"]) == (2, 1.0, 0.5)
    assert any("as they are written" in note for note in table.notes)


def test_against_nobody_nothing_is_matched() -> None:
    with pytest.raises(SpecError, match="two raters"):
        findings_against(rated([said("judge", *OURS)], shipped()), "judge")
