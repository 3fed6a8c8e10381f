"""`diagnose check` as a person meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import benchwright, refused
from tests.diagnosis.written import Folder, document, episode


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "episode").mkdir()
    return episode(tmp_path / "episode")


def test_a_good_document_passes_with_code_0_and_says_what_was_not_followed(
    folder: Folder, tmp_path: Path
) -> None:
    file = tmp_path / "analysis.md"
    file.write_text(document(folder))
    said = benchwright("diagnose", "check", file, "--episode", folder.root)
    assert (said.code, said.err) == (0, "")
    assert "passes (full profile" in said.out and "not followed" not in said.out
    alone = benchwright("diagnose", "check", file)
    assert alone.code == 0 and "not followed: 140 of 140 pointers" in alone.out


def test_of_two_documents_the_one_that_fails_is_told_by_gate_and_the_code_is_1(
    folder: Folder, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(document(folder))
    bad.write_text(document(folder).replace("[stage: C", "[stage: Z\x1b", 1))
    said = benchwright("diagnose", "check", good, bad, "--episode", folder.root)
    assert said.code == 1
    assert "FAIL labels: issue without its one trailer (C, line" in said.out
    assert f"{good}: passes" in said.out and f"{bad}: does not pass: 1 failure" in said.out


def test_json_is_one_document_with_gate_place_and_figures(folder: Folder, tmp_path: Path) -> None:
    file = tmp_path / "analysis.md"
    file.write_text(document(folder)[:9000])
    said = benchwright("diagnose", "check", file, "--json", "--reason", "timeout")
    told = json.loads(said.out)
    assert said.code == 1 and told["format"] == "benchwright.diagnose.check/1"
    (only,) = told["documents"]
    assert only["file"] == str(file) and only["verdict"]["profile"] == "thin"
    assert {"gate", "problem", "where", "got", "need"} == set(only["verdict"]["failures"][0])


@pytest.mark.parametrize("more", [(), ("--reason", "timeout")])
def test_the_skeleton_once_filled_has_every_heading_issue_claim_and_trailer(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    blank, file = benchwright("diagnose", "check", "--skeleton", *more).out, tmp_path / "a.md"

    def failing(text: str) -> list[tuple[str, str]]:
        file.write_text(text)
        told = json.loads(benchwright("diagnose", "check", file, *more, "--json").out)
        failures = told["documents"][0]["verdict"]["failures"]
        return [(one["gate"], one["problem"]) for one in failures]

    unfilled = failing(blank)
    assert ("sections", "section is too short") in unfilled
    assert ("sections", "section is missing") not in unfilled
    chosen = re.sub(r"<(?=[a-z])(\w+)[\w|]*>", r"\1", blank)
    filled = re.sub(r"<[A-Z ,?]+>", lambda m: f"word{m.start()} " * 110, chosen)
    assert {gate for gate, _ in failing(filled)} <= {"density"}
    assert {gate for gate, _ in failing(filled.replace("## Metadata", "## Data"))} >= {"sections"}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["{file}", "--skeleton"],
        ["{file}.gone"],
        ["{file}", "--episode", "{file}"],
        ["{file}", "--log", "{file}.gone"],
        ["{file}", "--artifacts", "{file}"],
        ["{raw}"],
        ["{file}", "--trajectory", "{file}"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_used_is_refused(folder: Folder, tmp_path: Path, words: list[str]) -> None:
    file, raw = tmp_path / "analysis.md", tmp_path / "raw.md"
    file.write_text(document(folder))
    raw.write_bytes(b"# \xff\xfe")
    refused(benchwright("diagnose", "check", *(w.format(file=file, raw=raw) for w in words)))
