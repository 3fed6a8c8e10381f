"""The nine published clean traces, where they can be had."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.fidelity import fit
from benchmarks.traces import CONTACT, MOTION, Trace, agreement, traces
from benchwright.suites.tracebench.simulate import simulate

NAMES = [f"{system} {i}" for system in ("BallDrop", "BounceBall", "MassSlide") for i in (1, 2, 4)]


def trace(shared: Path, name: str) -> Trace:
    return next(found for found in traces(shared) if found.name == name)


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith("BallDrop 1")])
def test_a_published_trace_is_reproduced_before_and_after_its_change(
    shared: Path, name: str
) -> None:
    assert fit(trace(shared, name)).met


@pytest.mark.slow
def test_the_trace_with_most_impacts_is_reproduced_to_its_end(shared: Path) -> None:
    found = fit(trace(shared, "BallDrop 1"))
    assert found.met
    # One contact of this trace stands a row after its rebound.
    assert (found.before.displaced, found.after.displaced) == (0, 1)


def test_the_comparison_sees_an_error_just_beyond_a_bound(shared: Path) -> None:
    whole = trace(shared, "BallDrop 4")
    samples = fit(whole).recipe
    series = simulate([samples]).samples[0]
    contact = int(np.flatnonzero(whole.series[2] > 1000.0)[0])
    row = whole.rows[contact]
    for channel, change in ((0, 1.1 * MOTION), (1, -1.1 * MOTION)):
        moved = series.copy()
        moved[channel, row] += change
        assert agreement(whole, moved).out[channel] == 1
    scaled = series.copy()
    scaled[2, row] *= 1.0 + 1.1 * CONTACT
    assert agreement(whole, scaled).out == (0, 0, 1)
    scaled[2, row] = 0.0
    assert agreement(whole, scaled).out == (0, 0, 1)


def test_contacts_that_stand_a_row_beside_the_trace_are_refused(shared: Path) -> None:
    whole = trace(shared, "BallDrop 4")
    found = fit(whole)
    series = simulate([found.recipe]).samples[0]
    series[2] = np.roll(series[2], 1)
    late = replace(found, before=agreement(whole, series))
    assert late.before.displaced == 2
    assert found.met and not late.met
