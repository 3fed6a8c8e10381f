"""A store that was edited after its build is found by name: table, reading, own statement."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.checks.model import Note, Subject
from benchwright.errors import FormatError
from benchwright.suites.telemetry.store.open import Store
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


def outside(path: Path, *, early: bool) -> str:
    """One row more, an hour before the first reading of a stream or after the last; its stream."""
    (part, *_) = sorted((path / "store" / "observations").iterdir())
    table = pq.read_table(part)
    rows = table.to_pylist()
    number = rows[0]["stream"]
    last = max(i for i, row in enumerate(rows) if row["stream"] == number)
    place, by = (0, -3_600_000) if early else (last, 3_600_000)
    row = {**rows[place], "ts": rows[place]["ts"] + by, "value": 99_999.0}
    rows.insert(place if early else place + 1, row)
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), part)
    return str(Built(path).store.rows("SELECT stream FROM points WHERE number = ?", [number])[0][0])


@pytest.mark.parametrize("early", [True, False])
def test_a_reading_outside_the_extent_of_its_stream_is_named(
    small: Built, tmp_path: Path, early: bool
) -> None:
    path = copied(small, tmp_path)
    stream = outside(path, early=early)
    assert f"store/observations: {stream}" in found(path)


def edited(path: Path, column: str, value: object) -> None:
    (part, *_) = sorted((path / "store" / "observations").iterdir())
    table = pq.read_table(part)
    rows = table.to_pylist()
    for row in rows[:50]:
        row[column] = value
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), part)


@pytest.mark.parametrize("column", ["row", "column", "file"])
def test_an_edited_cell_that_a_reading_came_from_is_named(
    small: Built, tmp_path: Path, column: str
) -> None:
    path = copied(small, tmp_path)
    edited(path, column, 0 if column != "file" else 1)
    (where,) = found(path)
    of_its_stream = "store/observations: "
    assert where == "store/observations/part-00000.parquet" or where.startswith(of_its_stream)


def test_rows_of_no_stream_are_named(small: Built, tmp_path: Path) -> None:
    path = copied(small, tmp_path)
    (part, *_) = sorted((path / "store" / "observations").iterdir())
    table = pq.read_table(part)
    row = {**table.to_pylist()[-1], "stream": 9_999}
    more = pa.Table.from_pylist([row], schema=table.schema)
    pq.write_table(pa.concat_tables([table, more]), part)
    assert "store/observations/part-00000.parquet" in found(path)


def test_parts_files_and_tables_that_no_build_makes_are_named(small: Built, tmp_path: Path) -> None:
    path = copied(small, tmp_path)
    store = path / "store"
    (part, *_) = sorted((store / "observations").iterdir())
    shutil.copy(part, store / "observations" / "part-99999.parquet")
    (store / "notes.txt").write_text("mine")
    with duckdb.connect(str(store / "store.duckdb")) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS x")
        connection.execute("CREATE VIEW yours AS SELECT 1 AS x")
        connection.execute("ALTER TABLE owners ADD COLUMN z INTEGER")
    named = {
        *("store/observations/part-99999.parquet", "store/notes.txt"),
        *(f"store/store.duckdb: {name}" for name in ("mine", "yours", "owners")),
    }
    assert named <= set(found(path))


@pytest.mark.parametrize("key", ["privacy", "licence", "title", "pyarrow", "version"])
def test_what_a_store_says_of_itself_is_that_of_the_set(
    small: Built, tmp_path: Path, key: str
) -> None:
    path = copied(small, tmp_path)
    file = path / "store" / "store.toml"
    lines = file.read_text().splitlines()
    (place,) = (i for i, line in enumerate(lines) if line.startswith(f"{key} = "))
    lines[place] = f"{key} = 2" if key == "version" else f'{key} = "another"'
    file.write_text("\n".join(lines) + "\n")
    assert any(one.startswith("store/store.toml: ") for one in found(path))


def test_where_files_came_from_is_that_of_the_corpus(small: Built, tmp_path: Path) -> None:
    path = copied(small, tmp_path)
    with duckdb.connect(str(path / "store" / "store.duckdb")) as connection:
        connection.execute("UPDATE build_record SET text = 'x' WHERE name LIKE 'source:%'")
    assert "store/store.duckdb: build_record" in found(path)


def test_a_store_with_a_journal_or_without_tables_is_refused_in_one_line(
    small: Built, tmp_path: Path
) -> None:
    path = copied(small, tmp_path)
    store = path / "store"
    assert not (store / "store.duckdb.wal").exists()
    (store / "store.duckdb.wal").write_bytes(b"")
    with pytest.raises(FormatError, match="not whole"):
        _ = Store(store).points
    (store / "store.duckdb.wal").unlink()
    (store / "store.duckdb").unlink()
    duckdb.connect(str(store / "store.duckdb")).close()
    with pytest.raises(FormatError, match="store cannot be read"):
        _ = Store(store).points
    assert found(path) != [""]
