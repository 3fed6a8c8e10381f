"""Repeats and copies: what changes a share and what must not."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.diagnosis.documents.similar import (
    copied_share,
    plain,
    repeated_share,
    similarity,
)
from tests.diagnosis.written import prose

texts = st.builds(
    lambda seed, n: prose(random.Random(seed), n), st.integers(0, 99), st.integers(0, 500)
)


@pytest.mark.parametrize("gap", range(0, 60, 7))
def test_one_paragraph_again_and_again_is_nearly_all_repeats_whatever_lies_between(
    gap: int,
) -> None:
    draw = random.Random(gap)
    paragraph = prose(draw, 400)
    text = " ".join(f"{paragraph} {prose(draw, gap)}" for _ in range(20))
    inside, period = len(paragraph) - 59, len(paragraph) + gap + 12
    assert repeated_share(text) > 0.94 * inside / period
    assert repeated_share(" ".join([paragraph] * 40)) > 0.97


def test_text_that_never_repeats_has_hardly_any() -> None:
    assert repeated_share(prose(random.Random(1), 20_000)) < 0.001


def test_other_numbers_do_not_make_a_phrase_another() -> None:
    phrase = "the share rose from {} to {} and no reason for that is given in the report at all; "
    text = "".join(phrase.format(n / 7, n * 31) for n in range(30))
    assert repeated_share(text) > 0.9


@settings(max_examples=40)
@given(texts, texts)
def test_likeness_is_symmetric_and_of_equal_texts_one(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, one) == (1.0 if len(plain(one)) >= 60 else 0.0)


def test_likeness_grows_with_what_is_shared() -> None:
    draw = random.Random(2)
    own, shared, rest = prose(draw, 600), prose(draw, 600), prose(draw, 600)
    shares = [similarity(own + shared[:n], rest + shared[:n]) for n in range(0, 600, 50)]
    assert shares == sorted(shares) and shares[0] < shares[-1]


@settings(max_examples=30)
@given(texts, st.integers(2, 6))
def test_one_more_repeat_never_lowers_the_share(text: str, times: int) -> None:
    assert repeated_share(f"{text} " * (times + 1)) >= repeated_share(f"{text} " * times)


def test_the_order_of_paragraphs_changes_a_share_only_where_they_meet() -> None:
    draw = random.Random(4)
    parts = [prose(draw, 500) for _ in range(4)]
    parts.append(parts[0])
    shares = {repeated_share(" ".join(order)) for order in itertools.permutations(parts)}
    assert max(shares) - min(shares) < 60 * 5 / 2500


@settings(max_examples=30)
@given(texts, st.lists(texts, max_size=3), texts)
def test_copies_grow_with_sources_whatever_their_order(
    text: str, sources: list[str], more: str
) -> None:
    share = copied_share(text, sources)
    assert 0 <= share <= copied_share(text, [*sources, more]) <= 1
    assert share == copied_share(text, reversed(sources))
    assert copied_share(text, [text]) == (1.0 if len(plain(text)) >= 120 else 0.0)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_copy_is_seen_through_the_escapes_of_json(depth: int) -> None:
    text = f'{prose(random.Random(6), 300)} "quoted" naïve\n- {prose(random.Random(7), 300)}\tend'
    inside = text
    for _ in range(depth):
        inside = json.dumps({"text": inside})
    assert copied_share(text, [inside]) == 1.0
    assert copied_share(f"> {text}".replace("\n", "\n> * "), [inside]) == 1.0


@pytest.mark.parametrize("hide", ["\u200b", "\u00ad", "*", "  \n> "])
def test_a_copy_is_seen_through_signs_between_its_words(hide: str) -> None:
    text = prose(random.Random(6), 600)
    assert copied_share(text.replace(" ", f"{hide} "), [text]) == 1.0


def test_a_copy_in_wide_letters_is_a_copy() -> None:
    text = prose(random.Random(6), 600)
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in text)
    assert wide != text and copied_share(wide, [text]) == 1.0


def test_a_short_quotation_is_no_copy() -> None:
    source = prose(random.Random(6), 3000)
    assert copied_share(f"{prose(random.Random(7), 400)} {source[100:200]}", [source]) == 0.0


def test_backslashes_of_formulas_are_compared_alike_on_both_sides() -> None:
    formula = r"\nabla \times \mathbf{E} = -\frac{\partial B}{\partial t} " * 4
    assert copied_share(formula, [json.dumps(formula)]) > 0.95


@pytest.mark.parametrize(
    "work",
    [
        lambda n: repeated_share(prose(random.Random(1), n)),
        lambda n: copied_share(prose(random.Random(1), n), [prose(random.Random(2), n)]),
        lambda n: plain("> " * n),
        lambda n: plain("\\" * n),
    ],
    ids=["repeats", "copies", "marks", "backslashes"],
)
def test_four_times_the_text_costs_less_than_twelve_times(work: Callable[[int], object]) -> None:
    def cost(n: int) -> float:
        best = float("inf")
        for _ in range(3):
            began = time.process_time()
            work(n)
            best = min(best, time.process_time() - began)
        return best

    assert cost(80_000) < 12 * max(cost(20_000), 0.002)
