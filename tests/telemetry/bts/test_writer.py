"""Archives of the writer: the layout of the real ones, their dirt, and the same bytes again."""

from __future__ import annotations

import pickle
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.bts import read_archive
from benchwright.suites.telemetry.bts.series import (
    GARBAGE,
    KINDS,
    SENTINEL,
    SeriesPlan,
    kind_of_class,
    series,
)
from benchwright.suites.telemetry.bts.writer import Written, write_archive

STREAMS = tuple(f"{i:08x}_a1f3_4529_b409_5a56761c9d20" for i in range(300))
PLAN = SeriesPlan(seed=11, days=2)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    path = tmp_path_factory.mktemp("archive") / "Site_B.zip"
    return write_archive(path, "Site_B", STREAMS, PLAN, missing=4)


def test_members_are_numbered_and_the_number_is_not_the_stream(written: Written) -> None:
    names = [member.name for member in written.members]
    assert all(re.fullmatch(r"Site_B/\d{4}\.pickle", name) for name in names)
    assert len(names) == 296 and len(written.missing) == 4
    assert sorted([m.stream for m in written.members] + [*written.missing]) == sorted(STREAMS)
    assert [m.stream for m in written.members] != sorted(m.stream for m in written.members)
    assert max(names) > "Site_B/0295.pickle"


def test_all_protocols_both_times_and_both_generations_of_numpy_occur(written: Written) -> None:
    assert {m.protocol for m in written.members} == {2, 3, 4, 5}
    assert {m.times for m in written.members} == {"seconds", "datetime64"}
    assert {m.kind for m in written.members} == set(KINDS)
    with zipfile.ZipFile(written.path) as archive:
        data = [archive.read(name) for name in archive.namelist()]
    new = sum(b"numpy._core" in one for one in data)
    assert 0 < new < len(data)
    assert {type(part).__name__ for part in pickle.loads(data[0])} == {"str", "ndarray"}


def test_the_same_arguments_give_the_same_bytes_in_any_order(
    written: Written, tmp_path: Path
) -> None:
    path = tmp_path / "Site_B.zip"
    again = write_archive(path, "Site_B", STREAMS[::-1], PLAN, missing=4)
    assert path.read_bytes() == written.path.read_bytes()
    assert again.members == written.members
    write_archive(path, "Site_B", STREAMS, replace(PLAN, seed=12), missing=4)
    assert path.read_bytes() != written.path.read_bytes()


def test_a_stream_does_not_depend_on_the_others() -> None:
    alone = series(PLAN, STREAMS[7])
    named = series(replace(PLAN, kinds={STREAMS[8]: "counter"}), STREAMS[7])
    assert np.array_equal(alone.value, named.value) and np.array_equal(alone.time_ms, named.time_ms)


def test_series_have_the_dirt_of_real_logs() -> None:
    kinds = dict.fromkeys(STREAMS, "analog")
    plan = SeriesPlan(seed=3, days=30, dirty=0.5, kinds=kinds, empty=0.0)
    made = [series(plan, stream) for stream in STREAMS[:60]]
    assert any(np.isin(GARBAGE, one.value).any() for one in made)
    assert any((one.value == SENTINEL).any() for one in made)
    assert any(np.diff(one.time_ms).max() > 3_600_000 for one in made)
    assert any((np.diff(one.time_ms) == 0).any() for one in made)
    assert all((np.diff(one.time_ms) >= 0).all() for one in made)
    steps = np.concatenate([np.diff(one.time_ms) for one in made])
    assert 570_000 <= np.median(steps) <= 630_000 and len(np.unique(steps)) > 1000


def test_kinds_are_what_they_say() -> None:
    plans = {k: replace(PLAN, kinds=dict.fromkeys(STREAMS, k), empty=0.0) for k in KINDS}
    found = {kind: [series(plan, s) for s in STREAMS[:20]] for kind, plan in plans.items()}
    assert all(len(one.value) == len(one.time_ms) == 0 for one in found["empty"])
    assert all(len(np.unique(one.value)) == 1 for one in found["constant"])
    assert all(set(one.value) <= {0.0, 1.0, 2.0, 3.0} for one in found["state"])
    assert all((np.diff(one.value) < 0).sum() <= 1 for one in found["counter"])
    assert any((np.diff(one.value) < 0).any() for one in found["counter"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Zone_Air_Temperature_Sensor", "analog"),
        ("Run_Status", "state"),
        ("Temperature_Setpoint", "constant"),
        ("Min_Temperature_Setpoint_Limit", "constant"),
        ("Energy_Usage_Sensor", "counter"),
        ("Point", "constant"),
    ],
)
def test_a_class_says_what_is_usually_logged(name: str, kind: str) -> None:
    assert kind_of_class(name) == kind


def test_every_stream_of_a_real_graph_makes_the_way_through(shared: Path, tmp_path: Path) -> None:
    """Ids of the published graph of site B, read by a pattern: nothing else of it is needed."""
    graph = (shared / "data/bts/Site_B.ttl").read_text()
    streams = re.findall(r'senaps:stream_id "([0-9a-f_]+)"', graph)
    assert len(streams) == len(set(streams)) == 851
    written = write_archive(tmp_path / "Site_B.zip", "Site_B", streams, PLAN, missing=4)
    made = read_archive(written.path, tmp_path / "out")
    assert sorted(s.stream for s in made.lineage.streams) == sorted({*streams} - {*written.missing})
    assert made.lineage.kept == made.lineage.rows == sum(m.rows for m in written.members)


@pytest.mark.parametrize(
    ("site", "streams", "said"),
    [
        ("Site_B", ["a", "b", "a"], "stream stands twice: 'a'"),
        ("Site_Bee", ["a"], "name does not fit"),
        ("Site_B", ["a b"], "name does not fit"),
        ("Site_B", ["a.b"], "name does not fit"),
    ],
)
def test_names_that_make_no_identifier_are_refused(
    site: str, streams: list[str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(SpecError, match=said):
        write_archive(tmp_path / "a.zip", site, streams, PLAN)
    assert list(tmp_path.iterdir()) == []
