"""Streams that do not fit into memory: merged, measured and cut as if they were whole."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.contract.aggregate import Sums, mean_of_groups
from benchwright.suites.telemetry.contract.measure import Measures, Measuring, Rules, measure
from benchwright.suites.telemetry.contract.periods import Window, periods_between
from benchwright.suites.telemetry.corpus.merge import Merging, Stream, merged
from benchwright.suites.telemetry.corpus.model import ValueClass
from benchwright.suites.telemetry.corpus.pieces import Bounds, Pieces
from benchwright.suites.telemetry.corpus.readings import COLUMNS, Readings
from benchwright.suites.telemetry.corpus.regimes import Step
from benchwright.suites.telemetry.corpus.spool import Spool
from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.store.passes import distinct, gaps, in_places, whole_periods

WHOLE = Bounds(10**9, 10**9)
TIGHT = (Bounds(1, 1), Bounds(90, 16), Bounds(2_000, 100))
HOUR = 3_600_000
EPOCH = 400_000 * HOUR
"""Somewhere in 2015: readings near 1970 are refused."""


def made(seed: int, count: int, step: int = HOUR) -> Readings:
    """Readings in no order, many instants twice; equal instants have equal values."""
    draw = np.random.default_rng(seed)
    place = draw.integers(0, count, count)
    ts = EPOCH + place * step
    value = np.where(place % 7 < 3, 0.0, (place % 50) / 10)
    places = np.arange(count, dtype=np.int64)
    file = draw.integers(0, 3, count).astype(np.int32)
    return Readings(
        ts, value, draw.integers(0, 2, count).astype(np.uint8), file, places, file * np.int32(2)
    )


def spooled(folder: Path, parts: list[Readings], bounds: Bounds) -> Spool:
    folder.mkdir()
    spool = Spool(folder, bounds)
    for number, part in enumerate(parts):
        spool.add("s", part)
        spool.add(f"other {number % 4}", part.take(slice(3)))
        spool.add_missing("s", part.ts[::9] + HOUR // (1 + number % 2))
    return spool


def stream(folder: Path, parts: list[Readings], bounds: Bounds, **rules: str) -> Stream:
    spool = spooled(folder, parts, bounds)
    told = Merging(**{"zero": "value", "conflicts": "refuse", **rules}, files=("a", "b", "c"))
    return merged("s", spool.readings("s"), 0, told, Pieces(folder, bounds.piece))


def cut(every: Readings, size: int) -> list[Readings]:
    return [every.take(slice(a, a + size)) for a in range(0, len(every), size)]


def same(one: Readings, other: Readings) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COLUMNS)


@pytest.mark.parametrize("bounds", TIGHT)
def test_a_stream_that_was_spooled_is_the_one_that_was_not(tmp_path: Path, bounds: Bounds) -> None:
    parts = cut(made(4, 3_000), 170)
    one = stream(tmp_path / "one", parts, WHOLE, zero="dropout")
    two = stream(tmp_path / "two", parts, bounds, zero="dropout")
    assert len(list(one.pieces)) == 1 and len(list(two.pieces)) > 10
    assert same(one.readings, two.readings)
    told = [(s.decimals, s.repeats, s.conflicts, s.missing, s.early) for s in (one, two)]
    assert told[0] == told[1] and min(told[0][1], told[0][3]) > 100


@pytest.mark.parametrize("bounds", TIGHT)
def test_contradictions_are_found_across_runs(tmp_path: Path, bounds: Bounds) -> None:
    parts = cut(made(4, 500), 50)
    wrong = parts[0].take(slice(1))
    parts.append(Readings(wrong.ts, wrong.value + 1, *(getattr(wrong, c) for c in [*COLUMNS][2:])))
    with pytest.raises(SpecError, match="two readings of one stream and instant differ"):
        stream(tmp_path / "refused", parts, bounds)
    one = stream(tmp_path / "whole", parts, WHOLE, conflicts="drop")
    two = stream(tmp_path / "pieces", parts, bounds, conflicts="drop")
    assert one.conflicts == two.conflicts == 1 and same(one.readings, two.readings)


def test_one_instant_that_fills_many_runs_is_not_parted(tmp_path: Path) -> None:
    ones = [np.ones(4_000, kind) for kind in COLUMNS.values()]
    parts = [Readings(*ones) for _ in range(6)]
    spool = spooled(tmp_path / "spool", parts, Bounds(4_000, 50))
    (first, *_) = [piece for piece in spool.readings("s") if (piece.ts == 1).any()]
    assert (first.ts == 1).sum() == 24_000


def pieces_of(folder: Path, every: Readings, size: int) -> Pieces:
    found = Pieces(folder, size)
    for part in cut(every, 3 * size // 2 + 1):
        found.append(part)
    return found


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Readings:
    """A stream of 3,000 hours with gaps, runs of equal values and spikes."""
    return stream(tmp_path_factory.mktemp("s") / "s", [made(8, 5_000)], WHOLE).readings


@pytest.mark.parametrize("size", [40, 999, 10_000])
def test_figures_of_pieces_are_those_of_the_whole(
    tmp_path: Path, every: Readings, size: int
) -> None:
    pieces = pieces_of(tmp_path, every, size)
    assert same(Readings(*(np.concatenate([*pieces.column(c)]) for c in COLUMNS)), every)
    between = np.sort(np.diff(every.ts))
    wanted = [0, len(between) // 2, len(between) - 1]
    for limit in (5, 10_000):
        found = in_places(lambda: gaps(pieces), wanted, limit)
        assert found == between[wanted].tolist()
    assert distinct(pieces) == len(set(every.value.tolist()))


@pytest.mark.parametrize("size", [5, 999, 10_000])
@pytest.mark.parametrize("period", ["day", "week", "month"])
def test_every_period_is_cut_once_and_whole(
    tmp_path: Path, every: Readings, size: int, period: str
) -> None:
    lost = every.take((every.ts < EPOCH + 500 * HOUR) | (every.ts > EPOCH + 2_500 * HOUR))
    clock = zone("Europe/Berlin")
    found = list(whole_periods(pieces_of(tmp_path, lost, size), period, clock))
    at = periods_between(int(lost.ts[0]), int(lost.ts[-1]), period, clock)
    starts = [int(start) for _, periods in found for start in periods.edges[:-1]]
    assert starts == at.edges[:-1].tolist()
    for readings, periods in found:
        assert readings.ts[0] >= periods.edges[0] and readings.ts[-1] < periods.edges[-1]
    assert sum(len(readings) for readings, _ in found) == len(lost)


@pytest.mark.parametrize("steps", [(), (Step(None, HOUR), Step(EPOCH + 900 * HOUR, 2 * HOUR))])
def test_a_window_is_measured_in_pieces_as_it_is_whole(
    every: Readings, steps: tuple[Step, ...]
) -> None:
    rules = ValueClass(
        name="T", kind="instant", range=(0.5, 4.5), sentinels=(1.1,), frozen_hours=2.5
    )
    window = Window(int(every.ts[0]) - 5, int(every.ts[-1]) + 9 * HOUR)
    median = float(np.median(np.diff(every.ts)))
    whole = measure(every.ts, every.value, every.marks, window, Rules(rules, steps, median))
    assert min(whole.frozen, whole.spike, whole.range, whole.sentinel) > 10
    luck = random.Random(3)
    for _ in range(30):
        measuring = Measuring(window, Rules(rules, steps, median), median)
        at = 0
        while at < len(every):
            part = every.take(slice(at, at := at + luck.choice([0, 1, 2, 5, 700])))
            measuring.add(part.ts, part.value, part.marks)
        found: Measures = measuring.measures()
        assert found == whole


@pytest.mark.parametrize("decimals", [1, None])
def test_sums_of_pieces_are_exact(decimals: int | None) -> None:
    luck = random.Random(6)
    values = [luck.randrange(-(10**9), 10**9) / 10 for _ in range(500)]
    if decimals is None:
        values = [v * 10.0 ** luck.randrange(-20, 20) for v in values]
    whole = mean_of_groups(np.array(values), np.array([0]), decimals)[0]
    for _ in range(10):
        sums, left = Sums(decimals), luck.sample(values, len(values))
        while left:
            size = luck.choice([1, 2, 100])
            sums.add(7, np.array(left[:size]))
            left = left[size:]
        assert sums.means() == [(7, 500, whole)]
