"""What a sentence says, denies and only supposes."""

from __future__ import annotations

import re

import pytest

from benchwright.diagnosis.screen.words import sentences, states, supposes

FAILED = re.compile(r"\bfail(?:s|ed)?\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "sentence",
    [
        "The last fold failed",
        "It was not slow, but it failed",
        "No warning was printed; the fit failed",
        "The fit failed, not the check",
    ],
)
def test_words_without_a_negation_in_their_clause_are_stated(sentence: str) -> None:
    assert states(FAILED, sentence)


@pytest.mark.parametrize(
    "sentence",
    ["No fold failed", "None of the five failed", "The fit didn't fail", "It ran without a fail"],
)
def test_denied_words_are_not_stated(sentence: str) -> None:
    assert FAILED.search(sentence)
    assert not states(FAILED, sentence)


def test_a_sentence_without_the_words_states_nothing() -> None:
    assert not states(FAILED, "All is well")


@pytest.mark.parametrize("sentence", ["It might be wrong", "Whether it holds is open"])
def test_a_sentence_that_weighs_supposes(sentence: str) -> None:
    assert supposes(sentence)
    assert not supposes("It is wrong")


def test_list_items_headings_and_sentences_come_apart() -> None:
    text = "# Result\nIt  runs. It\nended.\n- one\n- two"
    assert list(sentences(text)) == ["# Result", "It runs.", "It ended.", "- one", "- two"]
