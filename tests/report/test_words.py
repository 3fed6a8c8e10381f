"""Labels in words: what is known is replaced, what is not stays, and nothing else changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchwright.report.words import check_in, sentence
from benchwright.scoring.model import Check

LABELS = st.sampled_from(["label_0", "label_1", "label_2", "none of these", ""])
WORDS = {"label_0": "mass", "label_1": "gravity", "label_2": "drag"}
BACK = {word: label for label, word in WORDS.items()}


@given(LABELS, st.none() | LABELS | st.lists(LABELS))
def test_words_and_back_is_the_same_check(expected, got):
    check = Check("s", "fail", expected, got, "why", ())
    assert check_in(check_in(check, WORDS), BACK) == check
    assert check_in(check, {}) == check


def test_a_ranked_answer_keeps_its_order():
    check = Check("s", "fail", "label_0", ["label_1", "x", "label_0"], None, ())
    told = check_in(check, WORDS)
    assert (told.expected, told.got) == ("mass", ["gravity", "x", "mass"])


def test_a_sentence_is_one():
    assert sentence("nothing was left") == "Nothing was left."
    assert sentence("why?") == "Why?"
