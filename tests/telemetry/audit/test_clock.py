"""Wall clocks: days of 23 and 25 hours, weeks and months, times shown twice or never."""

from __future__ import annotations

import pytest

from benchwright.suites.telemetry.audit.canonical import draw, instant, key_of, milliseconds
from benchwright.suites.telemetry.audit.clock import Clock, skipped
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.raw.times import instants
from tests.telemetry.audit.made import HOUR

BERLIN = Clock("Europe/Berlin")


@pytest.mark.parametrize(
    ("day", "start", "hours"),
    [
        ("2024-03-30", "2024-03-29T23:00:00Z", 24),
        ("2024-03-31", "2024-03-30T23:00:00Z", 23),
        ("2024-10-27", "2024-10-26T22:00:00Z", 25),
        ("2024-07-01", "2024-06-30T22:00:00Z", 24),
    ],
)
def test_a_day_is_as_long_as_its_clock_says(day: str, start: str, hours: int) -> None:
    found = BERLIN.named("day", day)
    assert (found.start, found.end - found.start) == (milliseconds(start), hours * HOUR)


def test_a_week_runs_from_monday_and_a_month_from_its_first() -> None:
    at = milliseconds("2024-03-31T12:00:00Z")
    week, month = BERLIN.period_of("week", at), BERLIN.period_of("month", at)
    assert (week.first_day, (week.end - week.start) // HOUR) == ("2024-03-25", 167)
    assert (month.first_day, (month.end - month.start) // HOUR) == ("2024-03-01", 743)
    assert BERLIN.after(month).first_day == "2024-04-01"


def test_the_last_instant_of_a_day_belongs_to_it() -> None:
    end = BERLIN.named("day", "2024-10-27").end
    assert BERLIN.period_of("day", end - 1).first_day == "2024-10-27"
    assert BERLIN.period_of("day", end).first_day == "2024-10-28"


def test_a_skipped_hour_is_found_strictly_inside_a_stretch_only() -> None:
    change = milliseconds("2024-03-31T01:00:00Z")
    (found,) = skipped(BERLIN, change - 1, change + 1)
    assert (found.at, found.minutes, instant(found.wall)[:16]) == (change, 60, "2024-03-31T02:00")
    assert skipped(BERLIN, change, change + HOUR) == []
    assert skipped(BERLIN, change - HOUR, change) == []


def read(texts: list[str], **rule: str) -> tuple[list[str], list[int]]:
    made, marks = instants(texts, {"column": "t", "zone": "Europe/Berlin", **rule}, "file")
    return [instant(at)[11:16] for at in made], list(marks)


def test_an_hour_that_comes_twice_is_read_as_the_policy_says() -> None:
    texts = ["2024-10-27 01:30:00", "2024-10-27 02:30:00", "2024-10-27 03:30:00"]
    assert read(texts, repeated="earlier") == (["23:30", "00:30", "02:30"], [0, 1, 0])
    assert read(texts, repeated="later") == (["23:30", "01:30", "02:30"], [0, 1, 0])
    with pytest.raises(UnusableInput, match="row 2"):
        read(texts)


@pytest.mark.parametrize("backward", [False, True])
def test_the_order_of_a_file_tells_the_passes_apart(backward: bool) -> None:
    clock = ["02:00", "02:30", "02:00", "02:30", "03:00"]
    texts = [f"2024-10-27 {c}:00" for c in clock]
    wanted = ["00:00", "00:30", "01:00", "01:30", "02:00"]
    if backward:
        texts, wanted = texts[::-1], wanted[::-1]
    assert read(texts, repeated="file_order") == (wanted, [0] * 5)


def test_an_hour_in_which_the_file_never_turns_back_is_the_earlier_one_and_marked() -> None:
    texts = ["2024-10-27 01:00:00", "2024-10-27 02:00:00", "2024-10-27 03:00:00"]
    assert read(texts, repeated="file_order") == (["23:00", "00:00", "02:00"], [0, 1, 0])


def test_a_time_that_never_was_is_moved_and_marked() -> None:
    texts = ["2024-03-31 02:30:00", "2024-03-31 03:30:00"]
    assert read(texts, skipped="forward") == (["01:30", "01:30"], [1, 0])
    assert read(texts, skipped="backward") == (["00:30", "01:30"], [1, 0])


def test_keys_and_draws_are_those_of_canonical_json() -> None:
    # sha256 of {"a":1,"b":"ü"} in UTF-8, by the command line tool of the same name.
    assert key_of({"b": "ü", "a": 1}) == SUM
    assert draw({"b": "ü", "a": 1}, 1000) == int(SUM, 16) % 1000


SUM = "1a59e522e02ce50ad2c27c11a6d30f8667489c199580627fe9e3e33e2b0e91d5"
