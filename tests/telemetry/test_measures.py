"""What a window measures and what follows: each fault planted, each reason in its place."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.telemetry.contract.aggregate import aggregate, mean_of_groups, usable
from benchwright.suites.telemetry.contract.judge import REASONS, Thresholds, judge
from benchwright.suites.telemetry.contract.measure import Measures, Rules, due, measure
from benchwright.suites.telemetry.contract.model import Quality
from benchwright.suites.telemetry.contract.periods import Window, periods_between, window_of
from benchwright.suites.telemetry.corpus.decimals import places, scaled
from benchwright.suites.telemetry.corpus.model import ValueClass
from benchwright.suites.telemetry.corpus.readings import DROPOUT
from benchwright.suites.telemetry.corpus.regimes import Step
from benchwright.suites.telemetry.corpus.zones import zone

H = 3_600_000
DAY = Window(0, 24 * H)
KIND = ValueClass(
    name="T", kind="instant", range=(-35.0, 50.0), sentinels=(-39.9,), frozen_hours=6.0
)
HOURLY = Rules(KIND, (Step(None, H),), float(H))
FIXED = Thresholds(0.95, 4.0, 0.83, 22.0)


def hours(values: list[float], at: list[int] | None = None) -> tuple[Any, Any, Any]:
    ts = np.array(at if at is not None else range(len(values)), dtype=np.int64) * H
    return ts, np.array(values, dtype=float), np.zeros(len(values), dtype=np.uint8)


def found(values: list[float], at: list[int] | None = None, rules: Rules = HOURLY) -> Measures:
    return measure(*hours(values, at), DAY, rules)


GOOD = [float(v % 7) for v in range(24)]


def test_a_full_day_has_coverage_one_and_a_gap_of_one_step() -> None:
    m = found(GOOD)
    assert (m.count, m.coverage, m.gap_ratio, m.gap_ms) == (24, 1.0, 1.0, H)
    assert judge(m, FIXED, Quality()).outcome == "answer"


def test_edges_of_the_window_are_ends_of_gaps() -> None:
    assert found(GOOD[:4], [0, 1, 2, 3]).gap_ms == 21 * H
    assert found(GOOD[:4], [20, 21, 22, 23]).gap_ms == 20 * H


def test_without_regimes_the_step_is_the_median_inside_the_window() -> None:
    plain = Rules(KIND, (), float(H))
    m = found([1.0, 2.0, 3.0, 4.0, 5.0], [0, 6, 12, 18, 23], plain)
    assert (m.coverage, m.gap_ratio) == (1.0, 1.0)
    few = found([1.0, 2.0], [0, 1], plain)
    assert few.coverage == 2 / 24


def test_expected_readings_follow_regimes_across_their_change() -> None:
    rules = Rules(KIND, (Step(None, H), Step(12 * H, H // 4)), float(H))
    assert due(np.array([0, 24 * H, 48 * H]), rules).tolist() == [12 + 48, 96]
    m = found(GOOD, rules=rules)
    assert (m.coverage, m.gap_ratio) == (24 / 60, 4.0)


def test_a_frozen_run_counts_from_its_first_reading_to_a_step_after_its_last() -> None:
    six = [5.0] * 6 + GOOD[6:]
    assert found(six).frozen == 6
    assert found([5.0] * 5 + [9.0, *GOOD[6:]]).frozen == 0
    exempt = Rules(ValueClass(name="S", kind="setpoint"), HOURLY.steps, HOURLY.typical_ms)
    assert found(six, rules=exempt).frozen == 0


def test_a_sentinel_is_no_range_and_a_spike_is_no_range() -> None:
    m = found([*GOOD[:5], -39.9, *GOOD[6:10], 8e6, *GOOD[11:20], 60.0, 61.0, 1.0, 2.0])
    assert (m.sentinel, m.spike, m.range) == (1, 1, 2)


def test_drop_outs_are_neither_spikes_nor_range() -> None:
    ts, value, marks = hours([0.0 if h == 5 else 20.0 + h for h in range(24)])
    marks[5] = DROPOUT
    hot = ValueClass(name="T", kind="instant", range=(5.0, 90.0))
    m = measure(ts, value, marks, DAY, Rules(hot, HOURLY.steps, HOURLY.typical_ms))
    assert (m.dropout, m.spike, m.range) == (1, 0, 0)


FAULTS: dict[str, dict[str, Any]] = {
    "no_data": {"count": 0},
    "coverage": {"coverage": 0.5},
    "gap": {"gap_ratio": 30.0},
    "sentinel": {"sentinel": 1},
    "dropout": {"dropout": 5},
    "frozen": {"frozen": 50},
    "range": {"range": 1},
    "spike": {"spike": 1},
}


def windowed(**faults: Any) -> Measures:
    base = {"count": 100, "coverage": 1.0, "gap_ms": H, "gap_ratio": 1.0, "frozen": 0}
    rest = {"dropout": 0, "sentinel": 0, "range": 0, "spike": 0, "adjusted": 0}
    return Measures(**{**base, **rest, **faults})


@pytest.mark.parametrize("reason", REASONS)
def test_every_fault_alone_abstains_with_its_reason(reason: str) -> None:
    verdict = judge(windowed(**FAULTS[reason]), FIXED, Quality())
    assert (verdict.outcome, verdict.reason) == ("abstain", reason)


@pytest.mark.parametrize("index", range(len(REASONS) - 1))
def test_the_first_reason_wins(index: int) -> None:
    both = {**FAULTS[REASONS[index + 1]], **FAULTS[REASONS[index]]}
    assert judge(windowed(**both), FIXED, Quality()).reason == REASONS[index]


def test_between_the_tiers_lies_caution_with_the_check_that_failed() -> None:
    for faults, reason in (({"coverage": 0.9}, "coverage"), ({"gap_ratio": 10.0}, "gap")):
        verdict = judge(windowed(**faults), FIXED, Quality())
        assert (verdict.outcome, verdict.reason) == ("caution", reason)
    assert judge(windowed(dropout=4, frozen=49), FIXED, Quality()).outcome == "answer"


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=60), st.integers(0, 4))
def test_the_mean_of_decimals_is_the_double_nearest_to_the_true_one(
    tenths: list[int], k: int
) -> None:
    value = np.array([v / 10**k for v in tenths])
    known = places(value)
    assert known is not None and known <= k
    mean = mean_of_groups(value, np.array([0]), known)[0]
    assert mean == float(Fraction(sum(tenths), len(tenths) * 10**k))
    assert scaled(value, k).tolist() == tenths


@given(st.lists(st.floats(-1e6, 1e6, width=64), min_size=2, max_size=40), st.randoms())
def test_the_mean_of_doubles_does_not_depend_on_their_order(values: list[float], luck: Any) -> None:
    mixed = list(values)
    luck.shuffle(mixed)
    one, two = (mean_of_groups(np.array(v), np.array([0]), None)[0] for v in (values, mixed))
    assert one == two == math.fsum(values) / len(values)


def test_sums_that_leave_64_bits_stay_exact() -> None:
    value = np.full(20_000, 999_999_999.999999)
    assert places(value) == 6
    assert mean_of_groups(value, np.array([0]), 6)[0] == 999_999_999.999999


def test_windows_are_half_open_and_empty_ones_have_no_figures() -> None:
    ts, value, marks = hours([1.0, 2.0, 4.0], [0, 1, 3])
    kept = usable(value, marks, KIND, ())
    a = aggregate(ts, value, kept, np.array([0, 1, 2, 3, 4]) * H, 0, "instant")
    assert a.count.tolist() == [1, 1, 0, 1]
    assert a.mean.tolist()[:2] == [1.0, 2.0] and math.isnan(a.mean[2])
    assert (a.least[3], a.greatest[3]) == (4.0, 4.0)


def test_what_the_contract_leaves_out_is_counted_and_not_used() -> None:
    ts, value, marks = hours([1.0, -39.9, 3.0, 0.0])
    marks[3] = DROPOUT
    edges = np.array([0, 4]) * H
    for left_out, mean, count in (((), (1 - 39.9 + 3) / 4, 0), (("dropout", "sentinel"), 2.0, 2)):
        a = aggregate(ts, value, usable(value, marks, KIND, left_out), edges, 1, "instant")
        assert (a.mean[0], a.left_out[0]) == (pytest.approx(mean, abs=1e-12), count)


def test_a_counter_has_a_change_and_no_mean_and_an_angle_has_neither() -> None:
    ts, value, _ = hours([9057.296, 9057.3, 9058.1])
    edges, kept = np.array([0, 24 * H]), np.ones(3, dtype=bool)
    counter = aggregate(ts, value, kept, edges, 3, "cumulative")
    assert counter.change[0] == 0.804 and math.isnan(counter.mean[0])
    angle = aggregate(ts, value, kept, edges, 3, "angle")
    assert math.isnan(angle.mean[0]) and math.isnan(angle.change[0])


def test_local_days_are_23_and_25_hours_long_when_the_clock_changes() -> None:
    belgrade = zone("Europe/Belgrade")
    spring = window_of(np.datetime64("2023-03-26").item(), "day", belgrade)
    autumn = window_of(np.datetime64("2023-10-29").item(), "day", belgrade)
    assert ((spring.end - spring.start) // H, (autumn.end - autumn.start) // H) == (23, 25)


def test_weeks_start_on_monday_and_months_on_their_first() -> None:
    utc = zone("UTC")
    day = np.datetime64("2022-02-03")
    assert window_of(day.item(), "week", utc).label == "2022-01-31"
    assert window_of(day.item(), "month", utc).label == "2022-02-01"
    at = int(day.astype("datetime64[ms]").astype(int))
    assert periods_between(at, at + 26 * 24 * H, "month", utc).labels() == [
        "2022-02-01",
        "2022-03-01",
    ]
