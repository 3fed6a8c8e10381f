"""Shipped corpora that make their own files: what was planted is found, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchwright.suites.telemetry.contract.periods import local_day, window_of
from benchwright.suites.telemetry.corpus.generated.archives import write_graph
from benchwright.suites.telemetry.corpus.generated.building import faults
from benchwright.suites.telemetry.corpus.generated.draws import draws, triangle
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.corpus.model import GenerateBuilding
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store

REASON = {"gap": "coverage"}
"""A fault is told by its own name, but for a gap of three days, which lacks coverage first."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(build_store(load_corpus("demo"), tmp_path_factory.mktemp("demo") / "store"))


def test_every_planted_fault_is_found_and_every_finding_was_planted(demo: Store) -> None:
    rules = load_corpus("demo").file.generate
    assert isinstance(rules, GenerateBuilding)
    planted = faults(rules.seed, rules.days)
    assert len(planted) == 20
    wanted = set()
    for fault in planted:
        week = window_of(local_day(fault.start, demo.zone), "week", demo.zone)
        column = fault.column.replace("_", "-")
        streams = [s for s in demo.points if s.startswith(f"ahu-{fault.unit}.")]
        hit = [s for s in streams if column in ("*", s.split(".")[1])]
        wanted |= {(s, week.label, REASON.get(fault.kind, fault.kind)) for s in hit}
    # A state has no rule about zeros: off is not a drop-out.
    wanted = {w for w in wanted if not (w[2] == "dropout" and w[0].endswith(".fan"))}
    found = demo.rows(
        "SELECT stream, first_day, reason FROM quality_weeks "
        "WHERE outcome = 'abstain' AND start > (SELECT min(start) FROM quality_weeks) "
        "AND start < (SELECT max(start) FROM quality_weeks)"
    )
    assert set(found) == wanted


def test_the_clock_changes_twice_and_no_reading_is_doubtful(demo: Store) -> None:
    (days,) = [
        dict(
            demo.rows(
                'SELECT first_day, "count" FROM aggregates_day '
                "WHERE stream = 'weather.outside' AND calendar = 'local'"
            )
        )
    ]
    assert (days["2023-10-28"], days["2023-10-29"], days["2024-03-31"]) == (96, 100, 92)
    assert demo.rows("SELECT sum(adjusted) FROM stream_quality") == [(0,)]


def test_every_kind_of_channel_is_there(demo: Store) -> None:
    kinds = {p.kind for p in demo.points.values()}
    assert kinds == {"instant", "cumulative", "setpoint", "state", "angle"}
    assert all(t is not None for (t,) in demo.rows("SELECT decimals FROM raw_stream_index"))


def test_draws_depend_on_seed_and_name_alone() -> None:
    assert draws(7, "x", 5, 0, 9).tolist() == draws(7, "x", 900, 0, 9)[:5].tolist()
    assert draws(7, "x", 50, 0, 9).tolist() != draws(8, "x", 50, 0, 9).tolist()
    every = draws(1, "spread", 100_000, -3, 3)
    assert np.bincount(every + 3).min() > 13_900


def test_a_triangle_rises_to_its_height_and_falls() -> None:
    assert triangle(np.arange(9), 8, 100).tolist() == [0, 25, 50, 75, 100, 75, 50, 25, 0]


def test_a_derived_graph_has_other_ids_that_still_refer_to_each_other(tmp_path: Path) -> None:
    one = "3dfa2bab_f8f2_485b_80e9_5afdeeac9dc4"
    text = f'a:{one} s:id "{one}" .\nb:x brick:isPointOf a:{one} .\n'
    (tmp_path / "b.ttl").write_text(text)
    for name in ("A.ttl", "C.ttl"):
        write_graph(tmp_path / "b.ttl", tmp_path / name, seed=3)
    a, c = ((tmp_path / name).read_text() for name in ("A.ttl", "C.ttl"))
    (other,) = {
        piece for piece in a.replace('"', " ").replace(":", " ").split() if len(piece) == 36
    }
    assert other != one and a == text.replace(one, other) and a != c


@pytest.mark.slow
def test_graphs_and_archives_become_a_store_without_unpickling(
    shared: Path, tmp_path: Path
) -> None:
    store = Store(build_store(load_corpus("bts", shared / "data"), tmp_path / "store"))
    every = len(store.points) + len(store.unmatched)
    assert every == 3 * 851
    reasons = set(store.unmatched.values())
    assert reasons == {"no_history", "empty"}
    assert {p.site for p in store.points.values()} == {"Site A", "Site B", "Site C"}
    assert sum(p.unit is not None for p in store.points.values()) > 300
