"""The detectors on cases that people planted who did not see them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.diagnosis.screen.finding import Finding
from benchwright.diagnosis.screen.registry import DETECTORS
from benchwright.diagnosis.screen.run import screen
from benchwright.trajectory.resolve import Places, resolve
from tests.diagnosis.screen.cases import PLANTED, SETS, Case, Tally, lay_out, read_cases, tally

VERDICTS = {d.name for d in DETECTORS if d.kind == "verdict"}
FILES = sorted(PLANTED.glob("*/*.jsonl"))
SEEN = ("open", "first")
"""A floor under the third set would make it one that is worked on; BARS.md has its counts."""


@pytest.fixture(scope="module")
def tallies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Tally]]:
    folder = tmp_path_factory.mktemp("planted")
    return {name: tally(name, folder) for name in SETS}


def pooled(found: dict[str, Tally]) -> Tally:
    return sum((t for name, t in found.items() if name in VERDICTS), Tally())


@pytest.mark.parametrize("name", SEEN)
def test_nine_verdicts_of_ten_are_right_and_seven_faults_of_ten_found(
    tallies: dict[str, dict[str, Tally]], name: str
) -> None:
    whole = pooled(tallies[name])
    assert whole.precision is not None and whole.precision >= 0.9, whole
    assert whole.recall is not None and whole.recall >= 0.7, whole


@pytest.mark.parametrize("name", SEEN)
def test_no_detector_of_verdicts_is_wrong_once_in_four(
    tallies: dict[str, dict[str, Tally]], name: str
) -> None:
    low = {n: t for n, t in tallies[name].items() if n in VERDICTS and (t.precision or 0) < 0.75}
    assert low == {}


@pytest.mark.parametrize("name", ["first", "second"])
def test_every_verdict_was_tried_on_twelve_faults_and_twelve_that_look_alike(
    tallies: dict[str, dict[str, Tally]], name: str
) -> None:
    for detector in VERDICTS:
        one = tallies[name][detector]
        assert one.hits + one.misses >= 12 and one.false + one.right >= 12


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_every_finding_points_to_what_stands_there(file: Path, tmp_path: Path) -> None:
    for case in read_cases(file):
        trajectory, left = lay_out(case, tmp_path / case.id)
        for run in screen(trajectory, left):
            assert run.dropped == ()
            for finding in run.findings:
                assert finding.evidence and finding.says
                places = Places(trajectory, trajectory, left)
                for evidence in finding.evidence:
                    there = resolve(evidence, places)
                    assert there.text is not None and there.quote != "absent", (case.id, evidence)


def test_the_same_case_gives_the_same_findings_twice(tmp_path: Path) -> None:
    case = next(iter(read_cases(FILES[0])))
    trajectory, left = lay_out(case, tmp_path / "one")
    assert screen(trajectory, left) == screen(trajectory, left)


def test_a_case_without_its_fault_is_told_from_one_with_it(tmp_path: Path) -> None:
    text = "The accuracy is 0.8731."
    data = {
        "task": "Measure the accuracy.",
        "steps": [
            {"call": "bash", "arguments": {"command": "python m.py"}, "result": "accuracy 0.8734"},
            {
                "call": "write_file",
                "arguments": {"path": "report.md", "content": text},
                "result": "",
            },
            {"say": "Done."},
        ],
        "artifacts": {"report.md": text},
    }
    wrong = Case("wrong", "number-unfound", True, "", data)
    right = Case("right", "number-unfound", False, "", _with(data, "0.8731", "0.873"))
    assert "number-unfound" in [f.detector for f in _found(wrong, tmp_path)]
    assert _found(right, tmp_path) == []


def _with(data: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(data).replace(old, new))
    return changed


def _found(case: Case, folder: Path) -> list[Finding]:
    return [f for run in screen(*lay_out(case, folder / case.id)) for f in run.findings]
