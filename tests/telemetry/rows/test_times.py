"""Five forms of times: words go back to the value that they were made of."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.operations.times import instant
from benchwright.suites.telemetry.rows.times import Form, Told, offset_text, parsed, told

ZONES = st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"]).map(zone)
INSTANTS = st.integers(0, 4_070_908_800_000)
"""1970 to 2098, in ms."""
DATES = st.dates(date(1970, 1, 1), date(2098, 12, 31))


def rounds(form: Form, value: int | str, words: str) -> bool:
    time = Told(form, value)
    return told(time, zone("Europe/Berlin")) == words and parsed(words) == time


@given(INSTANTS, ZONES, st.sampled_from(["instant", "trailing"]))
def test_instants_come_back_to_the_millisecond(at: int, clock: object, form: Form) -> None:
    time = Told(form, at)
    assert parsed(told(time, clock)) == time


@given(DATES, ZONES)
def test_days_come_back(day: date, clock: object) -> None:
    time = Told("day", day.isoformat())
    assert parsed(told(time, clock)) == time


@given(DATES, ZONES)
def test_weeks_come_back(day: date, clock: object) -> None:
    monday = day - timedelta(days=day.weekday())
    time = Told("week", monday.isoformat())
    assert parsed(told(time, clock)) == time


@given(DATES, ZONES)
def test_months_come_back(day: date, clock: object) -> None:
    time = Told("month", day.replace(day=1).isoformat())
    assert parsed(told(time, clock)) == time


@given(INSTANTS, ZONES)
def test_an_instant_by_the_clock_is_read_as_the_same(at: int, clock: object) -> None:
    assert instant(offset_text(at, clock), clock) == at


def test_words_by_hand() -> None:
    at = int(np.datetime64("2022-02-03T07:03:23.640", "ms").astype(np.int64))
    assert rounds("instant", at, "2022-02-03T07:03:23.640Z")
    assert rounds("trailing", at, "the 24 hours up to 2022-02-03T07:03:23.640Z")
    assert rounds("day", "2022-02-03", "3 February 2022")
    assert rounds("week", "2022-01-31", "the week from Monday 31 January 2022")
    assert rounds("month", "2022-02-01", "February 2022")


@pytest.mark.parametrize(
    "words",
    [
        "", "yesterday", "2022-02-03", "2022-02-03T07:03:23Z", "2022-02-30T00:00:00.000Z",
        "31 February 2022", "0 May 2022", "May 0000", "February 2022 ", "3 Feb 2022",
        "the week from Tuesday 1 February 2022", "the week from Monday 1 February 2022",
    ],
)  # fmt: skip
def test_other_words_are_no_time(words: str) -> None:
    assert parsed(words) is None
