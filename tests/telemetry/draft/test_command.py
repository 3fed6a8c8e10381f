"""`benchwright store draft` and `store streams` as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from tests.telemetry.corpora import channel, wide
from tests.telemetry.corpora import written as corpus_file
from tests.telemetry.draft.folders import written

HOURS = "".join(f"2024-01-{d:02d} {h:02d}:00,{d}.5,\n" for d in range(1, 29) for h in range(24))
FILES = {"pump_1.csv": f"time,t,u\n{HOURS}", "notes.csv": "who,what\nanna,checked\n"}


def call(*words: object) -> int:
    return exit_code(["store", *map(str, words)])


def test_draft_build_and_streams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path / "logs", FILES)
    assert call("draft", folder) == 0
    said = capsys.readouterr().out
    assert "1 stream of 1 file in 1 source" in said
    assert "left out: notes.csv: no column of it holds times" in said
    assert call("build", folder / "corpus.toml", "--out", tmp_path / "store") == 0
    capsys.readouterr()
    assert call("streams", tmp_path / "store") == 0
    shown = capsys.readouterr().out
    assert "pump_1.t" in shown and "672" in shown and "left out: nothing" in shown
    assert call("streams", tmp_path / "store", "--json") == 0
    (one,) = json.loads(capsys.readouterr().out)["streams"]
    weeks = sum(one[f"weeks_{name}"] for name in ("answer", "caution", "abstain"))
    assert (one["count"], one["stream"], weeks) == (672, "pump_1.t", 4)


def test_the_document_says_what_the_lines_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path / "logs", FILES)
    assert call("draft", folder, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    text = (folder / "corpus.toml").read_text()
    assert said["checks"] == text.count("# CHECK:")
    assert said["left_out"] == {"notes.csv": "no column of it holds times"}


def test_a_corpus_file_above_the_folder_names_its_files_from_there(tmp_path: Path) -> None:
    written(tmp_path / "logs", FILES)
    assert call("draft", tmp_path / "logs", "--out", tmp_path / "mine.toml") == 0
    assert call("build", tmp_path / "mine.toml", "--out", tmp_path / "store") == 0


def test_the_same_line_again_is_done_and_an_edited_file_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path / "logs", FILES)
    assert [call("draft", folder), call("draft", folder)] == [0, 0]
    corpus = folder / "corpus.toml"
    edited = corpus.read_text().replace("UTC", "Europe/Oslo")
    corpus.write_text(edited)
    assert call("draft", folder) == 2
    assert "perhaps with your corrections" in capsys.readouterr().err
    assert corpus.read_text() == edited


@pytest.mark.parametrize(
    ("files", "out", "words"),
    [
        ({}, None, "no CSV file found"),
        ({"a.txt": "time,t\n"}, None, "no CSV file found"),
        ({"a.csv": "who,what\nanna,5\n"}, None, "no CSV file here holds readings"),
        (
            {"a.csv": "time,t\n2024-01-01,x1\n2024-01-02,y2\n2024-01-03,z3\n"},
            None,
            "no column of num",
        ),
        (FILES, "elsewhere/corpus.toml", "corpus file would not find its data"),
    ],
)
def test_what_cannot_be_drafted_is_one_line(
    files: dict[str, str], out: str | None, words: str,
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    folder = written(tmp_path / "logs", files)
    folder.mkdir(exist_ok=True)
    more = ["--out", tmp_path / out] if out else []
    assert call("draft", folder, *more) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1
    assert not (folder / "corpus.toml").exists()


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("draft", tmp_path / "nothing") == 2
    assert "no such folder" in capsys.readouterr().err


COUNTER = {"name": "Water", "kind": "cumulative", "zero": "dropout"}
PRESSURE = {
    **{"name": "Pressure", "kind": "instant", "range": [0.0, 9.0]},
    **{"sentinels": [-1.0], "frozen_hours": 24.0},
}


def streams(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[list[str]], Any]:
    """What `store streams` says of a counter that is reset twice and a pressure: lines, document.

    The counter's one zero is a drop-out, and no reset.
    """
    count = [n % 300 + 1 if n != 100 else 0 for n in range(24 * 28)]
    rows = [f"{d} {h:02d}:00" for d in DAYS for h in range(24)]
    lines = [f"{at},{c},{c % 7 if c != 200 else 99}" for at, c in zip(rows, count, strict=True)]
    channels = [channel("w", "w", **{"class": "Water"}), channel("p", "p", **{"class": "Pressure"})]
    files = {"x.csv": "\n".join(["time,w,p", *lines]) + "\n"}
    source = wide(channel=channels, regimes=[{"step_s": 3600}])
    corpus_file(folder, files, source, zone="UTC", **{"class": [COUNTER, PRESSURE]})
    assert call("build", folder / "corpus.toml", "--out", folder / "store") == 0
    capsys.readouterr()
    assert call("streams", folder / "store") == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert call("streams", folder / "store", "--json") == 0
    return shown, json.loads(capsys.readouterr().out)["streams"]


DAYS = [f"2024-01-{d:02d}" for d in range(1, 29)]


def test_what_nothing_is_declared_for_is_not_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, (pressure, water) = streams(tmp_path, capsys)
    odd = ("frozen", "dropout", "sentinel", "range", "counter_fell")
    assert [pressure[name] for name in odd] == [0, None, 0, 2, None]
    assert [water[name] for name in odd] == [None, 1, None, None, 2]
    shown = {line[0]: line for line in lines if line and line[0] in "pw"}
    assert shown["p"][-7:-2] == ["0", "-", "0", "2", "-"]
    assert shown["w"][-7:-2] == ["-", "1", "-", "-", "2"]


def test_weeks_are_counted_by_reason_for_every_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, every = streams(tmp_path, capsys)
    for one in every:
        for outcome, reasons in one["weeks"].items():
            assert sum(reasons.values()) == one[f"weeks_{outcome}"]
    assert every[0]["weeks"]["abstain"] == {"spike": 2}


def test_files_that_nobody_listed_are_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path / "logs", {**FILES, "sub/deep.csv": "x\n"})
    assert call("draft", folder) == 0
    (folder / "pump_2.csv").write_text(FILES["pump_1.csv"])
    (folder / "readme.txt").write_text("about pumps")
    capsys.readouterr()
    assert call("build", folder / "corpus.toml", "--out", tmp_path / "store") == 0
    (_, line) = capsys.readouterr().out.splitlines()
    assert line.endswith("2 files beside the listed ones: notes.csv, pump_2.csv")
