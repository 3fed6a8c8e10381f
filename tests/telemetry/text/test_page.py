"""The rules are what docs/text-channel.md says: each of its examples is read as it says."""

from __future__ import annotations

import pytest

from benchwright.suites.telemetry.text.read import read
from tests.telemetry.text.page import KINDS, Example, examples

EVERY = list(examples())


@pytest.mark.parametrize("example", EVERY, ids=lambda e: e.text)
def test_an_example_is_read_as_the_page_says(example: Example) -> None:
    found = read(example.text)
    assert dict(found.said) == example.said
    assert found.asks == example.asks
    assert {name: found.unread[name].why for name in example.unread} == example.unread
    if example.nothing or example.kind == "accepted":
        strays = {n: u.why for n, u in found.unread.items() if u.why != "unbound"}
        assert strays == {}
    if example.nothing:
        assert found.empty


def test_every_rule_has_all_kinds_of_examples() -> None:
    kinds: dict[str, set[str]] = {}
    for example in EVERY:
        kinds.setdefault(example.section, set()).add(example.kind)
    assert len(EVERY) > 60
    assert [s for s, k in kinds.items() if k != set(KINDS) and s != "Questions"] == []


def test_what_cannot_be_read_is_shown_with_its_sentences() -> None:
    found = read("The stream is `a.1`. The coverage is 0.98. Then again, coverage: 0.97.")
    shown = found.unread["coverage"].sentences
    assert shown == ("The coverage is 0.98.", "Then again, coverage: 0.97.")


def test_lists_and_labelled_lines_are_sentences_of_their_own() -> None:
    text = "**Coverage:** 0.9985\n**Decision:** answer\nStream: `a.1`\n\nRanking (highest first):\n"
    found = read(f"{text}1. `a.1`\n2. `b.1`\n- `c.1`\n> The margin is 3.\nThe\nmargin is 0.4.")
    assert found.said == {
        "coverage": 0.9985,
        "decision": "answer",
        "stream": "a.1",
        "ranked": ["a.1", "b.1", "c.1"],
        "margin": 0.4,
    }
    assert {name for name, why in found.unread.items() if why.why != "unbound"} == set()
