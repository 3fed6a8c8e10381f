"""A rebuild may round series by one step of float32, and says so; more is a fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.canonical import digest_file
from benchwright.checks.model import Note, Problem
from benchwright.checks.steps import steps_apart
from benchwright.cli.check import check_set
from benchwright.suites.specs import build_set
from tests.quality.planting import (
    change_gold,
    change_toml,
    digest_tree,
    golds_of,
    identity,
    set_digest,
    tasks_of,
)

SPEC = """
suite = "tracebench"
systems = ["MassSlide"]
noise = ["low"]
heldout = 2
secret = false
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rounding")
    (folder / "spec.toml").write_text(SPEC)
    return build_set(str(folder / "spec.toml"), folder / "set", "serial").path


def stepped(path: Path, column: str, steps: int) -> None:
    """One number of a file, some steps of float32 further up."""
    table = pq.read_table(path)
    values = table[column].combine_chunks()
    numbers = (values.flatten() if pa.types.is_list(values.type) else values).to_numpy().copy()
    for _ in range(steps):
        numbers[7] = np.nextafter(numbers[7], np.float32(np.inf))
    made = pa.array(numbers)
    if pa.types.is_list(values.type):
        made = pa.ListArray.from_arrays(values.offsets, made)
    place = table.column_names.index(column)
    field = table.schema.field(column)
    table = table.set_column(place, field, made)
    compression = "none" if column == "col1" else "zstd"
    pq.write_table(table.cast(table.schema), path, compression=compression)


def as_elsewhere(copy: Path, sample: int = 0, series: int = 0) -> None:
    """What a set is like whose builder had another processor: ids stay, digests follow bytes."""
    if sample:
        names = {path.name: path for path in sorted(copy.glob("tasks/*/files/*/*.parquet"))}
        for path in copy.glob(f"tasks/*/files/*/{min(names)}"):
            stepped(path, "col1", sample)
    shared = copy / "held" / "shared"
    held = shared / "heldout-massslide-low.parquet"
    before = digest_file(held)
    if series:
        stepped(held, "col2", series)
        for gold in golds_of(copy):
            change_gold(gold, lambda data: rename(data, before, digest_file(held)))
    state_digests(copy)


def rename(gold: dict[str, dict[str, str]], before: str, after: str) -> None:
    if gold["heldout"] and gold["heldout"]["digest"] == before:
        gold["heldout"]["digest"] = after


def state_digests(copy: Path) -> None:
    shared = copy / "held" / "shared"

    def tasks(data: dict[str, object]) -> None:
        found = {folder.name: identity(folder) for folder in tasks_of(copy)}
        whole = set_digest(data["suite"], data["spec"], data["marks"], found)  # type: ignore[arg-type]
        data.update(tasks=found, digest=whole)

    def held(data: dict[str, dict[str, str]]) -> None:
        data["golds"] = {folder.name: digest_tree(folder) for folder in golds_of(copy)}
        data["shared"] = {name: digest_file(shared / name) for name in data["shared"]}

    change_toml(copy / "taskset.toml", tasks)
    change_toml(shared / "digests.toml", held)


def found(copy: Path) -> list[Problem | Note]:
    return list(check_set(copy, "structure,rebuild").found)


def said(copy: Path) -> str:
    notes = [n for n in found(copy) if isinstance(n, Note) and n.check == "rebuild"]
    return notes[0].text


def test_a_set_of_this_machine_is_made_again_to_the_byte(whole: Path) -> None:
    assert said(whole) == "2 of 2 tasks and golds are made again, to the byte"


def test_numbers_rounded_differently_are_counted(whole: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(whole, tmp_path / "set")
    as_elsewhere(copy, sample=1, series=1)
    assert said(copy) == (
        "2 of 2 tasks and golds are made again; rounded differently: "
        "3 numbers in 3 files of series, each by one step of float32"
    )


@pytest.mark.parametrize(("sample", "series"), [(2, 0), (0, 2), (1, 2)])
def test_two_steps_are_a_fault(whole: Path, tmp_path: Path, sample: int, series: int) -> None:
    copy = shutil.copytree(whole, tmp_path / "set")
    as_elsewhere(copy, sample=sample, series=series)
    assert [f for f in found(copy) if isinstance(f, Problem)]


@pytest.mark.parametrize("place", ["truth", "heldout"])
def test_rounding_hides_no_change_of_a_gold(whole: Path, tmp_path: Path, place: str) -> None:
    copy = shutil.copytree(whole, tmp_path / "set")
    as_elsewhere(copy, series=1)
    gold = next(g for g in golds_of(copy) if "programmatic" in g.name)

    def exchanged(data: dict[str, dict[str, dict[str, str]]]) -> None:
        truth = data["truth"] if place == "truth" else data["heldout"]["truth"]
        first, last = min(truth), max(truth, key=lambda name: truth[name] != truth[min(truth)])
        truth[first], truth[last] = truth[last], truth[first]

    change_gold(gold, exchanged)
    state_digests(copy)
    assert [f.where for f in found(copy) if isinstance(f, Problem)] == [gold.name]


Table = Callable[[float], pa.Table]


@pytest.mark.parametrize(
    "table",
    [
        lambda x: pa.table({"a": pa.array([x], pa.float64())}),
        lambda x: pa.table({"a": pa.array([str(x)])}),
        lambda x: pa.table({"a": pa.array([np.float32(x)])}).replace_schema_metadata({"x": str(x)}),
        lambda x: pa.table({str(x): pa.array([1.0], pa.float32())}),
        lambda x: pa.table({"a": pa.array([1.0] * (1 if x == 1 else 2), pa.float32())}),
        lambda x: pa.table({"a": pa.array([None if x == 1 else 1.0], pa.float32())}),
    ],
    ids=["float64", "text", "metadata", "name", "rows", "null"],
)
def test_only_numbers_of_float32_may_differ(tmp_path: Path, table: Table) -> None:
    for name, value in (("old", 1.0), ("new", float(np.nextafter(np.float32(1), 2)))):
        pq.write_table(table(value), tmp_path / name)
    assert steps_apart(tmp_path / "old", tmp_path / "new") is None


def test_a_file_that_is_no_parquet_is_never_a_matter_of_rounding(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("one")
    (tmp_path / "new").write_text("two")
    assert steps_apart(tmp_path / "old", tmp_path / "new") is None
