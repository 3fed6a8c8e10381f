"""The same set from the same readings, and one changed cell changes the golds that read it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.telemetry.house import Cells, cells, house
from tests.telemetry.questions import at
from tests.telemetry.sets import Built, build_into, reads


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("house")
    return build_into(house(folder / "data"), folder / "set")


def test_the_house_has_rows_of_every_family(plain: Built) -> None:
    families = Counter(gold["identity"]["family"] for gold in plain.golds.values())
    assert len(families) == 9 and min(families.values()) >= 2


@pytest.mark.parametrize(
    ("zone", "locale", "seed", "words"),
    [
        ("Asia/Tokyo", "de_DE.UTF-8", "1", ["mixed", "1"]),
        ("America/New_York", "C", "2", ["cut", "mixed", "4"]),
    ],
    ids=["shuffled, one thread", "in two files, four threads"],
)
def test_order_files_zone_locale_threads_and_hashes_change_nothing(
    plain: Built, tmp_path: Path, root: Path, zone: str, locale: str, seed: str, words: list[str]
) -> None:
    env = {"TZ": zone, "LC_ALL": locale, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": words[-1]}
    subprocess.run(
        [sys.executable, "-m", "tests.telemetry.house", str(tmp_path), *words],
        check=True,
        env={**os.environ, **env, "PYTHONPATH": f"{root}/src:{root}"},
        cwd=tmp_path,
    )
    assert Built(tmp_path / "set").identity == plain.identity


def reading(built: Built, cell: tuple[str, int]) -> set[str]:
    """Tasks whose row or conversation reads a cell."""
    stream, t = cell
    return {name for name, spans in spans_of(built).items() if any(
        s == stream and start <= t < end for s, start, end in spans)}  # fmt: skip


@cache
def spans_of(built: Built) -> dict[str, set[tuple[str, int, int]]]:
    return {name: set(reads(gold)) for name, gold in built.golds.items()}


def read_by(built: Built, family: str, split: str) -> tuple[str, int]:
    """A cell that rows of a family and split read; of these, one that most rows read."""
    readings = sorted(cell for cell, text in cells().items() if text != "-9.0")
    rows = [
        [(r["stream"], r["start"], r["end"]) for r in gold["evidence"]["reads"]]
        for gold in built.of(family)
        if gold["split"] == split
    ]
    spans = [span for row in rows for span in row]
    some = [c for c in readings if any(s == c[0] and a <= c[1] < b for s, a, b in spans)]
    return max(some, key=lambda cell: len(reading(built, cell)))


def a_tenth_more(readings: Cells, cell: tuple[str, int]) -> Cells:
    return {cell: f"{round(float(readings[cell]) * 10 + 1) / 10}"}


@pytest.mark.parametrize(
    ("family", "split", "cell"),
    [
        ("ranking", "test", None),
        ("exact_value", "test", None),
        ("window_mean", "train", ("B.t", at("2024-01-17T10:00"))),
    ],
)
def test_one_changed_cell_changes_exactly_the_golds_that_read_it(
    plain: Built, tmp_path: Path, family: str, split: str, cell: tuple[str, int] | None
) -> None:
    # Most cells of the training part decide a threshold; that one decides none.
    cell = cell or read_by(plain, family, split)
    rows = [plain.golds[name] for name in reading(plain, cell)]
    assert (family, split) in {(g["identity"]["family"], g["split"]) for g in rows}
    corpus = house(tmp_path / "data", a_tenth_more(cells(), cell))
    # The selection is frozen: the build would stop if the cell changed it.
    frozen = Path(corpus.where).with_suffix(".selection.txt")
    frozen.write_text(plain.shared("selection.txt"))
    changed = build_into(corpus, tmp_path / "set")
    assert changed.identity["thresholds"] == plain.identity["thresholds"]
    differ = {name for name, gold in plain.golds.items() if changed.golds[name] != gold}
    assert differ == reading(plain, cell) and differ
    assert plain.tasks.task_digests == changed.tasks.task_digests


def test_a_changed_mean_is_in_the_fields_of_the_gold(plain: Built, tmp_path: Path) -> None:
    gold = plain.of("daily_aggregate")[0]
    (read,) = gold["evidence"]["reads"]
    readings = cells()
    cell = next((s, t) for s, t in sorted(readings) if s == read["stream"] and t >= read["start"])
    corpus = house(tmp_path / "data", a_tenth_more(readings, cell))
    changed = build_into(corpus, tmp_path / "set")
    (other,) = [g for g in changed.golds.values() if g["key"] == gold["key"]]
    more = other["gold"]["fields"]["value"] - gold["gold"]["fields"]["value"]
    assert more == pytest.approx(0.1 / read["count"])
    assert other["evidence"]["reads"][0]["content"] != read["content"]
