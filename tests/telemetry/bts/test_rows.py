"""Both forms of time become the same rows; what is dropped is counted with its reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.suites.telemetry.bts import Layout
from benchwright.suites.telemetry.bts.rows import Rows, rows

LAYOUT = Layout()
instants = st.lists(st.integers(LAYOUT.earliest_ms, LAYOUT.latest_ms - 1), max_size=30)
values = st.lists(st.floats(width=64), max_size=30)
PER_SECOND = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}


def made(times: npt.NDArray[Any], value: Any = None, layout: Layout = LAYOUT) -> Rows:
    found = rows(times, np.ones(len(times)) if value is None else np.asarray(value), layout)
    assert found is not None
    return found


@given(instants)
def test_seconds_and_datetimes_of_the_same_instants_give_the_same_times(ms: list[int]) -> None:
    exact = np.array(ms, dtype=np.int64)
    for times in (
        exact / 1000.0,
        (exact / 1000.0).astype(">f8"),
        exact.astype("M8[ms]"),
        exact.astype("M8[ms]").astype("M8[us]"),
        exact.astype("M8[ms]").astype(">M8[ns]"),
    ):
        found = made(times)
        assert found.time_ms.tolist() == ms
        assert (found.cut_times, found.dropped) == (0, {})


@given(
    st.lists(st.integers(-(2**63) + 1, 2**63 - 1), max_size=20), st.sampled_from(sorted(PER_SECOND))
)
def test_any_datetime_is_cut_to_its_millisecond_or_dropped(counts: list[int], unit: str) -> None:
    found = made(np.array(counts, dtype=f"M8[{unit}]"))
    per = PER_SECOND[unit]
    whole = [1000 * count // per for count in counts]
    wanted = [ms for ms in whole if LAYOUT.earliest_ms <= ms < LAYOUT.latest_ms]
    assert found.time_ms.tolist() == wanted
    assert found.dropped.get("time out of range", 0) == len(counts) - len(wanted)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20))
def test_any_whole_seconds_are_kept_or_out_of_range(seconds: list[int]) -> None:
    wanted = [s * 1000 for s in seconds if LAYOUT.earliest_ms <= s * 1000 < LAYOUT.latest_ms]
    assert made(np.array(seconds, dtype=np.int64)).time_ms.tolist() == wanted


def test_unsigned_seconds_beyond_all_reason_are_out_of_range() -> None:
    found = made(np.array([1_600_000_000, 2**64 - 1], dtype=np.uint64))
    assert found.time_ms.tolist() == [1_600_000_000_000]


@given(st.data())
def test_every_row_is_kept_or_dropped_for_one_reason(data: st.DataObject) -> None:
    value = data.draw(values)
    many = {"min_size": len(value), "max_size": len(value)}
    times = data.draw(st.lists(st.floats(width=64), **many))  # type: ignore[arg-type]
    found = made(np.array(times, dtype=np.float64), np.array(value, dtype=np.float64))
    assert len(found.row) + sum(found.dropped.values()) == len(value)
    assert found.value.tobytes() == np.array(value, dtype=np.float64)[found.row].tobytes()
    assert np.isfinite(found.value).all()
    assert np.all(np.diff(found.row) > 0)


def test_reasons_are_told_apart() -> None:
    nan, inf = float("nan"), float("inf")
    times = np.array([nan, inf, 0.0, 1.6e12, 1.6e9, 1.6e9, 1.6e9, 1.6e9])
    found = made(times, [1, 1, nan, 1, nan, inf, -inf, 5.8e38])
    assert found.dropped == {
        "no time": 2, "time out of range": 2, "no value": 1, "infinite value": 2,
    }  # fmt: skip
    assert found.row.tolist() == [7] and found.value.tolist() == [5.8e38]


def test_not_a_time_is_no_time() -> None:
    found = made(np.array(["NaT", "2021-01-01"], dtype="M8[ns]"))
    assert found.dropped == {"no time": 1} and found.row.tolist() == [1]


def test_parts_of_a_millisecond_are_cut_off_and_counted() -> None:
    nanoseconds = 1_600_000_000_000_000_000 + np.array([0, 1, 500_000, 999_999, 1_000_000])
    found = made(nanoseconds.astype("M8[ns]"))
    assert (found.time_ms - 1_600_000_000_000).tolist() == [0, 0, 0, 0, 1]
    assert found.cut_times == 3
    found = made(1.6e9 + np.array([0.0, 0.0004, 0.0009, 0.123, 0.999]))
    assert (found.time_ms - 1_600_000_000_000).tolist() == [0, 0, 0, 123, 999]
    assert found.cut_times == 2


@pytest.mark.parametrize("kind", ["<i8", "<u8", "<i4", "|u1", "|i1", "<f4", "<f2", "|b1"])
def test_values_of_every_type_become_numbers(kind: str) -> None:
    found = made(np.full(2, 1.6e9), np.array([0, 1]).astype(kind))
    assert found.value.tolist() == [0.0, 1.0] and found.rounded_values == 0


def test_integers_without_a_float_of_their_own_are_counted() -> None:
    exact = [2**53, 2**53 + 2, -(2**60), 2**62]
    assert made(np.full(4, 1.6e9), np.array(exact)).rounded_values == 0
    odd = np.array([2**53 + 1, -(2**60) - 1, 2**63 - 1], dtype=np.int64)
    assert made(np.full(3, 1.6e9), odd).rounded_values == 3
    assert made(np.full(1, 1.6e9), np.array([2**64 - 1], dtype=np.uint64)).rounded_values == 1


def test_order_is_kept_and_disorder_is_counted() -> None:
    found = made(1.6e9 + np.array([5.0, 1.0, 1.0, 7.0, 5.0]))
    assert (found.time_ms - 1_600_000_000_000).tolist() == [5000, 1000, 1000, 7000, 5000]
    assert (found.backwards, found.repeated) == (2, 2)


@pytest.mark.parametrize("kind", ["<f4", "<f2", "<i2", "|u1", "|b1"])
def test_types_that_cannot_hold_seconds_are_no_times(kind: str) -> None:
    assert rows(np.zeros(2, dtype=kind), np.zeros(2), LAYOUT) is None


@pytest.mark.parametrize(
    "wrong",
    [{"member": "("}, {"identifier": "("}, {"identifier": "(?P<site>.)"}, {"latest_ms": 0}],
    ids=str,
)
def test_a_layout_that_cannot_be_used_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as caught:
        Layout(**wrong)
    assert caught.value.where in wrong


@pytest.mark.parametrize(
    ("identifier", "named"),
    [
        ("Site_A_c24589e8_a1f3", ("Site_A", "c24589e8_a1f3")),
        ("Site_A.c24589e8_a1f3.csv", ("Site_A", "c24589e8_a1f3")),
        ("Site_A/c24589e8-a1f3", ("Site_A", "c24589e8-a1f3")),
        ("Site_Ac24589e8", None),
        ("c24589e8_a1f3", None),
        ("Site_A_", None),
    ],
)
def test_identifiers_name_site_and_stream(identifier: str, named: tuple[str, str] | None) -> None:
    assert Layout().stream_of(identifier) == named
