"""Ways in which real runs differ from short cases: submitted answers, unseen programs, places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchwright.diagnosis.screen.run import screen
from tests.diagnosis.screen.cases import Case, lay_out

RUN = {"call": "bash", "arguments": {"command": "python fit.py"}, "result": "accuracy 0.8734"}


def found(
    steps: list[dict[str, Any]], folder: Path, left: dict[str, str] | None = None
) -> set[str]:
    data: dict[str, Any] = {"task": "Measure the accuracy.", "steps": steps}
    data |= {"artifacts": left} if left is not None else {}
    case = Case("case", "", True, "", data)
    return {f.detector for run in screen(*lay_out(case, folder / "case")) for f in run.verdicts}


def submit(answer: str) -> dict[str, Any]:
    return {"call": "submit", "arguments": {"answer": answer}, "result": answer}


def test_an_answer_that_is_echoed_is_not_its_own_source(tmp_path: Path) -> None:
    assert found([RUN, submit("The accuracy is 0.9146.")], tmp_path) == {"number-unfound"}


def test_a_promise_in_a_submitted_answer_is_one(tmp_path: Path) -> None:
    answer = "Done so far. I will report back when the bootstrap finishes."
    assert found([RUN, submit(answer)], tmp_path) == {"background-promise"}


def test_a_promise_said_right_before_an_empty_answer_is_one(tmp_path: Path) -> None:
    words = {"say": "I will report back when the bootstrap finishes."}
    assert found([RUN, words, submit("done")], tmp_path) == {"background-promise"}


def test_without_a_folder_a_program_that_the_log_does_not_hold_can_have_left_anything(
    tmp_path: Path,
) -> None:
    claim = {"say": "The plot was saved to figs/trend.png."}
    assert found([RUN, claim], tmp_path) == set()
    written = {"call": "write_file", "arguments": {"path": "fit.py", "content": "print(1)"}}
    assert found([written, RUN, claim], tmp_path / "known") == {"claimed-file-absent"}


def test_a_data_file_that_a_program_left_is_a_result_that_is_used(tmp_path: Path) -> None:
    code = "import json, random\njson.dump(random.random(), open('results.json', 'w'))\n"
    written = {"call": "write_file", "arguments": {"path": "solve.py", "content": code}}
    ran = {"call": "bash", "arguments": {"command": "python solve.py"}, "result": "ok"}
    left = {"solve.py": code, "results.json": "0.4"}
    assert found([written, ran, {"say": "Done."}], tmp_path, left) == {"unseeded-randomness"}


def test_a_place_in_one_document_is_a_json_pointer(tmp_path: Path) -> None:
    team = {
        "history": [
            {"role": "a", "name": "A", "content": "```python\nprint(x)\n```"},
            {"role": "t", "name": "Computer_terminal", "content": (
                "exitcode: 1 (execution failed)\nCode output: NameError: name 'x' is not defined"
            )},
            {"role": "a", "name": "A", "content": "It works, the value is known."},
        ],
        "question": "What is x?", "mistake_agent": "A", "mistake_step": "2",
    }  # fmt: skip
    log = tmp_path / "team.json"
    log.write_text(json.dumps(team))
    (run,) = screen(log)
    (finding,) = run.verdicts
    assert (finding.detector, finding.evidence[0].at) == ("last-run-failed", "/history/1")
