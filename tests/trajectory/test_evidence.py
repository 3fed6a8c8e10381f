"""A pointer leads to what stands there, or says why not; a quote is confirmed or it is not."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places, numbers, quoted, resolve

STEP = {
    "step_id": 2,
    "message": "ran it",
    "tool_calls": [{"tool_call_id": "c1", "arguments": {"command": "python fit.py"}}],
    "observation": {"results": [{"source_call_id": "c1", "content": "rmse 0.41834\n"}]},
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "trajectory.json").write_text(json.dumps({"steps": [STEP]}))
    (tmp_path / "log.jsonl").write_bytes(b"one\ntwo\nthree\n")
    folder = tmp_path / "artifacts"
    folder.mkdir()
    (folder / "results.json").write_text('{"s1": ["mass"], "a/b": 3}')
    (folder / "list.json").write_text("[1]")
    (folder / "report.md").write_text("# Report\nThe error is 0.42.\n")
    (folder / "out").symlink_to("/etc/passwd")
    results = {"h1": "mean 21.5"}
    (tmp_path / "session.jsonl").write_text('{"format":"f"}\n{"n":0}\n{"n":1,"text":"hm"}\n')
    files = [tmp_path / name for name in ("trajectory.json", "log.jsonl", "artifacts")]
    return Places(*files, results.get, tmp_path / "session.jsonl")


@pytest.mark.parametrize(
    ("source", "at", "text"),
    [
        ("step", "2 c1", "rmse 0.41834"),
        ("step", "2", "ran it"),
        ("log", "2", "two\n"),
        ("log", "2-3", "two\nthree\n"),
        ("log", "bytes 4-7", "two"),
        ("artifact:report.md", "", "# Report"),
        ("artifact:report.md", "line 2", "The error is 0.42.\n"),
        ("artifact:results.json", "s1", '["mass"]'),
        ("artifact:results.json", "/s1/0", "mass"),
        ("artifact:results.json", "/a~1b", "3"),
        ("result:h1", "", "mean 21.5"),
        ("session", "1", '"text":"hm"'),
    ],
)
def test_a_pointer_leads_to_its_text(source: str, at: str, text: str, places: Places) -> None:
    assert text in (resolve(Evidence(source, at), places).text or "")


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("step", "9"),
        ("step", "2 c9"),
        ("log", "99"),
        ("log", "bytes 90-99"),
        ("log", "somewhere"),
        ("log", "9" * 5000),
        ("log", "9" * 30),
        ("log", f"bytes {'9' * 30}-{'9' * 31}"),
        ("artifact:list.json", f"/{'9' * 5000}"),
        ("artifact:none.txt", ""),
        ("artifact:../log.jsonl", ""),
        ("artifact:/etc/passwd", ""),
        ("artifact:out", ""),
        ("artifact:results.json", "/s1/7"),
        ("result:h2", ""),
        ("session", "2"),
        ("session", ""),
        ("session", "1-2"),
        ("dream", ""),
    ],
)
def test_a_pointer_that_leads_nowhere_says_why(source: str, at: str, places: Places) -> None:
    found = resolve(Evidence(source, at, "x"), places)
    assert (found.text, found.quote) == (None, "absent")
    assert found.why


def test_a_quote_is_confirmed_by_what_stands_there(places: Places) -> None:
    def verdict(source: str, at: str, quote: str | None) -> str:
        return resolve(Evidence(source, at, quote), places).quote

    assert verdict("step", "2 c1", "0.42") == "confirmed"
    assert verdict("step", "2 c1", "0.43") == "absent"
    assert verdict("artifact:report.md", "", "The  error\nis 0.42") == "confirmed"
    assert verdict("log", "1", "two") == "absent"
    assert verdict("log", "1", None) == "not quoted"
    assert verdict("log", "1", " \n") == "absent"


@pytest.mark.parametrize("calls", [None, 5, "c1", ["c1", None], {"tool_call_id": "c1"}])
def test_a_step_of_any_shape_is_followed(calls: object, tmp_path: Path) -> None:
    step = {"step_id": 1, "message": "said", "tool_calls": calls, "observation": {"results": calls}}
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps({"steps": [step]}))
    assert resolve(Evidence("step", "1", None), Places(path)).text == "said"
    assert resolve(Evidence("step", "1 c2", None), Places(path)).text is None


@given(st.decimals(-1000, 1000, places=4), st.integers(0, 4))
def test_a_number_is_confirmed_by_every_rounding_of_it(value: Decimal, places: int) -> None:
    assert quoted(str(round(value, places)), f"x={value} y")


@given(st.decimals(-100, 100, places=3))
def test_a_number_is_not_confirmed_by_one_that_rounds_elsewhere(value: Decimal) -> None:
    assert not quoted(str(value), f"{value + Decimal('0.001')}")


def test_numbers_are_found_with_signs_exponents_and_grouping() -> None:
    assert list(numbers("a1.5e3, -2, 1,000 .5 ..")) == [
        Decimal("1.5e3"),
        Decimal(-2),
        Decimal(1000),
        Decimal("0.5"),
    ]
