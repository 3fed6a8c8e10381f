"""What `pickle` gives for files of the writer, this reader gives too, whatever they hold."""

from __future__ import annotations

import pickle
import pickletools
import warnings
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from benchwright.suites.telemetry.bts.inside.machine import MOST_STEPS, Stream, stream
from benchwright.suites.telemetry.bts.writer import PROTOCOLS, in_form, pickled
from tests.telemetry.bts.compare import array, same

lengths = st.one_of(st.integers(0, 40), st.sampled_from([255, 256, 4096, 70_000]))
orders = st.sampled_from("<>")
number_types = st.one_of(
    arrays.floating_dtypes(endianness="?"), arrays.integer_dtypes(endianness="?"),
    arrays.unsigned_integer_dtypes(endianness="?"), st.just(np.dtype("?")),
)  # fmt: skip
time_types = st.one_of(
    st.builds(
        lambda unit, order: np.dtype(f"{order}M8[{unit}]"),
        st.sampled_from(["s", "ms", "us", "ns"]), orders,
    ),
    st.sampled_from([np.dtype("<f8"), np.dtype(">f8"), np.dtype("<i8"), np.dtype("<u4")]),
)  # fmt: skip
identifiers = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)
generations = st.sampled_from([1, 2])
protocols = st.sampled_from(PROTOCOLS)


def filled(kind: np.dtype[Any], count: int, seed: int) -> npt.NDArray[Any]:
    """Any bytes at all: NaN of every payload, infinities, garbage."""
    raw = np.random.Generator(np.random.Philox(seed)).bytes(count * kind.itemsize)
    if kind.kind == "b":
        return np.frombuffer(raw, np.uint8) % 2 == 1
    return np.frombuffer(raw, kind).copy()


def unpickled(data: bytes) -> list[Any]:
    """What Python itself gives; NumPy 2 warns of one name of NumPy 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found: list[Any] = pickle.loads(data)
    return found


def agrees(data: bytes) -> Stream:
    name, times, values = unpickled(data)
    found = stream(data)
    assert found.identifier == name
    assert same(found.times, times) and same(found.values, values)
    return found


@given(identifiers, time_types, number_types, lengths, protocols, generations, st.integers(0, 99))
def test_any_arrays_come_back_as_pickle_gives_them(
    name: str,
    times: np.dtype[Any],
    values: np.dtype[Any],
    count: int,
    protocol: int,
    numpy: Literal[1, 2],
    seed: int,
) -> None:
    given_times, given_values = filled(times, count, seed), filled(values, count, seed + 100)
    data = pickled(name, given_times, given_values, protocol, numpy=numpy)
    found = agrees(data)
    assert found.protocol == protocol
    for mine, theirs in ((found.times, given_times), (found.values, given_values)):
        assert array(mine).dtype == theirs.dtype and same(mine, theirs)


@given(
    st.lists(st.integers(0, 4 * 10**12), max_size=50), st.sampled_from(["seconds", "datetime64"]),
    protocols, generations,
)  # fmt: skip
def test_both_forms_of_time_come_back(
    ms: list[int], form: Literal["seconds", "datetime64"], protocol: int, numpy: Literal[1, 2]
) -> None:
    times = in_form(np.array(ms, dtype=np.int64), form)
    values = np.arange(len(ms), dtype=np.float64)
    agrees(pickled("Site_B_x", times, values, protocol, numpy=numpy))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_names_of_numpy_1_are_in_files_that_say_so(protocol: int, count: int) -> None:
    times, values = np.zeros(count, dtype="M8[ns]"), np.zeros(count)
    old = pickled("Site_B_x", times, values, protocol, numpy=1)
    new = pickled("Site_B_x", times, values, protocol, numpy=2)
    assert b"numpy._core" in new and b"numpy._core" not in old and b"numpy.core" in old
    agrees(old)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_other_ways_of_making_the_same_stream(protocol: int) -> None:
    times, both = np.arange(20).astype("M8[s]"), np.arange(20.0)
    frozen = both.copy()
    frozen.flags.writeable = False
    for values in (both[::2], both[::-1][:10], frozen[:10], np.asfortranarray(both[:10])):
        agrees(pickle.dumps(["Site_B_x", times[:10], values], protocol))
    agrees(pickle.dumps(("Site_B_x", both, both), protocol))
    assert (
        stream(pickle.dumps([np.str_("Site_Bäx"), both, both], protocol)).identifier == "Site_Bäx"
    )


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_steps_do_not_grow_with_length(protocol: int) -> None:
    counts = {
        sum(1 for _ in pickletools.genops(pickled("x", np.zeros(n), np.ones(n), protocol)))
        for n in (1, 1000, 300_000)
    }
    assert max(counts) < MOST_STEPS / 2
    assert max(counts) - min(counts) <= 4
