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


def test_a_table_of_two_columns_is_names_with_values_and_no_other_table_is_read() -> None:
    table = "| Field | Value |\n|---|---|\n| coverage | 0.98 |\n| gap_ratio | 2 |"
    told = "| action | answer |\n"
    told += "| offset_s | -315 s |\n| observed | 2023-10-31T22:30:00Z |\n| stream | `a.1` |"
    found = read(f"{table}\n{told}")
    assert found.said == {
        **{"coverage": 0.98, "gap_ratio": 2.0, "action": "answer", "offset_s": -315.0},
        **{"observed": "2023-10-31T22:30:00Z", "stream": "a.1"},
    }
    wide = read("| coverage | 0.98 | 0.5 |")
    assert (dict(wide.said), wide.unread["coverage"].why) == ({}, "unreadable")


def test_what_is_written_as_data_does_not_vanish() -> None:
    found = read('{"coverage": 0.98, "decision": "caution"}')
    assert found.said == {}
    assert {found.unread[name].why for name in ("coverage", "decision")} == {"unreadable"}


def test_a_handle_that_cannot_be_read_leaves_a_message_without_a_statement() -> None:
    found = read("I withdraw r0123456789ab.")
    assert found.unread["handles"].why == "unreadable"
    assert found.empty
