"""A store that was edited after its build is found by name: table, reading, own statement."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from benchwright.checks.model import Note, Subject
from benchwright.suites.telemetry.stored import check_store
from benchwright.suites.telemetry.suite import SUITE
from benchwright.tasks.taskset import HeldSet, TaskSet
from tests.telemetry.house import house
from tests.telemetry.sets import Built, build_into


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("stored")
    return build_into(house(folder / "data"), folder / "set")


def found(path: Path) -> list[str]:
    every = check_store(Subject(TaskSet.open(path), HeldSet.open(path), SUITE, "none"))
    return ["" if isinstance(one, Note) else one.where for one in every]


def copied(small: Built, tmp_path: Path) -> Path:
    shutil.copytree(small.path, tmp_path / "set")
    return tmp_path / "set"


def test_a_store_as_it_was_built_is_right(small: Built) -> None:
    assert found(small.path) == [""]


def test_a_changed_cell_of_a_table_is_named(small: Built, tmp_path: Path) -> None:
    path = copied(small, tmp_path)
    with duckdb.connect(str(path / "store" / "store.duckdb")) as connection:
        connection.execute("UPDATE aggregates_day SET mean = mean + 1 WHERE stream IS NOT NULL")
    assert found(path) == ["store/store.duckdb: aggregates_day"]


def test_a_changed_reading_is_named_by_its_stream(small: Built, tmp_path: Path) -> None:
    path = copied(small, tmp_path)
    (part, *_) = sorted((path / "store" / "observations").iterdir())
    table = pq.read_table(part)
    values = table.column("value").to_pylist()
    values[len(values) // 2] += 1.0
    place = table.schema.get_field_index("value")
    pq.write_table(table.set_column(place, table.schema.field(place), [values]), part)
    (where,) = found(path)
    assert where.startswith("store/observations: ")


def test_a_store_of_another_build_is_not_that_of_the_set(small: Built, tmp_path: Path) -> None:
    path = copied(small, tmp_path)
    file = path / "store" / "store.toml"
    text = file.read_text()
    line = next(one for one in text.splitlines() if one.startswith("thresholds = "))
    file.write_text(text.replace(line, f'thresholds = "{"0" * 64}"'))
    assert found(path) == ["store/store.toml", "store/store.duckdb: thresholds"]
