"""Tokens: what is a numeric value, how many one token prints, and which rule leaves it out."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.metrics.numbers.literals import RULES, tokens


def count(text: str, *, separated: bool = False) -> int:
    return sum(token.values for token in tokens(text, separated=separated))


def rules(text: str) -> set[str]:
    return {token.rule for token in tokens(text) if token.rule}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5 -5 +5 0.5 .5 5. 1e5 -2.5E-3", 8),
        ("nan NaN -inf Infinity info nano", 4),
        ("[1, 2, 3] (4) {5} '6' \"7\"", 7),
        ("[1,2,3] 1,2;3|4", 7),
        ("a=5 b:6 c: 7 d<8 e>=9 f*10", 6),
        ("~5 ±0.5 →7 $5 €3.50", 5),
        ("5% 20°C 3ms 2.5kHz 4GiB 5V 10px 2x 9k 7m", 10),
        ("1m30s 2h5m", 2),
        ("1,287 lines, 12,345.5 m", 2),
        ("3-5 8-27,35-54", 6),
        ("5/7 12ms/30ms", 4),
        ("a 10-minute limit", 1),
        ("version 3.10, Python 3", 2),
        ("in 2023", 1),
        ("end 5. Then 6...", 2),
        ("step 3: done, 4:", 2),
        ('"port": "3000"', 1),
    ],
)
def test_a_text_prints_so_many_values(text: str, values: int) -> None:
    assert count(text) == values


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("https://a.org/5?x=6", "address"),
        ("me5@example.org", "address"),
        ("src/a5.py:12 /tmp/7", "path"),
        ("main.go:286:15", "path"),
        ("localhost:3000", "path"),
        ("pump3 x_5 #164 v8 5th 3D ^9 @5 %5d", "identifier"),
        ("gpt-4 utf-8 20260205-strict ent-207-fix", "identifier"),
        ("d746f958 759e1846 0x7f4c", "identifier"),
        ("019b66fc-64c2-7a71-81cd-081c504cfeb2", "identifier"),
        ('chat_id = 123 "id": 5 sessionId=9 PID: 7', "identifier"),
        ("2026-05-17T16:25:11.029Z 2026/01/16 10:01:08 3/4/2025", "moment"),
        ("Dec 18 13:20 18 December 2024, Nov 2023", "moment"),
        ("12:30:01 +0000", "moment"),
        ("1.2.3 3.9.21 10.0.0.1:80", "version"),
        ("data:image/png;base64,iVBORw0KGgo5", "payload"),
        ("A1" * 60, "payload"),
        ("2>&1 2>/dev/null", "redirection"),
    ],
)
def test_what_prints_no_value_says_by_which_rule(text: str, rule: str) -> None:
    assert count(text) == 0
    assert rules(text) == {rule}
    assert rule in RULES


def test_commas_group_only_a_whole_token_outside_of_arrays_and_rows() -> None:
    assert [count(t) for t in ("100,200", "[100,200]", "(1,287)", "504,588-1212")] == [1, 2, 1, 3]
    assert count("100,200", separated=True) == 2


@pytest.mark.parametrize("text", ["count: 5", "id 5 apples", "valid: 5", "5k", "x[5]"])
def test_in_doubt_a_token_counts(text: str) -> None:
    assert count(text) == 1


numbers = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.floats(-1e9, 1e9, allow_nan=False).map(lambda x: f"{x:.6g}"),
)


@given(st.lists(numbers, min_size=1), st.sampled_from([" ", "; ", "\t", " | ", "\n", ";"]))
def test_every_number_of_a_list_is_one_value(items: list[str], separator: str) -> None:
    text = separator.join(items)
    hashes = sum(1 for item in items if len(item) >= 7 and item.isalnum() and "e" in item)
    assert count(text) == len(items) - hashes


@given(st.lists(numbers, min_size=1))
def test_rows_and_arrays_print_the_same_values(items: list[str]) -> None:
    assert count(",".join(items), separated=True) == count(f"[{', '.join(items)}]")


@given(st.text("0123456789.,-+eE:/[]()ab %", max_size=30))
def test_tokens_never_overlap_and_values_are_never_negative(text: str) -> None:
    found = list(tokens(text))
    assert all(token.values >= 0 and bool(token.rule) == (token.values == 0) for token in found)


@pytest.mark.parametrize("unit", ["a1,", "/", "1.", "(", "1-", "x=", "_", "@", "A/", "1m", "..1"])
def test_a_long_token_costs_no_more_than_its_length(unit: str) -> None:
    def seconds(length: int) -> float:
        began = time.process_time()
        count(unit * length + "1")
        return time.process_time() - began

    seconds(10)
    assert seconds(40_000) < 0.5 + 40 * max(seconds(2_000), 1e-3)
