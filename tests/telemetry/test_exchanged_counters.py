"""A counter that is exchanged has no change over the exchange: not in a store, not in an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.suites.telemetry.operations import Refusal, operations
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import answered
from tests.telemetry.corpora import channel, make, wide

CLASSES = [{"name": "Water", "kind": "cumulative", "unit": "m3", "zero": "dropout"}]
ROWS = [
    "2024-02-05 00:00,100,10",
    "2024-02-05 12:00,101,11",
    "2024-02-06 00:00,102.5,12",
    "2024-02-06 10:00,0.02,13",
    "2024-02-06 12:00,0.5,14",
    "2024-02-07 00:00,0.75,16",
    "2024-02-07 12:00,0.0,17",
    "2024-02-07 18:00,1.75,18",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder: Path = tmp_path_factory.mktemp("counters")
    rules = [
        channel(name, **{"class": "Water"}, equipment=unit, site="plant")
        for name, unit in (("old", "line 1"), ("good", "line 2"))
    ]
    files = {"x.csv": "time,old,good\n" + "\n".join(ROWS) + "\n"}
    corpus = make(
        folder, files, wide(channel=rules, regimes=[{"step_s": 43200}]), **{"class": CLASSES}
    )
    return Store(build_store(corpus, folder / "store"))


def ask(store: Store, name: str, **said: object) -> object:
    (operation,) = (one for one in operations(store) if one.name == name)
    return answered(operation, said)


def window(first: str, after: str) -> dict[str, str]:
    return {"start": f"{first}T00:00:00Z", "end": f"{after}T00:00:00Z"}


def test_a_window_with_the_exchange_is_refused_and_says_why(store: Store) -> None:
    found = ask(store, "window_mean", stream_id="old", **window("2024-02-05", "2024-02-08"))
    assert isinstance(found, Refusal) and found.error == "counter_fell" and found.handle
    assert "exchanged or reset" in found.message


def test_on_either_side_of_it_there_is_a_change(store: Store) -> None:
    before = ask(store, "window_mean", stream_id="old", **window("2024-02-05", "2024-02-06"))
    after = ask(store, "window_mean", stream_id="old", **window("2024-02-07", "2024-02-08"))
    assert (before.change, after.change) == (1.0, 1.0)  # type: ignore[attr-defined]


def test_a_drop_out_to_zero_is_no_exchange(store: Store) -> None:
    found = ask(store, "aggregate_period", stream_id="old", period="day", date="2024-02-07")
    assert found.change == 1.0 and found.flags["dropout"] == 1  # type: ignore[attr-defined]


def test_a_ranking_names_it_and_does_not_rank_it(store: Store) -> None:
    said = window("2024-02-06", "2024-02-07")
    found = ask(store, "rank_window", site="plant", point_class="Water", **said)
    assert isinstance(found, Refusal) and found.error == "too_few"


def test_the_store_has_no_change_for_such_periods(store: Store) -> None:
    rows = store.rows(
        "SELECT first_day, change FROM aggregates_day WHERE stream = 'old' AND calendar = 'utc' "
        "ORDER BY start"
    )
    assert rows == [("2024-02-05", 1.0), ("2024-02-06", None), ("2024-02-07", 1.0)]
