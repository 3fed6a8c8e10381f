"""Thinned series look like the whole ones: no peak is lost, and equal data stand once."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.report.viewer import Trace, thin, trace_file


@given(st.integers(1, 4000), st.integers(0, 2**32 - 1), st.integers(3, 60))
def test_every_single_row_impulse_is_kept(rows, seed, buckets):
    rng = np.random.default_rng(seed)
    values = np.zeros(rows, np.float32)
    spikes = rng.choice(rows, min(rows, buckets // 2), replace=False)
    values[spikes] = rng.choice([-1, 1], len(spikes)) * rng.uniform(1, 2, len(spikes))
    kept = thin(values, buckets)
    width = max(1, -(-rows // buckets))
    for bucket in range(0, rows, width):
        part = values[bucket : bucket + width]
        own = values[kept[(kept >= bucket) & (kept < bucket + width)]]
        for extreme in (part.min(), part.max()):
            assert extreme == 0 or extreme in own


@given(st.lists(st.floats(-10, 10, width=32), min_size=1, max_size=300), st.integers(1, 20))
def test_kept_rows_are_in_order_and_hold_both_ends(values, buckets):
    kept = thin(np.array(values, np.float32), buckets)
    assert np.all(np.diff(kept) > 0)
    assert (kept[0], kept[-1]) == (0, len(values) - 1)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=1, max_size=80))
def test_a_short_series_is_drawn_exactly(values):
    series = np.array(values, np.float32)
    kept = thin(series)
    drawn = np.interp(np.arange(len(series)), kept, series[kept])
    assert drawn == pytest.approx(series, abs=0)


def test_a_smooth_channel_shrinks_to_at_most_four_rows_a_bucket():
    series = np.sin(np.arange(39_999) / 5000).astype(np.float32)
    assert len(thin(series)) <= 4 * 500


@given(st.integers(2500, 9000), st.integers(0, 2**32 - 1), st.booleans())
def test_an_impulse_of_one_row_is_drawn_one_row_wide(rows, seed, down):
    rng = np.random.default_rng(seed)
    values = np.zeros(rows, np.float32)
    values[rng.choice(rows)] = -1 if down else 1
    for buckets in (150, 500):
        kept = thin(values, buckets)
        assert np.array_equal(np.interp(np.arange(rows), kept, values[kept]), values)


def test_a_data_file_gives_the_values_back_bit_by_bit():
    values = np.random.default_rng(2).normal(size=(3, 499)).astype(np.float32)
    key, text = trace_file(Trace("observed", "observed", values))
    start = f'benchwright.trace("{key}",'
    assert text.startswith(start)
    channels = json.loads(text[len(start) : -len(");\n")])["channels"]
    read = [np.frombuffer(base64.b64decode(c["values"]), "<f4") for c in channels]
    assert np.array_equal(np.array(read), values)


def test_equal_values_share_a_file_whatever_they_are_called():
    values = np.ones((3, 20), np.float32)
    first, second = Trace("clean", "clean", values), Trace("probe", "no_change", values.copy())
    assert trace_file(first) == trace_file(second)
    assert trace_file(Trace("x", "clean", values * 2))[0] != trace_file(first)[0]
