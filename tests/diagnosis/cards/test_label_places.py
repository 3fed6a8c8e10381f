"""Reading a round replaces what a reading wrote, and neither harms nor reaches anything else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.diagnosis.labels.file import name_for
from benchwright.storage import read_json, write_json
from tests.cli.commands import refused_fully, tree
from tests.diagnosis.cards.rounds import fill, key_of
from tests.diagnosis.cards.test_filled_sheets import VALID, read, said

OTHERS = {
    "a note": "mine.txt",
    "a note of a rater": "Ada/mine.txt",
    "labels of a rater who is none of this round": "judge/{own}",
    "labels beside the folders of raters": "{own}",
    "labels of another subject": "Ada/{other}",
    "a rater's name as a file": "Bo",
    "a folder in place of a file": "Ada/{own}/mine.txt",
    "a hidden file": ".notes",
}


@pytest.mark.parametrize("which", OTHERS)
def test_what_a_reading_did_not_write_is_named_and_nothing_is_written(
    which: str, round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, other = name_for(key_of(round_)["1"], "Ada"), name_for("another", "Ada")
    file = round_ / "labels" / OTHERS[which].format(own=own, other=other)
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    fill(round_, "Ada", {2: [VALID]})
    before = tree(round_)
    refused_fully(said(capsys, "--read", round_), "not a label file of this round", "Move it")
    assert tree(round_) == before


def test_an_empty_folder_of_somebody_else_is_kept(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (round_ / "labels" / "mine").mkdir(parents=True)
    refused_fully(said(capsys, "--read", round_), "'mine'")
    assert (round_ / "labels" / "mine").is_dir()


@pytest.mark.parametrize("inside", [False, True])
def test_a_link_in_place_of_labels_is_refused_and_stays(
    inside: bool, round_: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "keep.txt").write_text("mine")
    link = round_ / "labels" / "Ada" if inside else round_ / "labels"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(away)
    fill(round_, "Ada", {2: [VALID]})
    refused_fully(said(capsys, "--read", round_), "Move it")
    assert link.is_symlink() and tree(away) == {"keep.txt": b"mine"}


def test_a_rater_who_takes_all_back_leaves_no_file_of_an_earlier_reading(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(round_, "Ada", {1: [VALID]})
    fill(round_, "Bo", {1: [VALID]})
    read(round_, capsys)
    fill(round_, "Ada", {})
    read(round_, capsys)
    assert list(tree(round_ / "labels")) == [f"Bo/{name_for(key_of(round_)['1'], 'Bo')}"]


def _rater(name: str) -> Callable[[Any], None]:
    return lambda key: key["order"].update({name: key["order"]["Ada"]})


DAMAGE: dict[str, tuple[Callable[[Any], None], str]] = {
    "card by a word": (lambda key: key["cards"].update(abc=key["cards"].pop("1")), "'abc'"),
    "card 01": (lambda key: key["cards"].update({"01": key["cards"].pop("1")}), "'01'"),
    "no cards": (lambda key: key["cards"].clear(), "key.json: cards"),
    "no raters": (lambda key: key["order"].clear(), "key.json: order"),
    "rater above": (_rater("../x"), "'../x'"),
    "rater at a path": (_rater("/tmp/x"), "'/tmp/x'"),
    "rater without a name": (_rater(""), "key.json: order"),
    "a subject twice": (
        lambda key: key["cards"]["2"].update(subject=key["cards"]["1"]["subject"]),
        "subject stands twice",
    ),
}


@pytest.mark.parametrize("which", DAMAGE)
def test_a_damaged_key_is_one_line_and_nothing_is_written(
    which: str, round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage, words = DAMAGE[which]
    fill(round_, "Ada", {2: [VALID]})
    key = read_json(round_ / "key.json")
    damage(key)
    write_json(round_ / "key.json", key)
    before = tree(round_.parent)
    refused_fully(said(capsys, "--read", round_), "key.json", words)
    assert tree(round_.parent) == before
