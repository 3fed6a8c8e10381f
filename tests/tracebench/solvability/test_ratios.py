from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchwright.suites.tracebench.noise import spreads_of, variance
from benchwright.suites.tracebench.noise_kernels import scale_of
from benchwright.suites.tracebench.probes import ratio_tests, refusals
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.simulate import Runs, change_row, rows_of, simulate
from benchwright.suites.tracebench.solvability.reasons import VETOES, Reason
from benchwright.suites.tracebench.solvability.sums import LANES, gaps, scales, squares
from benchwright.suites.tracebench.solvability.terms import IMPACTS
from benchwright.suites.tracebench.systems import SYSTEMS
from tests.tracebench.solvability.drawn import recipes

KAPPA = 4.0


@pytest.mark.parametrize("size", [1, LANES - 1, LANES, 3 * LANES + 7])
def test_sums_in_lanes_are_sums(size: int) -> None:
    x, y = np.random.default_rng(size).normal(size=(2, size)).astype(np.float32)
    scratch, start = np.empty(LANES), size // 3
    a, b = x[start:].astype(float), y[start:].astype(float)
    assert squares(x, start, scratch) == pytest.approx(np.sum(a**2), rel=1e-12)
    assert gaps(x, y, start, scratch) == pytest.approx(np.sum((a - b) ** 2), rel=1e-12)


@pytest.mark.parametrize("shift", [0.0, 3.0, -30.0])
def test_the_scale_is_that_of_the_noise(shift: float) -> None:
    runs = np.random.default_rng(1).normal(size=(2, 3, 499)).astype(np.float32) + np.float32(shift)
    runs[0, 1] = 0.0
    expected = [[scale_of(channel.astype(float)) for channel in run] for run in runs]
    assert scales(runs, np.arange(2)) == pytest.approx(np.array(expected), rel=1e-12)
    runs[1, 2, 77], runs[0, 0, 3] = np.inf, np.nan
    assert np.argwhere(np.isnan(scales(runs, np.arange(2)))).tolist() == [[0, 0], [1, 2]]


@pytest.mark.parametrize("dynamics", ["released", "exact"])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_both_ratios_are_their_definition_with_the_closed_form(system: str, dynamics: str) -> None:
    drawn = recipes(f"{system.lower()}-paper-like", 6)[::5]
    target = simulate(drawn, dynamics)
    probes = [simulate([f(r) for r in drawn], dynamics) for f in (Recipe.baseline, Recipe.static)]
    for index, verdict in enumerate(ratio_tests(drawn, KAPPA, dynamics)):
        step = drawn[index].step
        assert step is not None
        start = change_row(target.system, step.time)
        found = (plainly(target, p, index, s) for p, s in zip(probes, (start, 0), strict=True))
        for ratios, expected in zip((verdict.no_change, verdict.static), found, strict=True):
            assert ratios == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("dynamics", ["released", "exact"])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_closed_form_and_observation_agree_where_a_change_moves_an_event(
    system: str, dynamics: str
) -> None:
    start, drawn = recipes(f"{system.lower()}-paper-like", 1)[0].baseline(), []
    events = simulate([start], dynamics).events[0]["time"]
    for one in recipes(f"{system.lower()}-paper-like", 1):
        assert one.step is not None
        moments = (float(time) - ahead for time in events[:3] for ahead in (0.001, 0.05))
        drawn += [replace(one, step=replace(one.step, time=time)) for time in moments if time > 0.1]
    assert len({recipe.configuration for recipe in drawn}) == 1 < len(drawn)
    target = simulate(drawn, dynamics)
    static = simulate([recipe.static() for recipe in drawn], dynamics)
    for index, verdict in enumerate(ratio_tests(drawn, KAPPA, dynamics)):
        expected = plainly(target, static, index, 0)
        assert verdict.static == pytest.approx(expected, rel=1e-9, abs=1e-12)


def plainly(target: Runs, probe: Runs, index: int, start: int) -> list[float]:
    rows = np.arange(target.time.size)
    near = np.zeros(rows.size, np.bool_)
    for runs in (target, probe):
        for row in rows_of(runs.events[index], *IMPACTS):
            near |= np.abs(rows - row) / target.system.rate_hz <= 0.030 + 1e-9
    ratios = []
    for channel, spread in enumerate(spreads_of(target)[index]):
        impulse = target.system.channels[channel].kind == "impulse"
        window = (rows >= start) & (near | (not impulse))
        a, b = (r.samples[index, channel, window].astype(float) for r in (target, probe))
        sigma = np.sqrt(variance(spread, KAPPA)[window].mean()) if window.any() else 1.0
        apart = np.sqrt(np.mean((a - b) ** 2)) if window.any() else 0.0
        ratios.append(float(apart / (sigma + 1e-12 * spread.scale)))
    return ratios


@pytest.mark.parametrize("dynamics", ["released", "exact"])
@pytest.mark.parametrize("kind", ["documented", "paper-like"])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_early_rejection_keeps_what_the_rules_in_full_keep(
    system: str, kind: str, dynamics: str
) -> None:
    drawn = recipes(f"{system.lower()}-{kind}", 24)
    vetoes = [veto.text for veto in VETOES[system]]
    for off in (frozenset[str](), *(frozenset(vetoes) - {veto} for veto in vetoes)):
        early = refusals(drawn, dynamics=dynamics, off=off)
        full = refusals(drawn, dynamics=dynamics, off=off, complete=True)
        assert [why is Reason.KEPT for why in early] == [why is Reason.KEPT for why in full]
        assert {why.text for why in early}.isdisjoint(off)


def test_more_noise_keeps_no_more() -> None:
    drawn = recipes("balldrop-paper-like", 24)
    low, high = (
        {i for i, why in enumerate(refusals(drawn, kappa)) if why is Reason.KEPT}
        for kappa in (1.0, 16.0)
    )
    assert high < low
