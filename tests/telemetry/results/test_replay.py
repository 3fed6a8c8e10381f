"""`score --verify` on conversations: the same bytes again, or the first difference by its place."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from benchwright.suites.telemetry.diagnosed.told import Told
from tests.cli.commands import benchwright, refused_fully
from tests.telemetry.results.conftest import Ran


@pytest.fixture
def copied(ran: Ran, tmp_path: Path) -> Path:
    shutil.copytree(ran.path, tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def told(ran: Ran) -> Told:
    """A conversation that passed, with a value stated at its first turn."""
    return next(t for t in ran.of("oracle") if t.script.phases[0].gold.fields.get("value"))


def differing(run: Path) -> list[str]:
    said = benchwright("score", run, "--verify", "--json")
    assert said.code == 1, said.err
    found: list[str] = json.loads(said.out)["differing"]
    return found


def test_an_untouched_run_gives_the_same_bytes(ran: Ran) -> None:
    said = benchwright("score", ran.path, "--verify")
    assert said.code == 0 and "0 differ" in said.out


def test_a_changed_reply_is_named_by_file_and_exchange(copied: Path, told: Told) -> None:
    file = copied / "episodes" / told.episode.id / "session.jsonl"
    first = told.found.trace.replies[0].n
    lines = file.read_text().splitlines(keepends=True)
    lines[first + 1] = re.sub(r'("value":)[-0-9.e]+', r"\g<1>777", lines[first + 1])
    file.write_text("".join(lines))
    (found,) = differing(copied)
    assert found.startswith(f"{told.episode.id}: records changed") and "session.jsonl" in found
    assert f"exchange {first})" in found and "value" in found


def test_changed_words_of_the_operator_are_named_by_file_and_exchange(
    copied: Path, told: Told
) -> None:
    file = copied / "episodes" / told.episode.id / "session.jsonl"
    last = told.found.trace.replies[-1].n
    file.write_text(file.read_text().replace(told.script.closing, "Good-bye."))
    (found,) = differing(copied)
    assert "session.jsonl" in found and f"exchange {last}: the operator said what" in found


def test_a_changed_sheet_is_named_with_its_first_check(copied: Path, told: Told) -> None:
    folder = copied / "episodes" / told.episode.id / "scores"
    (sheet,) = folder.iterdir()
    stored = json.loads(sheet.read_text())
    place = next(n for n, c in enumerate(stored["checks"]) if n and c["evidence"])
    check = stored["checks"][place]
    text = sheet.read_text()
    before, own, after = text.partition(f'"name":"{check["name"]}","outcome":"pass"')
    assert own
    sheet.write_text(before + own.replace("pass", "fail") + after)
    (found,) = differing(copied)
    assert f"its sheet is another: {sheet.name}; first {check['name']}" in found
    assert f"exchange {check['evidence'][0]['at']})" in found and "fail, now pass" in found


def test_a_changed_gold_is_refused_by_its_name(ran: Ran, told: Told, tmp_path: Path) -> None:
    shutil.copytree(ran.built.path, tmp_path / "set")
    gold = tmp_path / "set" / "held" / told.episode.task_id / "gold.json"
    gold.write_text(gold.read_text().replace('"tolerance":', '"tolerance": '))
    said = benchwright("score", ran.path, "--verify", "--tasks", tmp_path / "set")
    refused_fully(said, "gold is missing or was changed", told.episode.task_id)
