"""What is rendered is read as it was; another value, however near, is another one."""

from __future__ import annotations

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from benchwright.suites.telemetry.text.numbers import agree
from benchwright.suites.telemetry.text.plain import WORDS
from benchwright.suites.telemetry.text.read import read
from benchwright.suites.telemetry.text.render import sentences_of

NUMBERS = ("value", "coverage", "gap_ratio", "mean_a", "mean_b", "difference", "margin", "offset_s")
FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)
FIELD = st.sampled_from(NUMBERS)
SEED = st.integers(min_value=0, max_value=9)


@given(FIELD, FINITE | st.integers(-(10**9), 10**9), SEED)
def test_a_number_is_read_as_it_was_written(name: str, value: float, seed: int) -> None:
    text = sentences_of({name: value}, {"seed": seed})
    assert read(text).said == {name: value}
    assert sentences_of({name: value}) == sentences_of({name: value})


@given(FIELD, FINITE, SEED)
def test_the_next_number_is_another(name: str, value: float, seed: int) -> None:
    other = math.nextafter(value, math.inf)
    assume(math.isfinite(other))
    text = sentences_of({name: other}, {"seed": seed})
    assert read(text).said[name] != value


@given(FIELD, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_two_numbers_for_one_thing_are_no_number(name: str, one: float, other: float) -> None:
    assume(not agree(one, other))
    found = read(f"{sentences_of({name: one})} {sentences_of({name: other})}")
    assert name not in found.said
    assert found.unread[name].why == "contradicted"


@given(st.floats(0.001, 1e6), st.integers(1, 6))
def test_a_rounded_number_agrees_and_the_longer_one_counts(value: float, places: int) -> None:
    short = round(value, places)
    assert agree(value, short)
    found = read(f"The value is {short!r}. The value is {value!r}.")
    assert found.said == {"value": value}


@given(st.integers(1000, 10**12))
def test_thousands_are_separated_by_threes_and_by_nothing_else(value: int) -> None:
    assert read(f"The value is {value:,}.").said == {"value": value}
    halves = str(value)
    wrong = f"{halves[:-2]},{halves[-2:]}"
    assert "value" not in read(f"The value is {wrong}.").said


@given(st.integers(0, 10**6), st.sampled_from(["s", "min", "h", "ms"]))
def test_durations_are_seconds_with_the_sign_of_their_side(n: int, unit: str) -> None:
    worth = {"s": 1, "min": 60, "h": 3600, "ms": 0.001}[unit] * n
    early = read(f"It lies {n} {unit} earlier.").said["offset_s"]
    late = read(f"It lies {n} {unit} later.").said["offset_s"]
    assert math.isclose(late, worth, rel_tol=1e-12)
    assert early == -late


@given(st.text(alphabet="0123456789.,-+e%/:", max_size=12))
def test_what_looks_like_a_number_is_read_whole_or_not_at_all(text: str) -> None:
    found = read(f"The value is {text}.").said.get("value")
    if found is not None:
        plain = text.strip(" .:").replace(",", "")
        assert math.isclose(float(plain), found, rel_tol=1e-12, abs_tol=0)


PLACES = (
    "{} the coverage is 0.98.",
    "The coverage is 0.98 {}.",
    "The coverage is 0.98, {}.",
    "The coverage is 0.98 ({}).",
    "The coverage of {} is 0.98.",
    "{}: coverage = 0.98",
)
OWN = frozenset({"now", "exactly", "equals", "coverage"})
"""Words of the rule itself."""


@given(st.from_regex(r"[a-z]{2,12}", fullmatch=True), st.sampled_from(PLACES))
def test_no_word_that_is_not_listed_may_stand_beside_a_statement(word: str, place: str) -> None:
    assume(word not in WORDS and word not in OWN)
    assert "coverage" not in read(place.format(word)).said


@given(st.sampled_from(sorted(WORDS)), st.sampled_from(PLACES[:4]))
def test_a_listed_word_changes_no_value(word: str, place: str) -> None:
    assert read(place.format(word)).said.get("coverage", 0.98) == 0.98


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    found = read(text)
    assert set(found.said).isdisjoint(found.unread)
