"""Coverage, gaps, frozen runs, spikes, figures and nearest readings, worked out by hand."""

from __future__ import annotations

import hashlib
import struct

import pytest

from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.figures import figures
from benchwright.suites.telemetry.audit.measures import measures
from benchwright.suites.telemetry.audit.quality import Judge, bounded, quantile
from benchwright.suites.telemetry.audit.rows.look import nearest
from tests.telemetry.audit.made import DAY, HOUR, MINUTE, MONDAY, corpus, stream

FROZEN = ValueClass("instant", low=0.0, high=50.0, sentinels=(-40.0,), frozen_ms=24 * HOUR)


def test_coverage_and_gap_count_the_edges_of_the_window() -> None:
    found = measures(stream([1.0] * 18, start=MONDAY + 3 * HOUR), MONDAY, MONDAY + DAY)
    # 18 of 24 readings, from 03:00 to 20:00: the last gap is that to midnight.
    assert (found.count, found.coverage) == (18, 0.75)
    assert (found.gap_ms, found.gap_ratio) == (4 * HOUR, 4.0)


def test_two_regimes_expect_what_each_of_them_would_give() -> None:
    regimes = [(None, HOUR), (MONDAY + 12 * HOUR, 15 * MINUTE)]
    times = [MONDAY + i * HOUR for i in range(12)]
    times += [MONDAY + 12 * HOUR + i * 15 * MINUTE for i in range(24)]
    found = measures(stream([1.0] * 36, times=times, regimes=regimes), MONDAY, MONDAY + DAY)
    # 12 + 48 expected; the last gap is 6 h 15 min of 15 min steps.
    assert (found.coverage, found.gap_ratio) == (0.6, 25.0)


def test_without_regimes_the_median_inside_the_window_is_the_step() -> None:
    times = [MONDAY + i * 10 * MINUTE for i in range(72)]
    found = measures(stream([1.0] * 72, times=times, regimes=()), MONDAY, MONDAY + DAY)
    assert (found.coverage, found.gap_ratio) == (0.5, 73.0)


def test_of_equal_gaps_the_one_in_finer_steps_counts() -> None:
    regimes = [(None, HOUR), (MONDAY + 12 * HOUR, 15 * MINUTE)]
    times = [MONDAY + i * HOUR for i in range(13)]
    found = measures(stream([1.0] * 13, times=times, regimes=regimes), MONDAY, MONDAY + 13 * HOUR)
    assert (found.gap_ms, found.gap_ratio) == (HOUR, 4.0)


@pytest.mark.parametrize(("equal", "frozen"), [(23, 0), (24, 24), (30, 30)])
def test_a_run_is_frozen_from_its_first_reading_to_a_step_after_its_last(
    equal: int, frozen: int
) -> None:
    values = [float(i) for i in range(5)] + [9.5] * equal + [float(i) for i in range(5)]
    found = measures(stream(values, rules=FROZEN), MONDAY, MONDAY + 7 * DAY)
    assert found.frozen == frozen


def test_one_reading_out_of_range_is_a_spike_and_two_are_not() -> None:
    values = [1.0, 99.0, 2.0, 98.0, 97.0, 3.0, -40.0, 4.0]
    found = measures(stream(values, rules=FROZEN), MONDAY, MONDAY + DAY)
    assert (found.spikes, found.out_of_range, found.sentinel) == (1, 2, 1)


def test_a_spike_at_the_edge_of_a_window_has_its_neighbour_outside() -> None:
    data = stream([1.0, 99.0, 2.0], rules=FROZEN)
    assert measures(data, MONDAY + HOUR, MONDAY + DAY).spikes == 1
    assert measures(stream([99.0, 2.0], rules=FROZEN), MONDAY, MONDAY + DAY).out_of_range == 1


def test_a_drop_out_is_no_reading_out_of_range() -> None:
    rules = ValueClass("instant", low=5.0, high=45.0)
    found = measures(
        stream([20.0, 0.0, 21.0], rules=rules, marks=bytes([0, 2, 0])), MONDAY, MONDAY + DAY
    )
    assert (found.out_of_range, found.spikes) == (0, 0)


def test_the_mean_of_decimals_is_the_double_nearest_to_the_true_one() -> None:
    # 0.1 ten times: adding doubles gives 0.9999999999999999, the decimals give 1.
    found = figures(stream([0.1] * 10), MONDAY, MONDAY + DAY)
    assert found.mean == 0.1
    assert figures(stream([0.1, 0.2, 0.3]), MONDAY, MONDAY + DAY).mean == 0.2


def test_the_mean_of_other_values_is_an_exact_sum_rounded_once() -> None:
    values = [1e16, 1.0, -1e16, 1 / 3]
    found = figures(stream(values), MONDAY, MONDAY + DAY)
    assert found.mean == (1 + 1 / 3) / 4


def test_what_is_left_out_is_in_no_figure_and_counted() -> None:
    data = stream([10.0, 0.0, -40.0, 20.0], rules=FROZEN, marks=bytes([0, 2, 0, 0]))
    found = figures(data, MONDAY, MONDAY + DAY)
    assert (found.count, found.left_out, found.mean, found.least) == (2, 2, 15.0, 10.0)
    everything = stream([10.0, 0.0, 20.0], marks=bytes([0, 2, 0]), left_out=())
    assert figures(everything, MONDAY, MONDAY + DAY).mean == 10.0


def test_a_counter_has_a_change_and_a_state_nothing() -> None:
    counter = stream([1000.1, 1000.2, 1000.4], rules=ValueClass("cumulative"))
    found = figures(counter, MONDAY, MONDAY + DAY)
    assert (found.mean, found.change) == (None, 0.3)
    assert (
        figures(stream([1.0, 0.0], rules=ValueClass("state")), MONDAY, MONDAY + DAY).figure is None
    )


def test_a_tie_is_the_earlier_reading_and_a_far_one_not_acceptable() -> None:
    data = stream([1.0, 2.0, 3.0, 4.0], times=[MONDAY + i * HOUR for i in (0, 1, 2, 5)])
    tie = nearest(data, MONDAY + 90 * MINUTE, 1.0).answer
    assert (tie["value"], tie["offset_s"], tie["tie"], tie["acceptable"]) == (
        2.0,
        -1800,
        True,
        True,
    )
    far = nearest(data, MONDAY + 4 * HOUR - 30 * MINUTE, 1.0).answer
    assert (far["value"], far["tie"], far["acceptable"]) == (3.0, True, False)
    near = nearest(data, MONDAY + 4 * HOUR, 1.0).answer
    assert (near["value"], near["offset_s"], near["acceptable"]) == (4.0, 3600, True)


def test_content_is_times_then_values_then_marks() -> None:
    data = stream([1.5, 2.5], marks=bytes([0, 3]))
    packed = struct.pack("<2q2d2B", MONDAY, MONDAY + HOUR, 1.5, 2.5, 0, 3)
    assert data.content(0, 2) == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize(("q", "value"), [(0.1, 1.0), (0.25, 3.0), (0.5, 5.0), (1.0, 10.0)])
def test_a_quantile_is_a_value_that_occurs(q: float, value: float) -> None:
    assert quantile([float(i) for i in range(10, 0, -1)], q) == value


def test_bounds_hold_with_values_and_without() -> None:
    assert bounded({"at_least": 4.0}, 3.0) == 4.0
    assert bounded({"at_most": 0.95}, None) == 0.95
    assert bounded({}, None) is None


def week(values: list[float], **more: object) -> tuple[str, str | None]:
    judge = Judge(corpus().rules)
    judge.learn([])
    data = stream(values, rules=FROZEN, **more)  # type: ignore[arg-type]
    return judge.outcome(measures(data, MONDAY, MONDAY + 7 * DAY), "year")


def test_the_first_reason_that_applies_is_told() -> None:
    fine = [float(i % 7) for i in range(168)]
    assert week(fine) == ("answer", None)
    assert week(fine[:155]) == ("caution", "coverage")
    assert week(fine[:100]) == ("abstain", "coverage")
    assert week([-40.0, *fine[1:]]) == ("abstain", "sentinel")
    assert week(fine, marks=bytes([2] * 9 + [0] * 159)) == ("abstain", "dropout")
    assert week(fine, marks=bytes([2] * 8 + [0] * 160)) == ("answer", None)
    assert week([7.5] * 84 + fine[:84]) == ("abstain", "frozen")
    assert week([7.5] * 83 + fine[:85]) == ("answer", None)
    assert week([*fine[:10], 99.0, *fine[11:]]) == ("abstain", "spike")
    assert week([*fine[:10], 99.0, 99.0, *fine[12:]]) == ("abstain", "range")
