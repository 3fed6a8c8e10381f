"""Findings are held against each other where they rest on the same place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.diagnosis.agreement.findings import findings_against
from benchwright.diagnosis.agreement.grids import findings_grid
from benchwright.diagnosis.agreement.levels import rated
from benchwright.diagnosis.agreement.places import Reader
from benchwright.diagnosis.labels.model import Label, Labels, Subject
from benchwright.diagnosis.taxonomy import shipped
from benchwright.errors import SpecError
from benchwright.stats.matching import Place
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places
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
    assert [finding.name for finding in Reader().findings(ours)] == [None, "A.1"]
    every = rated([ours, said("human", label("1:", place))], shipped())
    (found,) = findings_against(every, "human")
    assert (found.counts.right, found.counts.wrong) == (1, 1)
    assert found.alike == {"pattern": 1, "pillar": 1, "stage": 1}


def test_the_table_says_what_is_compared() -> None:
    every = rated([said("judge", *OURS), said("human", *THEIRS)], shipped())
    table = findings_grid(findings_against(every, "human"))
    row = dict(zip((c.title for c in table.columns), table.rows[0], strict=True))
    assert (row["matched"], row["same pillar"], row["same pattern"]) == (2, 1.0, 0.5)
    assert any("6 lead into what was not given" in note for note in table.notes)


@pytest.fixture
def episode(tmp_path: Path) -> Places:
    folder = tmp_path / "artifacts"
    folder.mkdir()
    (folder / "report.md").write_text("".join(f"line {n}\n" for n in range(1, 31)))
    return Places(artifacts=folder)


def test_followed_lines_overlap_with_bytes_and_with_another_spelling(episode: Places) -> None:
    ours = said("judge", label("A.1", ("artifact:report.md", "1-2")))
    theirs = said("human", label("A.1", ("artifact:./report.md", "bytes 7-14")))
    every = rated([ours, theirs], shipped())
    (written,) = findings_against(every, "human")
    (found,) = findings_against(every, "human", episodes={"s1 t1": episode})
    assert (written.counts.right, written.unfollowed) == (0, 2)
    assert (found.counts.right, found.unfollowed, found.pointers) == (1, 0, 2)
    (finding,) = Reader({"s1 t1": episode}).findings(ours)
    assert finding.places == (Place("artifact:report.md", (), "bytes", 0, 14),)


@pytest.mark.parametrize(
    ("at", "span"),
    [
        ("30", (223, 231)),
        ("30-99", (223, 231)),
        ("1", (0, 7)),
        ("9-10", (56, 71)),
        ("0-2", (0, 14)),
    ],
)
def test_lines_are_the_bytes_that_they_are(episode: Places, at: str, span: tuple[int, int]) -> None:
    ours = said("judge", label("A.1", ("artifact:report.md", at)))
    ((place,),) = [one.places for one in Reader({"s1 t1": episode}).findings(ours)]
    assert (place.start, place.stop) == span


def test_a_pointer_that_leads_nowhere_is_no_place(episode: Places) -> None:
    dead = label("A.1", ("artifact:report.md", "31"), ("artifact:gone.md", "1"))
    false = replace(dead, evidence=(Evidence("artifact:report.md", "1", "line 7"),))
    every = rated([said("judge", dead, false), said("human", dead)], shipped())
    (found,) = findings_against(every, "human", episodes={"s1 t1": episode})
    assert found.placeless == (2, 1) and found.counts.right == 0


def test_against_nobody_nothing_is_matched() -> None:
    with pytest.raises(SpecError, match="two raters"):
        findings_against(rated([said("judge", *OURS)], shipped()), "judge")
