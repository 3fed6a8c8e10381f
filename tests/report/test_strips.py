"""Small drawings of a specimen keep what matters: shape, peaks, a common scale, room for probes."""

from __future__ import annotations

import re
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.report.page import MOST_LEVELS, Cell, Specimen
from benchwright.report.strips import HEIGHT, WIDTH, outline, strips, ticks
from benchwright.report.viewer import Axis, Trace

UNIT = st.floats(-1, 1, width=32)


def points(path: str) -> np.ndarray:
    """Corners of a path that moves once and then draws relative lines."""
    start, _, rest = path.removeprefix("M").partition("l")
    moves = np.array(re.findall(r"-?\d+", f"{start} {rest}"), dtype=float).reshape(-1, 2)
    return moves.cumsum(axis=0)


def specimen(levels, probes=(), mark=None) -> Specimen:
    named = [Trace(f"n{i}", "observed", values) for i, values in enumerate(levels)]
    drawn = [Trace(r, r, v) for r, v in zip(("no_change", "static"), probes, strict=False)]
    axes = tuple(Axis("height", "m") for _ in levels[0])
    return Specimen("s", "S", "", "?", ("a", "b"), "a", axes, tuple(named), tuple(drawn),
                    0.01, 0.01, mark, (), Cell())  # fmt: skip


@given(st.lists(UNIT, min_size=2, max_size=60))
def test_a_short_series_is_drawn_to_the_unit(values):
    series = np.array(values, np.float32)
    drawn = points(outline(series, -1.1, 1.1))
    step = WIDTH / (len(series) - 1)
    expected = (1.1 - series.astype(float)) * HEIGHT / 2.2
    steepest = np.abs(np.diff(expected)).max() / step
    found = np.interp(np.arange(len(series)) * step, drawn[:, 0], drawn[:, 1])
    assert found == pytest.approx(expected, abs=1 + steepest)


@given(st.integers(700, 6000), st.integers(0, 2**32 - 1))
def test_a_peak_of_a_single_row_of_a_long_series_is_seen(rows, seed):
    rng = np.random.default_rng(seed)
    series = rng.normal(size=rows).astype(np.float32)
    row = int(rng.integers(rows))
    series[row] = 50.0
    drawn = points(outline(series, -50.0, 50.0))
    top = drawn[drawn[:, 1].argmin()]
    assert top[1] == 0
    assert top[0] == pytest.approx(row * WIDTH / (rows - 1), abs=0.51)


def test_a_straight_line_needs_its_ends_only():
    assert outline(np.zeros(300, np.float32), -1, 1) == f"M0 75l{WIDTH} 0"
    rising = np.linspace(0, 1, 31, dtype=np.float32)
    assert outline(rising, 0, 1) == f"M0 {HEIGHT}l{WIDTH}-{HEIGHT}"


@given(st.lists(UNIT, min_size=8, max_size=8), st.lists(UNIT, min_size=8, max_size=8),
       st.floats(1, 50))  # fmt: skip
def test_levels_fill_the_frame_and_probes_fit_once_it_is_stretched(own, other, factor):
    level = np.array([own], np.float32)
    probe = np.array([other], np.float32) * np.float32(factor)
    (strip,) = strips(specimen([level], [probe]))
    shown = points(strip.curves[0].path)[:, 1]
    assert shown.min() >= 0 and shown.max() <= HEIGHT
    slack = 1 + factor / 100
    for curve in strip.curves:
        moved = points(curve.path)[:, 1] * strip.stretch + strip.shift
        assert moved.min() >= -slack and moved.max() <= HEIGHT + slack


def test_the_change_is_marked_at_its_time():
    values = np.zeros((1, 101), np.float32)
    (strip,) = strips(specimen([values], mark=0.01 + 0.25))
    assert strip.mark == WIDTH // 4
    assert strips(specimen([values]))[0].mark is None


def test_a_scale_is_written_as_precisely_as_it_is_wide():
    values = np.array([[-0.057, 4.93], [-121.0, 45_678.0], [1.0, 1.0]], np.float32)
    drawn = strips(specimen([values]))
    assert [strip.span for strip in drawn] == ["−0.1 to 4.9", "0 to 46k", "1 to 1"]
    assert drawn[0].label == "height (m)"


def test_times_run_to_the_end_of_the_series():
    assert ticks(specimen([np.zeros((1, 999), np.float32)])) == ("0", "5", "10 s")


def test_the_style_sheet_can_show_every_level_and_every_probe():
    sheet = (resources.files("benchwright.report") / "assets" / "style.css").read_text()
    for level in range(MOST_LEVELS):
        assert f'.level[value="{level}"]:checked) .level-{level}' in sheet
    for kind in ("no-change", "static"):
        assert f".show-{kind}:checked) .curve.{kind}" in sheet
    assert ".show-instant:checked) .instant" in sheet
