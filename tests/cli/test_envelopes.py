"""Every verb answers on stdout, with `--json` in exactly one document that names its format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code as run
from benchwright.isolation.bwrap import bwrap_works

SPEC = """\
suite = "tracebench"
systems = ["MassSlide"]
noise = ["low"]
modes = ["direct"]
secret = true
"""

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs one command line with --json; its only document."""

    def asked(*words: object, code: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        assert run([*map(str, words), "--json"]) == code
        text = capsys.readouterr().out
        assert text.count("\n") == 1
        document: dict[str, Any] = json.loads(text)
        assert document["format"] == f"benchwright.{words[0]}/1"
        return document

    return asked


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("spec") / "mine.toml"
    file.write_text(SPEC)
    return file


def test_the_way_from_spec_to_report_in_documents(ask: Ask, spec: Path, tmp_path: Path) -> None:
    if bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")
    tasks, out = tmp_path / "tasks", tmp_path / "run"
    assert len(ask("build", spec, "--out", tasks)["tasks"]) == 1
    assert ask("check", tasks, "--only", "structure,rebuild")["problems"] == []
    ran = ask("run", tasks, "--agent", "constant", "--agent", "noop", "--out", out)
    assert (ran["ran"], ran["owed"]) == (2, 0)
    assert ask("score", out, "--verify")["differing"] == []
    shown = ask("show", out)
    assert len(shown["episodes"]) == 2
    first = shown["episodes"][0]["episode"]
    assert ask("show", out, first)["steps"]
    assert Path(ask("report", out, "--out", tmp_path / "report")["page"]).is_file()


def test_agents_are_listed_with_their_suite(ask: Ask) -> None:
    listed = {agent["name"]: agent for agent in ask("agents", "list")["agents"]}
    assert (listed["react"]["source"], listed["react"]["needs"][0]) == ("model", "--model")
    assert (listed["jumps"]["source"], listed["jumps"]["needs"]) == ("tracebench", [])
    assert listed["oracle"]["privileged"] and listed["never_asks"]["privileged"]
    assert not listed["constant"]["privileged"] and not listed["jumps"]["privileged"]


def test_agents_alone_lists_them_too(
    ask: Ask, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert ask("agents") == ask("agents", "list")
    (tmp_path / "mine.toml").write_text('[agents.careful]\ndoc = "Thinks long"\nmodel = "a/b"\n')
    assert run(["agents", "--agents", str(tmp_path / "mine.toml")]) == 0
    told = capsys.readouterr().out
    assert "Thinks long (a/b)" in told and "oracle*" in told


def test_a_secret_set_keeps_its_seeds_when_it_is_built_again(
    ask: Ask, spec: Path, tmp_path: Path
) -> None:
    first = ask("build", spec, "--out", tmp_path / "one")
    again = ask("build", spec, "--out", tmp_path / "one")
    other = ask("build", spec, "--out", tmp_path / "two")
    assert first["digest"] == again["digest"] != other["digest"]


def test_a_person_gets_lines_and_the_next_command(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    assert run(["build", str(spec), "--out", str(tmp_path / "set")]) == 0
    told = capsys.readouterr()
    assert "next: benchwright check" in told.out and told.err == ""


def test_an_unsound_set_is_exit_code_1(ask: Ask, spec: Path, tmp_path: Path) -> None:
    ask("build", spec, "--out", tmp_path / "set")
    (task,) = (tmp_path / "set" / "tasks").iterdir()
    (task / "instruction.md").write_text("changed")
    found = ask("check", tmp_path / "set", "--only", "structure", code=1)
    assert "differs from the digest" in found["problems"][0]["problem"]
