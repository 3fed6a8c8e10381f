"""Input that cannot be used: one clear line and code 2, never a traceback, nothing half written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchwright.cli import exit_code, main
from tests.cli.commands import START, Said, benchwright, refused, refused_fully, tree

GOOD = 'suite = "tracebench"\nsystems = ["BallDrop"]\nnoise = ["low"]\nmodes = ["direct"]\n'
VALUES = {
    "gravity": 9.8, "drag_coeff": 0.2, "mass": 1.0, "restitution": 0.8, "initial_height": 5.0,
    "initial_velocity": 0.0,
}  # fmt: skip


def own(
    parameter: object = '"gravity"', value: object = 3, time: object = 4, **values: object
) -> str:
    """A spec with one recipe of its own, written out."""
    table = ", ".join(f"{name} = {number}" for name, number in {**VALUES, **values}.items())
    lines = ['system = "BallDrop"', f"values = {{ {table} }}", f"parameter = {parameter}"]
    return "\n".join([GOOD + "[[recipes]]", *lines, f"value = {value}", f"time = {time}", ""])


SPECS = {
    "an unknown key": (GOOD + "colour = 1\n", "colour"),
    "a key that is nearly right": (GOOD + "sampels = 10\n", "samples"),
    "an unknown system": (GOOD.replace("BallDrop", "BalDrop"), "BallDrop"),
    "an unknown noise": (GOOD.replace('"low"', '"lowest"'), "lowest"),
    "a negative noise": (GOOD.replace('"low"', "-1.0"), "-1"),
    "a noise without bound": (GOOD.replace('"low"', "inf"), "inf"),
    "a noise that is no number": (GOOD.replace('"low"', "nan"), "nan"),
    "an unknown mode": (GOOD.replace("direct", "indirect"), "indirect"),
    "an unknown suite": (GOOD.replace("tracebench", "tracebunch"), "tracebunch"),
    "no suite": (GOOD.replace('suite = "tracebench"\n', ""), "suite"),
    "a suite that is no text": (GOOD.replace('"tracebench"', "5", 1), "suite"),
    "no system": (GOOD.replace('["BallDrop"]', "[]"), "systems"),
    "a system twice": (GOOD.replace('["BallDrop"]', '["BallDrop", "BallDrop"]'), "BallDrop"),
    "text for a list": (GOOD.replace('["BallDrop"]', '"BallDrop"'), "systems"),
    "no samples": (GOOD + "samples = 0\n", "samples"),
    "samples that are no number": (GOOD + 'samples = "ten"\n', "samples"),
    "more samples than there are": (GOOD + "samples = 1000\n", "configurations"),
    "a negative held-out": (GOOD.replace("direct", "programmatic") + "heldout = -1\n", "heldout"),
    "a seed that is no number": (GOOD + 'seeds = ["a"]\n', "seeds"),
    "a seed twice": (GOOD + "seeds = [1, 1]\n", "1"),
    "an unknown list of recipes": (GOOD + 'recipes = "my-list"\n', "my-list"),
    "a recipe by an unknown digest": (GOOD + 'recipes = ["000000000000"]\n', "000000000000"),
    "a recipe outside its interval": (own(gravity=9000), "gravity"),
    "a step outside its interval": (own(value=9000), "9000"),
    "a step after the end": (own(time=4000), "4000"),
    "a step before the start": (own(time=-1), "-1"),
    "a step that changes nothing": (own(value=9.8), "gravity"),
    "a step of what cannot step": (own(parameter='"initial_height"'), "initial_height"),
    "a step of an unknown variable": (own(parameter='"gravitas"'), "gravitas"),
    "a recipe with NaN": (own(gravity="nan"), "nan"),
    "a value beside the known ones": (own(colour=1), "colour"),
    "a recipe with text": (own(gravity='"heavy"'), "heavy"),
    "a newer format": ('format = "benchwright.spec/2"\n' + GOOD, "benchwright.spec/2"),
    "no TOML": ("this is not = = TOML", "spec.toml"),
    "nothing": ("", "suite"),
    "bytes that are no text": ("\udcff\udcfe", "spec.toml"),
}


def here(capfd: pytest.CaptureFixture[str], *arguments: object) -> Said:
    """One command line in this process, which saves the start of another one."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert isinstance(stop.value.code, int)
    return Said(stop.value.code, *capfd.readouterr())


@pytest.mark.parametrize(("text", "word"), SPECS.values(), ids=SPECS)
def test_a_spec_that_cannot_be_used_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str, word: str
) -> None:
    (tmp_path / "spec.toml").write_bytes(text.encode(errors="surrogateescape"))
    before = tree(tmp_path)
    said = here(
        capfd, "build", tmp_path / "spec.toml", "--out", tmp_path / "set", "--executor", "serial"
    )
    refused_fully(said, word)
    assert not (tmp_path / "set").exists()
    assert tree(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["spec.toml"]


def test_the_good_spec_is_good(tmp_path: Path) -> None:
    """What the cases above change is all that is wrong with them."""
    (tmp_path / "spec.toml").write_text(GOOD)
    said = benchwright(
        "build", tmp_path / "spec.toml", "--out", tmp_path / "set", "--executor", "serial"
    )
    assert said.code == 0, said
    assert "Traceback" not in said.everything


LINES = {
    "no such spec": (["build", "nowhere.toml", "--out", "set"], "nowhere.toml"),
    "no such shipped spec": (["build", "tracebench/nothing", "--out", "set"], "nothing"),
    "a folder for a spec": (["build", "folder", "--out", "set"], "folder"),
    "an unknown executor": (
        ["build", "tracebench/demo", "--out", "s", "--executor", "many"], "many",
    ),
    "an executor without number": (
        ["build", "tracebench/demo", "--out", "s", "--executor", "processes:0"], "processes:0",
    ),
    "check of nothing": (["check", "nowhere"], "nowhere"),
    "check of a folder": (["check", "folder"], "folder"),
    "run of nothing": (["run", "nowhere", "--agent", "noop", "--out", "run"], "nowhere"),
    "score of nothing": (["score", "nowhere"], "nowhere"),
    "score of a folder": (["score", "folder"], "folder"),
    "show of nothing": (["show", "nowhere"], "nowhere"),
    "report of nothing": (["report", "nowhere", "--out", "page"], "nowhere"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "word"), LINES.values(), ids=LINES)
def test_a_path_that_cannot_be_used_is_one_line(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    word: str,
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    refused_fully(here(capfd, *arguments), word)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert list((tmp_path / "folder").iterdir()) == []


WORDS = {
    "an unknown verb": (["bild"], "bild"),
    "an unknown option": (["build", "tracebench/demo", "--out", "set", "--fast"], "--fast"),
    "a missing argument": (["build"], "spec"),
    "a missing option": (["build", "tracebench/demo"], "--out"),
    "a number that is none": (
        ["run", "t", "--agent", "noop", "--out", "r", "--trials", "x"],
        "--trials",
    ),
}


@pytest.mark.parametrize(("arguments", "word"), WORDS.values(), ids=WORDS)
def test_a_line_that_cannot_be_understood_is_one_line(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    word: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(here(capfd, *arguments), word, "benchwright --help")
    assert list(tmp_path.iterdir()) == []


def test_with_json_a_refusal_leaves_standard_output_empty(tmp_path: Path) -> None:
    said = benchwright("check", "nowhere", "--json", cwd=tmp_path)
    refused_fully(said, "nowhere")
    assert said.out == ""


def test_a_refusal_shows_a_long_value_in_short(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(GOOD.replace("BallDrop", "x" * 100_000))
    said = benchwright("build", "spec.toml", "--out", "set", cwd=tmp_path)
    refused_fully(said)
    assert len(said.err) < 2000


def test_a_refusal_shows_no_control_characters(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(GOOD.replace("BallDrop", "\\u001b[2Jgone\\n\\nx"))
    said = benchwright("build", "spec.toml", "--out", "set", cwd=tmp_path)
    refused_fully(said)
    assert "\x1b" not in said.err


def test_a_set_is_never_written_over_another(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(GOOD)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "precious.txt").write_text("mine")
    said = benchwright("build", "spec.toml", "--out", "set", "--executor", "serial", cwd=tmp_path)
    refused_fully(said, "set")
    assert tree(tmp_path / "set") == {"precious.txt": b"mine"}


def test_a_set_cannot_be_written_where_a_file_stands(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(GOOD)
    (tmp_path / "set").write_text("mine")
    said = benchwright("build", "spec.toml", "--out", "set", "--executor", "serial", cwd=tmp_path)
    refused_fully(said, "set")
    assert (tmp_path / "set").read_text() == "mine"


def test_a_taskset_file_that_is_damaged_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    for content in ("", "not = = toml", 'format = "benchwright.taskset/2"\n', "format = 5\n"):
        (tmp_path / "set" / "taskset.toml").write_text(content)
        refused_fully(benchwright("check", "set", cwd=tmp_path), "taskset.toml")


def test_a_taskset_file_without_its_keys_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "taskset.toml").write_text('format = "benchwright.taskset/1"\n')
    refused_fully(benchwright("check", "set", cwd=tmp_path), "taskset.toml")


def test_an_answer_on_standard_output_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(GOOD)
    said = benchwright(
        "build", "spec.toml", "--out", "set", "--executor", "serial", "--json", cwd=tmp_path
    )
    assert said.code == 0
    assert json.loads(said.out)["format"] == "benchwright.build/1"


@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), (">&- 2>&-", 0)])
def test_streams_that_the_caller_closed_lead_nowhere(closed: str, code: int) -> None:
    line = f'"$0" -c "$1" agents list {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable, START], stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (code, b"")


def test_a_refusal_keeps_its_exit_code_without_stderr() -> None:
    line = '"$0" -c "$1" show nosuchrun 2>&-'
    done = subprocess.run(["sh", "-c", line, sys.executable, START], stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("verb", [["build", "tracebench/small"], ["demo"], ["report", "run"]])
def test_an_output_whose_name_is_no_text_is_refused_before_any_work(
    verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code([*verb, "--out", os.fsdecode(os.fsencode(tmp_path) + b"/out\xff")]) == 2
    said = capsys.readouterr()
    assert "is not UTF-8" in said.err and said.out == ""
    assert list(tmp_path.iterdir()) == []
