"""Instants and the five forms of the questions: rendered and read back, and nothing near them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.obligations.spans import moment
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.rows.times import Told, offset_text, told
from benchwright.suites.telemetry.text.read import read
from benchwright.suites.telemetry.text.render import sentences_of
from benchwright.suites.telemetry.text.times import read_instant, read_period

BERLIN = zone("Europe/Berlin")
MS = st.integers(946684800000, 1893456000000)
DAYS = st.dates(date(1990, 1, 1), date(2060, 12, 31))


@given(MS, st.integers(0, 5))
def test_an_instant_is_read_to_the_millisecond(at: int, seed: int) -> None:
    found = read(sentences_of({"observed": shown(at)}, {"seed": seed})).said["observed"]
    assert moment(found, BERLIN) == at
    other = read(sentences_of({"observed": shown(at + 1)}, {"seed": seed})).said["observed"]
    assert moment(other, BERLIN) == at + 1


@given(MS, st.integers(-56, 56))
def test_an_instant_by_any_offset_is_the_same(at: int, quarters: int) -> None:
    far = timezone(timedelta(minutes=15 * quarters))
    since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    text = since.astimezone(far).isoformat(timespec="milliseconds")
    found = read(f"It was observed at {shown(at)}, that is, it was observed at {text}.")
    assert found.said["observed"] == shown(at)
    apart = read(f"It was observed at {shown(at + 1)}. It was observed at {text}.")
    assert apart.unread["observed"].why == "contradicted"


@given(MS)
def test_instants_of_questions_are_read_in_every_form(at: int) -> None:
    for form in ("instant", "trailing"):
        words = told(Told(form, at), BERLIN)  # type: ignore[arg-type]
        found = read_instant(words)
        assert found is not None
        assert moment(found, BERLIN) == at
    assert moment(read_instant(offset_text(at, BERLIN)), BERLIN) == at


@given(DAYS)
def test_periods_are_read_and_no_field_takes_them(day: date) -> None:
    monday = day - timedelta(days=day.weekday())
    first = day.replace(day=1)
    for time in (Told("day", day.isoformat()), Told("week", monday.isoformat())):
        words = told(time, BERLIN)
        assert read_period(words) == time
        assert read(f"That holds for {words}.").empty
    assert read_period(told(Told("month", first.isoformat()), BERLIN)) == Told(
        "month", first.isoformat()
    )
    wrong = told(Told("week", (monday + timedelta(days=1)).isoformat()), BERLIN)
    assert read_period(wrong) is None


def test_what_no_calendar_has_is_no_time() -> None:
    for text in ("2023-02-30T00:00:00Z", "2023-01-01T25:00:00Z", "31 February 2023", "2023-01-01"):
        assert read_instant(text) is None
    assert np.datetime64("2023-01-01") == np.datetime64(date(2023, 1, 1))
