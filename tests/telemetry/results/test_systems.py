"""One system has one name, whoever tells of it: the screen, cards, and the plan of a run."""

from __future__ import annotations

import json
from pathlib import Path

from benchwright.diagnosis.cards.key import read_key
from benchwright.diagnosis.labels.file import read_collection
from tests.cli.commands import benchwright
from tests.telemetry.results.conftest import Ran


def test_the_screen_cards_and_a_plan_call_a_system_the_same(ran: Ran, tmp_path: Path) -> None:
    labels, cards = tmp_path / "labels", tmp_path / "round"
    assert benchwright("diagnose", "screen", ran.path, "--labels", labels).code in (0, 1)
    assert benchwright("diagnose", "cards", ran.path, "--out", cards).code == 0
    screened = {one.subject.id: one.subject.system for one in read_collection(labels)}
    carded = {card.subject.id: card.subject.system for card in read_key(cards).cards.values()}
    assert screened == carded
    assert "oracle (given the answers)" in screened.values()
    for planned in (ran.path, cards):
        words = ("diagnose", "tables", labels, "--planned", planned, "--json")
        said = benchwright(*words)
        assert said.code == 0, said.err
        assert json.loads(said.out)["missing"] == []
