from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.noise import runs_of, table
from benchwright.errors import SpecError
from benchwright.suites.tracebench.draws import DRIFT, WHITE, Stream
from benchwright.suites.tracebench.noise import (
    LEVELS,
    NoiseKey,
    drift,
    observe,
    observed,
    scales_of,
    spreads_of,
    variance,
)
from benchwright.suites.tracebench.noise_kernels import scale_of
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.sampler import steps
from benchwright.suites.tracebench.simulate import Runs, change_row, rows_of, simulate
from benchwright.suites.tracebench.systems import SYSTEMS, EventKind

CHANNELS = [(name, channel) for name in SYSTEMS for channel in range(3)]
NAMES = ("a", "b", "c", "d")
FIRST_NORMALS = [0.08388464868417607, -0.5433847670340982]
FIRST_UNIFORM = [0.19558449702015146]


@cache
def clean_runs(system: str) -> Runs:
    return simulate([steps(published(system)[i], 1, "test")[0] for i in range(len(NAMES))])


def some(system: str, chosen: list[int]) -> Runs:
    return simulate([clean_runs(system).recipes[i] for i in chosen])


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_noise_leaves_every_bit(system: str) -> None:
    runs = clean_runs(system)
    seen = observe(runs, LEVELS["none"], NoiseKey("0", NAMES))
    assert seen.samples.tobytes() == runs.samples.tobytes()
    assert seen.frame(1).equals(runs.frame(1))


@pytest.mark.parametrize("kappa", [-1e-9, -4.0, math.nan, math.inf, 1e300])
def test_an_unusable_level_is_refused(kappa: float) -> None:
    with pytest.raises(SpecError, match="noise level"):
        observe(clean_runs("MassSlide"), kappa, NoiseKey("0", NAMES))


def test_every_run_needs_a_name() -> None:
    with pytest.raises(SpecError, match="2 names, 4 runs"):
        observe(clean_runs("MassSlide"), 1.0, NoiseKey("0", ("a", "b")))


@settings(max_examples=20)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
def test_a_sample_does_not_depend_on_its_batch(chosen: list[int]) -> None:
    whole = observe(clean_runs("MassSlide"), 4.0, NoiseKey("s", NAMES))
    part = observe(some("MassSlide", chosen), 4.0, NoiseKey("s", tuple(NAMES[i] for i in chosen)))
    assert part.samples.tobytes() == whole.samples[chosen].tobytes()


@settings(max_examples=20)
@given(st.permutations(range(3)), st.sampled_from(sorted(SYSTEMS)), st.integers(1, 3))
def test_a_channel_does_not_depend_on_the_others(order: list[int], system: str, asked: int) -> None:
    runs = clean_runs(system)
    whole = observe(runs, 1.0, NoiseKey("s", NAMES))
    stream, spreads = Stream("s", NAMES[2]), spreads_of(runs)[2]
    for channel in order[:asked]:
        clean = runs.samples[2, channel].astype(np.float64)
        alone = observed(clean, spreads[channel], 1.0, stream, channel).astype(np.float32)
        assert alone.tobytes() == whole.samples[2, channel].tobytes()


def test_seed_name_channel_and_component_each_give_other_draws() -> None:
    blocks = [
        Stream(seed, name).normals(channel, component, 4)
        for seed in ("0", "1")
        for name in ("a", "b", "0")
        for channel in range(3)
        for component in range(3)
    ]
    assert len(np.unique(blocks)) == 4 * len(blocks)


def test_the_first_draws_of_a_known_name_never_change() -> None:
    assert Stream("0", "a").normals(1, WHITE, 2) == pytest.approx(FIRST_NORMALS, rel=1e-15)
    assert Stream("0", "a").uniforms(0, DRIFT, 1) == pytest.approx(FIRST_UNIFORM, rel=1e-15)


@pytest.mark.parametrize(("system", "channel"), CHANNELS)
def test_the_level_scales_everything_but_the_quantiser(system: str, channel: int) -> None:
    runs = clean_runs(system)
    clean = runs.samples[0, channel].astype(np.float64)
    spread = spreads_of(runs)[0][channel]
    low, high = (observed(clean, spread, k, Stream("0", "a"), channel) - clean for k in (1.0, 4.0))
    off = np.abs(high - 4.0 * low)
    if spread.step:
        assert 0.0 < off.max() <= 2.5 * spread.step * (1.0 + 1e-9)
    else:
        assert off.max() <= 1e-12 * spread.scale


@pytest.mark.parametrize("system", ["BallDrop", "BounceBall"])
def test_positions_lie_on_the_grid_of_the_quantiser(system: str) -> None:
    runs = clean_runs(system)
    spread, terms = spreads_of(runs)[0][0], SYSTEMS[system].noise[0]
    step = spread.step
    seen = observe(runs, 0.3, NoiseKey("0", NAMES)).samples[0, 0].astype(np.float64)
    cells = seen / step
    assert np.abs(cells - np.round(cells)).max() < 1e-3
    assert step == pytest.approx(terms.quant_scale * spread.scale)


@pytest.mark.parametrize(("system", "channel"), CHANNELS)
@pytest.mark.parametrize("kappa", [1.0, 4.0])
def test_closed_form_is_the_mean_square_of_draws(system: str, channel: int, kappa: float) -> None:
    runs, draws = clean_runs(system), 300
    clean = runs.samples[1, channel].astype(np.float64)
    spread = spreads_of(runs)[1][channel]
    window = slice(clean.size // 3, None)
    squares = np.array(
        [
            np.mean(
                (observed(clean, spread, kappa, Stream(str(n), "mc"), channel) - clean)[window] ** 2
            )
            for n in range(draws)
        ]
    )
    error = squares.std(ddof=1) / math.sqrt(draws)
    assert abs(squares.mean() - variance(spread, kappa)[window].mean()) < 4.0 * error


def test_drift_has_the_same_expected_square_at_every_instant() -> None:
    waves = np.stack([drift(Stream(str(n), "drift"), 0, 50) for n in range(4000)])
    square = np.mean(waves**2, axis=0)
    assert np.abs(square - 0.5).max() < 4.5 * math.sqrt(0.125 / 4000)
    assert np.abs(waves.mean(axis=0)).max() < 4.5 * math.sqrt(0.5 / 4000)


def test_transition_noise_stays_in_its_window() -> None:
    runs = clean_runs("BallDrop")
    spread = spreads_of(runs)[0][0]
    rows = rows_of(runs.events[0], EventKind.IMPACT, EventKind.SETTLE)
    near = np.abs(np.arange(spread.white.size)[:, None] - rows).min(axis=1) <= 1
    assert spread.white[near] == pytest.approx(math.sqrt(2) * 0.002 * spread.scale)
    assert spread.white[~near] == pytest.approx(0.002 * spread.scale)


def test_noise_after_a_wall_hit_decays() -> None:
    runs = clean_runs("BounceBall")
    hits = rows_of(runs.events[0], EventKind.IMPACT_LEFT, EventKind.IMPACT_RIGHT)
    assert hits[1] - hits[0] > 40
    spread, terms = spreads_of(runs)[0][1], SYSTEMS["BounceBall"].noise[1]
    flat = (terms.base * spread.scale) ** 2 + (terms.hetero * runs.samples[0, 1]) ** 2
    after = (spread.white**2 - flat)[hits[0] + 6 : hits[1] - 5]
    passed = np.arange(6, 6 + after.size) / 50.0
    expected = (terms.post_event * spread.scale * np.exp(-passed / terms.tau_s)) ** 2
    assert after == pytest.approx(expected, rel=1e-4, abs=1e-9 * spread.scale**2)


def test_a_constant_channel_takes_its_size_as_scale_and_a_silent_one_takes_one() -> None:
    runs = simulate([recipe.baseline() for recipe in clean_runs("MassSlide").recipes])
    normal = spreads_of(runs)[0][2]
    assert normal.scale == pytest.approx(abs(float(runs.samples[0, 2, 0])))
    assert scale_of(np.zeros(9)) == 1.0


@pytest.mark.parametrize("system", SYSTEMS)
def test_noise_before_a_change_does_not_know_the_change(system: str) -> None:
    drawn = steps(published(system)[0], 12, "test")
    kinds = {one.label: replace(one, step=replace(one.step, time=5.0)) for one in drawn if one.step}
    assert len(kinds) > 2
    runs = simulate([*kinds.values(), drawn[0].baseline()], "exact")
    seen = observe(runs, 4.0, NoiseKey("s", ("a",) * len(runs))).samples
    before = seen[:, :, : change_row(runs.system, 5.0)]
    assert before.shape[2] > 100
    assert (before == before[0]).all()
    assert not (seen == seen[0]).all()


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_event_that_a_change_brings_or_keeps_away_does_not_announce_it(system: str) -> None:
    unchanged = published(system)[0]
    events = simulate([unchanged], "exact").events[0]["time"]
    moments = [float(time) - ahead for time in events[:6] for ahead in (0.001, 0.02, 0.05)]
    drawn = [one.step for one in steps(unchanged, 6, "test") if one.step]
    stepped = [replace(step, time=time) for step in drawn for time in moments if time > 0.1]
    runs = simulate([replace(unchanged, step=step) for step in stepped], "exact")
    plain = simulate([unchanged], "exact")
    key = NoiseKey("s", ("a",) * len(runs))
    seen, of_plain = observe(runs, 4.0, key), observe(plain, 4.0, NoiseKey("s", ("a",)))
    for index, step in enumerate(stepped):
        change = change_row(runs.system, step.time)
        assert (seen.samples[index, :, :change] == of_plain.samples[0, :, :change]).all()
    assert announced(runs, plain)


def announced(runs: Runs, plain: Runs) -> bool:
    """Whether windows around their own events would tell some run from the unchanged one."""
    reach = max(w.before for terms in runs.system.noise for w in terms.windows)
    known = set(plain.events[0]["row"].tolist())
    for recipe, events in zip(runs.recipes, runs.events, strict=True):
        assert recipe.step is not None
        change = change_row(runs.system, recipe.step.time)
        near = set(range(change, change + reach))
        if near & known != near & set(events["row"].tolist()):
            return True
    return False


@pytest.mark.parametrize("dynamics", ["released", "exact"])
def test_the_noise_of_a_published_run_refers_to_itself_and_of_ours_to_the_unchanged_run(
    dynamics: str,
) -> None:
    stepped = clean_runs("MassSlide").recipes
    runs = simulate([*stepped, *(recipe.baseline() for recipe in stepped)], dynamics)
    own = [[scale_of(channel.astype(float)) for channel in run] for run in runs.samples]
    unchanged = own[len(stepped) :]
    assert own[: len(stepped)] != unchanged
    first = own[: len(stepped)] if dynamics == "released" else unchanged
    assert scales_of(runs).tolist() == [*first, *unchanged]


def test_nine_channels_have_the_published_signal_to_noise_ratio() -> None:
    rows = table(runs_of)
    assert len(rows) == 9
    for row in rows:
        assert abs(row.low - row.published[0]) < 2.0
        assert abs(row.gap - row.wanted_gap) < 0.05
