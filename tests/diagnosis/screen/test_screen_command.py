"""`benchwright diagnose screen` on a run, an episode, a log and a folder of logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.diagnosis.labels.file import read_collection
from tests.diagnosis.screen.cases import PLANTED, lay_out, read_cases


@pytest.fixture
def wrong(tmp_path: Path) -> tuple[Path, Path]:
    """A trajectory with a broken script, and what it left."""
    cases = read_cases(PLANTED / "open" / "script-broken.jsonl")
    case = next(c for c in cases if c.planted and "artifacts" in c.data)
    trajectory, left = lay_out(case, tmp_path / "case")
    assert left is not None
    return trajectory, left


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_verdict_is_named_with_its_pattern_and_place_and_the_answer_is_no(
    wrong: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["diagnose", "screen", str(wrong[0]), "--artifacts", str(wrong[1])]
    assert exit_code([*words, "--only", "script-broken"]) == 1
    lines = said(capsys).splitlines()
    assert lines[1].startswith("  VERDICT X.8 script-broken: ")
    assert lines[-1] == "1 trajectory: 1 verdict in 1 of them, 0 leads"


def test_one_document_holds_what_the_lines_say(
    wrong: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["diagnose", "screen", str(wrong[0]), "--artifacts", str(wrong[1]), "--json"]
    assert exit_code(words) == 1
    document = json.loads(said(capsys))
    assert document["format"] == "benchwright.diagnose.screen/1"
    (one,) = document["trajectories"]
    assert "script-broken" in {finding["detector"] for finding in one["findings"]}
    assert all(finding["evidence"] for finding in one["findings"])


def test_findings_become_labels_a_verdict_a_hit_and_a_lead_a_partial(
    wrong: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["diagnose", "screen", str(wrong[0]), "--artifacts", str(wrong[1])]
    assert exit_code([*words, "--labels", str(tmp_path / "labels")]) == 1
    (labels,) = read_collection(tmp_path / "labels")
    assert labels.rater_kind == "screen" and "X.8" in labels.hits()


def test_a_folder_is_screened_file_by_file_and_what_is_no_log_is_counted(
    wrong: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.json").write_bytes(wrong[0].read_bytes())
    (folder / "notes.txt").write_text("no log")
    exit_code(["diagnose", "screen", str(folder)])
    assert "1 file of no known log format passed over" in said(capsys)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "nothing to screen"),
        (["nowhere"], "nothing there"),
        (["nowhere", "--only", "script-brocken"], "unknown detector"),
    ],
)
def test_what_cannot_be_screened_is_one_line(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["diagnose", "screen", *words]) == 2
    error = capsys.readouterr().err
    assert problem in error and len(error.splitlines()) == 1


def test_every_detector_is_listed_with_what_it_states(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["diagnose", "screen", "--detectors", "--json"]) == 0
    rows = json.loads(said(capsys))["detectors"]
    assert len(rows) == 16 and {row["kind"] for row in rows} == {"verdict", "lead"}
