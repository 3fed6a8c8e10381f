"""Readings that a conflict dropped: a look-up there says so, under the same code."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.suites.telemetry.operations import Refusal, operations
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import answered
from tests.telemetry.corpora import make, wide


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder: Path = tmp_path_factory.mktemp("conflicts")
    files = {
        "x.csv": "time,t\n2024-01-01 00:00,1\n2024-01-01 01:00,2\n2024-01-01 02:00,3\n",
        "y.csv": "time,t\n2024-01-01 01:00,5\n2024-01-01 02:00,3\n2024-01-01 03:00,4\n",
    }
    return Store(build_store(make(folder, files, wide(), conflicts="drop"), folder / "store"))


def refusal(store: Store, clock: str) -> Refusal:
    (look_up,) = (one for one in operations(store) if one.name == "lookup_observation")
    at = f"2024-01-01T{clock}:00Z"
    found = answered(look_up, {"stream_id": "t", "timestamp": at, "mode": "exact"})
    assert isinstance(found, Refusal)
    return found


def test_a_look_up_where_readings_differ_says_that_none_counts(store: Store) -> None:
    there, nothing = refusal(store, "01:00"), refusal(store, "01:30")
    assert (there.error, nothing.error) == ("empty", "empty")
    assert "different readings at 2024-01-01T01:00:00.000Z" in there.message
    assert "no reading at" in nothing.message


def test_instants_of_conflicts_are_no_part_of_what_two_builds_must_agree_in(store: Store) -> None:
    assert "build_record" not in store.marks["exports"]
    assert store.rows("SELECT text FROM build_record WHERE name = 'conflicts'") == [
        ('{"t":[1704070800000]}',)
    ]
