"""`diagnose labels` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.diagnosis.labels.file import write_labels
from tests.cli.commands import benchwright, refused_fully
from tests.diagnosis.labels.made import ANALYSIS, label, labels


def issue(number: int, pattern: str | None):
    return label(pattern, issue=number, evidence=(), why="x")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "labels"
    write_labels(own, labels(label("C.2"), rater="Ada", verdict="valid"))
    write_labels(own, labels(issue(1, None), issue(2, None), issue(3, None), rater="Bo"))
    (tmp_path / "analyses").mkdir()
    (tmp_path / "analyses" / "run-1.md").write_text(ANALYSIS)
    return own


def test_good_files_are_code_0_with_verdicts_and_the_rate_of_none(folder: Path) -> None:
    said = benchwright("diagnose", "labels", folder, "--documents", folder.parent / "analyses")
    assert (said.code, said.err) == (0, "")
    assert "run-1 by Ada: valid (its own), 1 hit" in said.out
    assert "  proposed invalid: C.2 by Ada" in said.out
    assert "run-1 by Bo: invalid (proposed), 0 hits" in said.out
    assert "by Bo: 3 of 3 (100.0%, 95 % exact 29.2% to 100.0%)" in said.out


def test_a_broken_rule_is_code_1_and_named(folder: Path) -> None:
    write_labels(folder, labels(label("C.2", evidence=()), label("Z.9"), rater="Cy"))
    said = benchwright("diagnose", "labels", folder)
    assert said.code == 1
    assert "FLAW evidence_missing: pattern without evidence (label 1, C.2)" in said.out
    assert "FLAW pattern_unknown" in said.out and "3 label files of 3 raters: 1 with" in said.out


def test_json_is_one_document(folder: Path) -> None:
    told = json.loads(benchwright("diagnose", "labels", folder, "--json").out)
    assert told["format"] == "benchwright.diagnose.labels/1"
    assert [one["rater"] for one in told["files"]] == ["Ada", "Bo"]
    assert told["none"]["issues"] == 3 and set(told["none_by_rater"]) == {"Bo"}
    assert told["files"][1]["verdict"]["by"] == "rule"


@pytest.mark.parametrize(
    "words", [["{}.gone"], ["{}", "--pool", "nobody"], ["{}", "--run", "{}"]], ids=" ".join
)
def test_what_cannot_be_used_is_one_line(words: list[str], folder: Path) -> None:
    refused_fully(benchwright("diagnose", "labels", *(word.format(folder) for word in words)))


def test_labels_of_another_version_are_refused_with_the_next_step(folder: Path) -> None:
    write_labels(folder, labels(label("C1"), rater="Di", taxonomy="arft-29"))
    refused_fully(benchwright("diagnose", "labels", folder), "arft-29", "[[maps]]")
