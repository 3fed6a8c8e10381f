"""Filled sheets become label files, or one line that names sheet, row, column and value."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from benchwright.diagnosis.cards.sheet import COLUMNS
from benchwright.diagnosis.labels.file import read_collection
from benchwright.episodes.folder import RunFolder
from benchwright.storage import read_json, write_json
from benchwright.trajectory.evidence import Evidence
from tests.cli.commands import Said, refused_fully, tree
from tests.diagnosis.cards.rounds import fill, key_of

HEAD = b"card,run verdict,accepted,pattern,degree,evidence,note"
VALID = {"run verdict": "valid"}
INVALID = {"run verdict": "invalid"}


def found(pattern: str, **more: str) -> Mapping[str, str]:
    return {"pattern": pattern, "evidence": "step 3", **more}


def read(round_: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    capsys.readouterr()
    assert exit_code(["diagnose", "cards", "--read", str(round_), "--json", *more]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["format"] == "benchwright.diagnose.cards/1"
    return document


def said(capsys: pytest.CaptureFixture[str], *words: object) -> Said:
    """What one line of `diagnose cards` says."""
    capsys.readouterr()
    code = exit_code(["diagnose", "cards", *map(str, words)])
    told = capsys.readouterr()
    return Said(code, told.out, told.err)


def test_what_a_person_writes_is_what_the_label_file_says(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(round_, "Ada", {
        1: [
            {"run verdict": "Invalid", "accepted": "no", "note": "it saw the answers"},
            found("c.2", evidence="step 3; results.json:1, steps 3-4", note="reads them"),
            found("D.4 Method-Conclusion Disconnect", degree="Partial"),
        ],
        2: [{"card": "card-02", "run verdict": "No_Delivery"}],
    })  # fmt: skip
    told = read(round_, capsys)
    assert (told["files"], told["blank"], told["unchecked"]) == (2, {"Ada": 10, "Bo": 12}, 0)
    own = {labels.subject.id: labels for labels in read_collection(round_ / "labels")}
    first, second = (own[key_of(round_)[n]] for n in ("1", "2"))
    assert (first.rater, first.rater_kind, first.taxonomy) == ("Ada", "human", "arft-45")
    assert (first.verdict, first.verdict_why) == ("invalid", "it saw the answers")
    assert (first.accepted, second.accepted, second.verdict) == (False, None, "no_delivery")
    assert [(x.pattern, x.degree, x.why) for x in first.labels] == [
        ("C.2", "hit", "reads them"), ("D.4", "partial", ""),
    ]  # fmt: skip
    assert first.labels[0].evidence == (
        Evidence("step", "3"), Evidence("artifact:results.json", "1"), Evidence("step", "4"),
    )  # fmt: skip
    assert first.subject.suite == "tracebench" and first.subject.kind == "direct"


def test_a_file_whose_name_was_masked_is_found_under_the_name_on_the_card(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(round_, "Bo", {5: [{**VALID, **found("C.2", evidence=".[masked]/[masked].md:1")}]})
    read(round_, capsys)
    (only,) = read_collection(round_ / "labels")
    assert only.labels[0].evidence == (Evidence("artifact:.claude/zorbax-runner.md", "1"),)


def test_reading_again_replaces_all_label_files(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(round_, "Ada", {1: [VALID], 2: [VALID]})
    read(round_, capsys)
    fill(round_, "Ada", {1: [INVALID]})
    read(round_, capsys)
    (only,) = read_collection(round_ / "labels")
    assert (only.subject.id, only.verdict) == (key_of(round_)["1"], "invalid")
    assert sorted(p.name for p in round_.iterdir()) == [
        "handout", "key.json", "labels", "sample.json",
    ]  # fmt: skip


BAD: dict[str, tuple[list[Mapping[str, str]], list[str]]] = {
    "no verdict": ([found("C.2")], ["run verdict is missing", "run verdict"]),
    "another verdict": ([{"run verdict": "good"}], ["'good'", "column run verdict", "valid, inv"]),
    "two verdicts": ([VALID, {**INVALID, **found("C.2")}], ["says otherwise", "'invalid'"]),
    "maybe accepted": ([{**VALID, "accepted": "maybe"}], ["'maybe'", "column accepted"]),
    "no such pattern": (
        [VALID, found("C.9")],
        ["'C.9'", "column pattern", "C.1, C.2, C.3, C.4, C.5, C.6, C.7, C.8."],
    ),
    "a colon as pattern": ([VALID, found(":")], ["no such pattern: ':'", "column pattern"]),
    "an old id": ([VALID, found("C2")], ["'C2'", "column pattern"]),
    "two in a cell": ([VALID, found("C.2,D.4")], ["'C.2,D.4'", "column pattern"]),
    "twice": ([{**VALID, **found("C.2")}, found("C.2")], ["already", "column pattern"]),
    "no such degree": ([VALID, found("C.2", degree="much")], ["'much'", "column degree"]),
    "degree alone": ([{**VALID, "degree": "hit"}], ["degree without", "column degree"]),
    "no evidence": ([VALID, found("C.2", evidence=" ")], ["without evidence", "column evidence"]),
    "no place": ([VALID, found("C.2", evidence="step 3; somewhere")], ["somewhere", "steps 3-5"]),
    "no such step": ([VALID, found("C.2", evidence="step 99")], ["no step 99", "'step 99'"]),
    "no such file": (
        [VALID, found("C.2", evidence="gone.py:3")],
        ["leads nowhere, no such file", "'gone.py:3'"],
    ),
    "no such line": (
        [VALID, found("C.2", evidence="results.json:99")],
        ["results.json has no line 99"],
    ),
    "no such exchange": ([VALID, found("C.2", evidence="session 1")], ["no record of a conv"]),
    "backward": ([VALID, found("C.2", evidence="steps 4-3")], ["not a place: 'steps 4-3'"]),
    "no such card": ([{**VALID, "card": "13"}], ["'13'", "column card", "1 to 12"]),
    "card by name": ([{**VALID, "card": "one"}], ["'one'", "column card"]),
}


@pytest.mark.parametrize("name", BAD)
def test_a_cell_that_cannot_be_used_is_one_line_and_nothing_is_written(
    name: str, round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, words = BAD[name]
    fill(round_, "Ada", {2: [VALID]})
    fill(round_, "Bo", {7: rows})
    before = tree(round_)
    refused_fully(said(capsys, "--read", round_), "Bo/sheet.csv, row ", *words)
    assert tree(round_) == before


def test_every_mistake_of_every_sheet_is_one_line_in_order_of_rows(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rater, other in (("Ada", "good"), ("Bo", "bad")):
        sheet = round_ / "handout" / rater / "sheet.csv"
        sheet.write_text(
            ";".join(COLUMNS) + "\n"
            f"9;{other};maybe;;;;\n"
            "13;valid;;;;;\n"
            "2;valid;;C.9;much;step 99, page 5, nowhere;\n"
            "1;valid;;C.2;;step 3; step 4;\n"
            "1;;;D.4;;step 3;so\n"
            "9;valid;;;;;\n"
            "9;invalid;;;;;\n"
        )
    before = tree(round_)
    told = said(capsys, "--read", round_)
    assert (told.code, told.out) == (2, "") and tree(round_) == before
    lines = told.err.splitlines()
    places = [
        re.findall(r"(\w+)/sheet.csv, row (\d+), (?:beyond )?column ([a-z ]+)", x)[0] for x in lines
    ]
    own = [
        ("2", "run verdict"), ("2", "accepted"), ("3", "card"), ("4", "pattern"), ("4", "degree"),
        ("4", "evidence"), ("4", "evidence"), ("4", "evidence"), ("5", "note"),
        ("8", "run verdict"),
    ]  # fmt: skip
    assert places == [(rater, *place) for rater in ("Ada", "Bo") for place in own]
    assert "8 cells for 7 columns: '' (" in lines[8] and "holds a semicolon." in lines[8]
    assert sum("not a place: 'page 5' (" in line for line in lines) == 2


def test_a_faulty_sheet_leaves_the_labels_of_an_earlier_reading(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(round_, "Ada", {1: [VALID]})
    read(round_, capsys)
    fill(round_, "Ada", {1: [{"run verdict": "good"}]})
    before = tree(round_)
    assert exit_code(["diagnose", "cards", "--read", str(round_)]) == 2
    assert tree(round_) == before


def test_the_row_that_is_named_is_the_one_that_the_spreadsheet_shows(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "card,run verdict,accepted,pattern,degree,evidence,note"
    lines = [head, '1,valid,,,,,"a note\nof three\nlines"', "", "2,bad,,,,,", ",,,,,,"]
    sheet = round_ / "handout" / "Ada" / "sheet.csv"
    sheet.write_text("\r\n".join(lines), encoding="utf-8")
    refused_fully(said(capsys, "--read", round_), "row 4, column run verdict")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["row 1"]),
        (b"card,run verdict\n", ["accepted", "row 1"]),
        (HEAD + b",notes\n", ["notes", "note?"]),
        (HEAD + b"\n1,valid,,,,,a,b\n", ["'b'"]),
        (HEAD + b"\n1,valid,,,,,\xe4", ["CSV UTF-8"]),
        (HEAD + b'\n1,"valid,,,,,\n', ["not CSV"]),
    ],
)  # fmt: skip
def test_a_sheet_that_is_none_is_refused(
    data: bytes, words: list[str], round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (round_ / "handout" / "Ada" / "sheet.csv").write_bytes(data)
    refused_fully(said(capsys, "--read", round_), "Ada/sheet.csv", *words)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig"])
def test_sheets_of_any_spreadsheet_are_read(
    separator: str, mark: str, round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = ["Card", "Run Verdict ", "accepted", "pattern", "degree", "evidence", "note", "", ""]
    lines = [head, ["1.0", "valid", "", "C.2", "", "step 3", "so", "", ""], ["2"], []]
    text = "\r\n".join(separator.join(line) for line in lines)
    (round_ / "handout" / "Ada" / "sheet.csv").write_bytes(text.encode(mark))
    assert read(round_, capsys)["files"] == 1


def test_sheets_are_read_where_the_run_is_gone_and_that_is_said(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = read_json(round_ / "key.json")
    for card in key["cards"].values():
        card["run"] = str(round_ / "gone")
    write_json(round_ / "key.json", key)
    fill(round_, "Ada", {1: [VALID, found("C.2", evidence="step 99")]})
    told = read(round_, capsys)
    assert told["unchecked"] == 1 and "gone" in told["runs_gone"][0]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["{run}"],
        ["--out", "{out}"],
        ["{run}", "--read", "{round}"],
        ["--read", "{run}"],
        ["{run}", "--out", "{out}", "--pool", "arft"],
        ["{run}", "--out", "{round}"],
        ["{run}", "--out", "{out}", "--raters", "A,a"],
        ["{run}", "--out", "{out}", "--raters", "A,../B"],
        ["{run}", "--out", "{out}", "--sample", "0"],
        ["{run}", "{run}", "--out", "{out}"],
    ],
    ids=" ".join,
)
def test_a_line_that_cannot_be_used_writes_nothing(
    words: list[str],
    round_: Path,
    card_run: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, out = tree(round_), tmp_path / "out"
    stated = [word.format(run=card_run.path, out=out, round=round_) for word in words]
    refused_fully(said(capsys, *stated))
    assert tree(round_) == before and not out.exists()


def test_an_episode_that_is_owed_is_no_card_and_is_counted(
    card_run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = RunFolder(shutil.copytree(card_run.path, tmp_path / "run"))
    shutil.rmtree(moved.folder(moved.plan[0].id))
    told = said(capsys, moved.path, "--out", tmp_path / "round")
    assert told.code == 0 and told.out.startswith("11 cards for 2 raters\n")
    assert "1 episode owed: not closed" in told.out
    assert moved.plan[0].id not in key_of(tmp_path / "round").values()
