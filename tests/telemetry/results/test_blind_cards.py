"""Blind cards of conversations: what was said stands there, how it was judged does not."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from benchwright.diagnosis.cards.key import Key, read_key
from benchwright.diagnosis.labels.file import read_collection
from benchwright.episodes.session import Ended, Opened, read_session_in
from tests.telemetry.results.conftest import Ran


@pytest.fixture(scope="module")
def cards(ran: Ran, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cards") / "round"
    words = ["diagnose", "cards", ran.path, "--out", out, "--sample", 5, "--raters", "Ada,Bo"]
    assert exit_code(list(map(str, words))) == 0
    return out


@pytest.fixture(scope="module")
def key(cards: Path) -> Key:
    return read_key(cards)


def shown(cards: Path, number: str) -> str:
    page = (cards / "handout" / "Ada" / f"card-{number}.html").read_text("utf-8")
    return html.unescape(page)


def test_what_the_operator_said_stands_on_the_card(ran: Ran, cards: Path, key: Key) -> None:
    for number, keyed in key.cards.items():
        exchanges = read_session_in(ran.path / "episodes" / keyed.subject.id)
        turns = [e.turn.text for e in exchanges if not isinstance(e, Ended) and hasattr(e, "turn")]
        assert isinstance(exchanges[0], Opened) and turns
        page = " ".join(shown(cards, number).split())
        assert [text for text in turns if " ".join(text.split()) not in page] == []


def test_no_agent_obligation_or_scorer_is_named(ran: Ran, cards: Path, key: Key) -> None:
    texts = {p: p.read_bytes() for p in (cards / "handout").rglob("*") if p.is_file()}
    agents = {planned.agent.name for planned in ran.view.folder.plan}
    words = {*agents, ran.view.scoring.name, *(k.subject.id for k in key.cards.values())}
    sheets = [ran.view.sheet(planned) for planned in ran.view.folder.plan]
    words |= {check.reason for s in sheets if s for check in s.checks if check.reason}
    assert len(words) > 10
    assert [(w, p.name) for w in words for p, text in texts.items() if w.encode() in text] == []


def test_the_tool_that_the_task_speaks_of_has_its_own_name_on_every_card(
    cards: Path, key: Key
) -> None:
    tools = {
        tool
        for number in key.cards
        for tool in re.findall(r'<div class="tool">([^<]*)</div>', shown(cards, number))
    }
    assert "reply" in tools and "submit" not in tools


def test_a_filled_sheet_is_read_back_with_the_exchanges_it_points_to(
    cards: Path, key: Key, capsys: pytest.CaptureFixture[str]
) -> None:
    for rater in key.order:
        file = cards / "handout" / rater / "sheet.csv"
        rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))
        for row in rows:
            row |= {"run verdict": "valid", "accepted": "no", "pattern": "D.4"}
            row |= {"evidence": "step 2; session 1"}
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        file.write_bytes(text.getvalue().encode())
    capsys.readouterr()
    assert exit_code(["diagnose", "cards", "--read", str(cards), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["files"], told["unchecked"], told["blank"]) == (10, 0, {})
    assert {x.subject.suite for x in read_collection(cards / "labels")} == {"telemetry"}
    assert {pair["units"] for pair in told["agreement"]["scorer"]} == {5}
