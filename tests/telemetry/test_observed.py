"""Observations are found wherever they lie: alone in row groups, shared ones, at every edge."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from benchwright.errors import FormatError
from benchwright.suites.telemetry.corpus.readings import Readings
from benchwright.suites.telemetry.store.observed import Observations
from benchwright.suites.telemetry.store.writing import ObservationWriter

SIZES = (3, 40_000, 10, 20_000, 20_000, 32_768, 70_000, 1, 90_001)


def stream(number: int, size: int) -> Readings:
    draw = np.random.default_rng(number)
    ts = 1_000 * number + np.cumsum(draw.integers(1, 50, size))
    zeros = np.zeros(size, dtype=np.int64)
    value = draw.integers(0, 900, size) / 10
    marks = draw.integers(0, 4, size).astype(np.uint8)
    return Readings(ts, value, marks, zeros.astype(np.int32), zeros, zeros.astype(np.int32))


def _cut(number: int, readings: Readings) -> list[Readings]:
    """Some streams whole, others in pieces that fit no row group."""
    step = (len(readings), 7_001, 50_000)[number % 3]
    return [readings.take(slice(a, a + step)) for a in range(0, len(readings), step)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Readings], list[int]]:
    folder = tmp_path_factory.mktemp("o") / "observations"
    every = [stream(n, size) for n, size in enumerate(SIZES)]
    writer = ObservationWriter(folder)
    parts = [writer.add(n, _cut(n, readings), len(readings)) for n, readings in enumerate(every)]
    writer.close()
    return folder, every, parts


def test_every_window_holds_exactly_its_readings(
    written: tuple[Path, list[Readings], list[int]],
) -> None:
    folder, every, parts = written
    observations, luck = Observations(folder), random.Random(1)
    for number, r in enumerate(every):
        for _ in range(25):
            low = luck.randrange(int(r.ts[0]) - 60, int(r.ts[-1]) + 60)
            high = low + luck.choice([0, 1, 70, 5_000, 3_000_000])
            found = observations.window(parts[number], number, low, high)
            inside = (r.ts >= low) & (r.ts < high)
            assert found.ts.tolist() == r.ts[inside].tolist()
            assert found.value.tolist() == r.value[inside].tolist()
            assert found.marks.tolist() == r.marks[inside].tolist()


def test_the_neighbours_of_every_instant_are_found(
    written: tuple[Path, list[Readings], list[int]],
) -> None:
    folder, every, parts = written
    observations, luck = Observations(folder), random.Random(2)
    for number, r in enumerate(every):
        edges = [i for k in range(1, 3) for i in (32_768 * k - 1, 32_768 * k) if i < len(r)]
        near = [int(r.ts[i]) + shift for i in (0, -1, *edges) for shift in (-1, 0, 1)]
        drawn = [luck.randint(int(r.ts[0]), int(r.ts[-1])) for _ in range(25)]
        for at in [*drawn, *near]:
            if r.ts[0] <= at <= r.ts[-1]:
                low = int(np.searchsorted(r.ts, at, side="right")) - 1
                high = int(np.searchsorted(r.ts, at, side="left"))
                wanted = [(r.ts[i], r.value[i], r.marks[i]) for i in dict.fromkeys((low, high))]
                assert observations.around(parts[number], number, at) == wanted


def test_a_part_that_is_damaged_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "part-00000.parquet").write_bytes(b"nothing")
    with pytest.raises(FormatError, match="observations cannot be read"):
        Observations(tmp_path).window(0, 0, 0, 1)
