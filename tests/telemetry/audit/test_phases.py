"""Turns of a conversation: look-ups, what a reading comes to, the instant of a revision."""

from __future__ import annotations

import pytest

from benchwright.suites.telemetry.audit.canonical import draw
from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.phases.reading import chosen_instant, kind, look_up, stated
from tests.telemetry.audit.made import DAY, HOUR, MINUTE, MONDAY, stream

RULES = ValueClass("instant", sentinels=(-40.0,))


@pytest.mark.parametrize(
    ("minutes", "calls", "found", "action", "reason"),
    [
        (0, 1, "exact", "answer", "complete"),
        (70, 2, "nearest", "answer", "complete"),
        (120, 1, "faulty", "abstain", "dropout"),
        (180, 1, "faulty", "abstain", "sentinel"),
        (315, 2, "too_far", "re_clarify", "nearest_too_far"),
    ],
)
def test_a_look_up_probes_first_and_its_reading_is_judged(
    minutes: int, calls: int, found: str, action: str, reason: str
) -> None:
    times = [MONDAY + h * HOUR for h in (0, 1, 2, 3, 4, 7)]
    data = stream(
        [1.0, 2.0, 0.0, -40.0, 5.0, 6.0], times=times, marks=bytes([0, 0, 2, 0, 0, 0]), rules=RULES
    )
    made = look_up(data, MONDAY + minutes * MINUTE, 1.0)
    gold = stated(made[-1])
    assert (len(made), kind(made[-1]), gold.action, gold.reason) == (calls, found, action, reason)
    assert ("offset_s" in gold.fields) == (calls == 2)
    assert ("flag" in gold.fields) == (found == "faulty")


def case(wanted: int) -> dict[str, int]:
    """An identity whose seed draws that case of six."""
    return next(
        i for n in range(999) if draw({**(i := {"n": n}), "policy": "request"}, 6) == wanted
    )


@pytest.mark.parametrize(("drawn", "minutes"), [(0, 12), (1, 21), (2, 30), (3, 39), (4, 48)])
def test_a_usual_gap_is_cut_at_the_drawn_fraction(drawn: int, minutes: int) -> None:
    data = stream([1.0, 2.0])
    window = (MONDAY, MONDAY + DAY)
    assert chosen_instant(case(drawn), data, window, 1.0, None) == MONDAY + minutes * MINUTE


def test_one_time_in_six_it_is_the_middle_of_a_wide_gap() -> None:
    data = stream([1.0, 2.0, 3.0], times=[MONDAY, MONDAY + HOUR, MONDAY + 5 * HOUR])
    window = (MONDAY, MONDAY + DAY)
    assert chosen_instant(case(5), data, window, 1.0, None) == MONDAY + 3 * HOUR
    # Without a wide gap the sixth case is the first fraction.
    assert chosen_instant(case(5), stream([1.0, 2.0]), window, 1.0, None) == MONDAY + 12 * MINUTE


def test_an_exact_value_takes_a_gap_beside_its_reading_and_one_reading_gives_none() -> None:
    data = stream([float(i) for i in range(24)])
    window, own = (MONDAY, MONDAY + DAY), MONDAY + 9 * HOUR
    for drawn in range(5):
        at = chosen_instant(case(drawn), data, window, 1.0, own)
        assert at is not None and abs(at - own) < HOUR
    assert chosen_instant(case(0), stream([1.0]), window, 1.0, None) is None
