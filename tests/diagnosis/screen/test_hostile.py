"""Logs that nobody's agent wrote: the screen answers, and says what it could not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from benchwright.diagnosis.screen.run import MOST, Screened, screen
from tests.diagnosis.screen.cases import Case, lay_out

BIG = 200_000


def shell(command: str, result: str = "ok") -> dict[str, Any]:
    return {"call": "bash", "arguments": {"command": command}, "result": result}


def answer(folder: Path, *steps: dict[str, Any], left: dict[str, str] | None = None) -> Screened:
    data: dict[str, Any] = {"task": "Do it.", "steps": list(steps)}
    data |= {"artifacts": left} if left is not None else {}
    (run,) = screen(*lay_out(Case("case", "", True, "", data), folder / "case"))
    return run


ENDLESS = {
    "blank lines": lambda: ({"say": "Done." + "\n" * BIG + "x"}, None),
    "one word": lambda: ({"say": "once " * (BIG // 5)}, None),
    "an identifier": lambda: ({"say": "See " + "10.1000/a(" * (BIG // 10)}, None),
    "a path": lambda: ({"say": "Saved " + "a/" * (BIG // 2) + "x.csv"}, None),
    "signs of a heading": lambda: ({"say": "Done."}, {"report.md": "#" * BIG}),
    "numbers": lambda: ({"say": "Done."}, {"report.md": "1.2345 " * (BIG // 7)}),
    "fences": lambda: ({"say": "Done."}, {"report.md": "```\n" * (BIG // 4)}),
    "braces": lambda: ({"say": "Wrote x.py."}, {"x.py": "{" * BIG}),
    "a loop": lambda: (shell("for a in " * (BIG // 9)), None),
    "a reader": lambda: (shell("awk " * (BIG // 4)), None),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_text_is_answered(name: str, tmp_path: Path) -> None:
    step, left = ENDLESS[name]()
    run = answer(tmp_path, shell("ls"), step, left=left)
    assert run.dropped == ()


@pytest.mark.parametrize("command", ["> out.log", "2>/dev/null", "python a.py; > out.log", "<<EOF"])
def test_a_command_without_words_is_read(command: str, tmp_path: Path) -> None:
    answer(tmp_path, shell(command), {"say": "Done."})


def test_a_detector_stops_at_its_most(tmp_path: Path) -> None:
    claims = "".join(f"Saved a{n}.csv.\n\n" for n in range(300))
    assert len(answer(tmp_path, shell("ls"), {"say": claims}).verdicts) == MOST


def test_a_log_that_breaks_off_is_read_as_far_as_it_goes_and_said_to(tmp_path: Path) -> None:
    case = Case("case", "", True, "", {"task": "Do it.", "steps": [shell("ls"), {"say": "Done."}]})
    trajectory, _ = lay_out(case, tmp_path / "case")
    trajectory.write_bytes(trajectory.read_bytes()[:-8])
    (run,) = screen(trajectory)
    assert run.notes == ("the log breaks off",)


def test_numbers_of_steps_that_stand_twice_lose_no_finding(tmp_path: Path) -> None:
    case = Case("case", "", True, "", {
        "task": "Do it.", "steps": [shell("ls"), {"say": "Saved a.csv."}],
    })  # fmt: skip
    trajectory, _ = lay_out(case, tmp_path / "case")
    document = json.loads(trajectory.read_text())
    for step in document["steps"]:
        step["step_id"] = 1
    trajectory.write_text(json.dumps(document))
    (run,) = screen(trajectory)
    (finding,) = run.verdicts
    assert finding.evidence[0].at == "/steps/2" and run.dropped == ()


def test_a_file_over_the_limit_is_named(tmp_path: Path) -> None:
    run = answer(tmp_path, shell("ls"), {"say": "Done."}, left={"report.md": "x\n" * 3_000_000})
    assert run.notes == ("report.md: 6,000,000 bytes, not read",)


def test_a_log_that_is_named_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = Case("case", "", True, "", {"task": "Do it.", "steps": [{"say": "Done."}]})
    trajectory, _ = lay_out(case, tmp_path / "case")
    assert exit_code(["diagnose", "screen", str(trajectory), str(trajectory)]) == 2
    assert "named twice" in capsys.readouterr().err


def test_artifacts_belong_to_one_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["diagnose", "screen", "a.json", "b.json", "--artifacts", str(tmp_path)]
    assert exit_code(words) == 2
    assert "artifacts are of one log" in capsys.readouterr().err
