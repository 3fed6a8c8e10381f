"""The bar of the exact dynamics on a few of its draws; all of them: `python3 run.py bars exact`."""

from __future__ import annotations

import pytest

from benchmarks.exact import SHARE, TIME_S, match
from benchmarks.exact_draws import draws
from benchwright.suites.tracebench.systems import SYSTEMS

FEW = 16


@pytest.mark.parametrize("name", SYSTEMS)
def test_events_and_channels_are_those_of_a_tight_integrator(name: str) -> None:
    found = [match(one) for one in draws(name, FEW)]
    assert sum(one.events for one in found) > FEW
    for one in found:
        assert one.same
        assert one.time <= TIME_S
        assert max(one.channels) <= SHARE


@pytest.mark.parametrize("name", SYSTEMS)
def test_draws_depend_on_nothing_but_their_number(name: str) -> None:
    assert draws(name, 12) == draws(name, 40)[:12]
    assert len({one.digest for one in draws(name, 40)}) == 40
