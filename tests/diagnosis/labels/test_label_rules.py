"""Every rule of a label file finds its fault, and a good file breaks none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.diagnosis.labels.flaws import READINGS, RULES
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.labels.quality import quality
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places
from tests.diagnosis.labels.made import analysis, label, labels


def at(where: str, quote: str | None = None) -> tuple[Evidence, ...]:
    return (Evidence("document", where, quote),)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    steps = {"steps": [{"step_id": 1, "source": "agent", "message": "score 0.912 reached"}]}
    (tmp_path / "trajectory.json").write_text(json.dumps(steps))
    (tmp_path / "artifacts").mkdir()
    (tmp_path / "artifacts" / "rule.py").write_text("cut = 3\nreturn cut\n")
    return Places(tmp_path / "trajectory.json", None, tmp_path / "artifacts")


def issue(number: int, pattern: str | None, **more: object):
    return label(pattern, issue=number, **more)


ISSUES = (issue(1, "A.1"), issue(2, "C.2"), issue(3, None, evidence=()))

FAULTS: dict[str, Labels] = {
    "version": labels(label("C.2"), taxonomy="arft-29"),
    "pattern_unknown": labels(label("C2")),
    "pattern_missing": labels(label(None)),
    "pattern_twice": labels(label("C.2"), label("C.2")),
    "hit_and_partial": labels(label("C.2"), label("C.2", "partial")),
    "evidence_missing": labels(label("C.2", evidence=())),
    "evidence_astray": labels(label("C.2", evidence=(Evidence("step", "9"),))),
    "credit_only": labels(label("C.2", evidence=at("Credit Due"))),
    "retracted_only": labels(label("C.2", evidence=at("", "the seed was unset"))),
    "confidence_range": labels(label("C.2", confidence=1.01)),
    "severity": labels(label("C.2"), severity="none"),
    "kinds_mixed": labels(*ISSUES, label("C.1")),
    "issue_unknown": labels(*ISSUES, issue(4, "C.1")),
    "issue_twice": labels(*ISSUES, issue(2, "C.1")),
    "issue_unlabelled": labels(*ISSUES[:2]),
    "stage_differs": labels(ISSUES[0], issue(2, "D.2"), ISSUES[2]),
    "root_cause_differs": labels(ISSUES[0], issue(2, "C.3"), ISSUES[2]),
    "verdict_and_hits": labels(label("C.2"), verdict="infrastructure"),
}


def test_every_rule_has_a_fault_here() -> None:
    assert set(FAULTS) == set(RULES) and set(RULES) > READINGS


@pytest.mark.parametrize("rule", RULES)
def test_a_fault_is_found_by_its_rule_and_by_no_other(rule: str, places: Places) -> None:
    found = quality(FAULTS[rule], places, analysis())
    assert {flaw.rule for flaw in found.flaws} == {rule}
    assert found.good == (rule in READINGS)


def test_a_good_labelling_of_issues_breaks_no_rule(places: Places) -> None:
    assert quality(labels(*ISSUES), places, analysis()).flaws == ()


def test_a_good_labelling_of_a_document_breaks_no_rule(places: Places) -> None:
    both = (*at("issue 2", "until it passed"), *at("Credit Due"))
    own = labels(
        label("C.2", confidence=1.0, evidence=both),
        label("A.1", "partial", evidence=(Evidence("step", "1", "0.91"),)),
        label("C.3", evidence=(Evidence("artifact:rule.py", "1", "cut = 3"),)),
        severity="high",
    )
    found = quality(own, places, analysis())
    assert (found.flaws, found.pointers, found.unchecked) == ((), 4, 0)


def test_a_labelling_with_nothing_but_partials_may_be_of_no_severity(places: Places) -> None:
    own = labels(label("C.2", "partial"), severity="none")
    assert quality(own, places).good
    assert not quality(labels(label("C.2", "partial"), severity="low"), places).good


def test_what_cannot_be_followed_is_counted_and_never_called_astray() -> None:
    every = ("step", "log", "artifact:x.py", "session", "result:h-1", "document")
    own = labels(label("C.2", evidence=tuple(Evidence(kind, "1") for kind in every)))
    found = quality(own)
    assert (found.good, found.pointers, found.unchecked) == (True, 6, 6)
    strange = labels(label("C.2", evidence=(Evidence("dream", "1"),)))
    assert [flaw.rule for flaw in quality(strange).flaws] == ["evidence_astray"]


def test_praise_is_known_by_the_name_of_its_section_even_without_the_analysis() -> None:
    assert [f.rule for f in quality(FAULTS["credit_only"]).flaws] == ["credit_only"]


@pytest.mark.parametrize(
    ("where", "quote", "good"),
    [
        ("issue 3", "taken as an answer", True),
        ("issue 3", "tuned on the scorer", False),
        ("issue 9", None, False),
        ("C", "tuned on the scorer", True),
        ("c. execution and implementation", None, True),
        ("Numerical Grounding Notes", None, False),
        ("", "no other", True),
    ],
)
def test_a_part_of_the_analysis_is_found_by_issue_section_or_words(
    where: str, quote: str | None, good: bool
) -> None:
    found = quality(labels(label("C.2", evidence=at(where, quote))), Places(), analysis())
    assert found.good is good


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("step", "evidence_astray"),
        ("artifact:x.py", "evidence_astray"),
        ("session", "evidence_astray"),
        ("result:h-1", "evidence_astray"),
        ("log", ""),
    ],
)
def test_of_an_episode_that_is_given_whole_what_is_not_there_leads_nowhere(
    source: str, outcome: str
) -> None:
    own = labels(label("C.2", evidence=(Evidence(source, "1"),)))
    assert [flaw.rule for flaw in quality(own, whole=True).flaws] == list(filter(None, [outcome]))
