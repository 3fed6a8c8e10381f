"""An archive becomes Parquet with lineage, once, by the real confined reader."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from benchwright.canonical import digest_bytes, digest_file
from benchwright.errors import BenchwrightError, FormatError
from benchwright.executors import open_executor
from benchwright.suites.telemetry.bts import (
    Converted,
    Layout,
    members,
    open_converted,
    read_archive,
)
from benchwright.suites.telemetry.bts.series import SeriesPlan, series
from benchwright.suites.telemetry.bts.writer import Written, pickled, write_archive
from tests.telemetry.bts.archives import archive

STREAMS = tuple(f"{i:08x}_a1f3_4529_b409_5a56761c9d20" for i in range(40))
PLAN = SeriesPlan(seed=5, days=3, dirty=0.5, kinds={STREAMS[0]: "empty"})
TIMES = np.array([1.6e9, 1.6e9 + 600])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    path = tmp_path_factory.mktemp("archive") / "Site_B.zip"
    return write_archive(path, "Site_B", STREAMS, PLAN, missing=3)


@pytest.fixture(scope="module")
def made(written: Written, tmp_path_factory: pytest.TempPathFactory) -> Converted:
    return read_archive(written.path, tmp_path_factory.mktemp("made"))


def table(made: Converted) -> dict[str, list[Any]]:
    found = pq.read_table(made.observations)
    ms = found["time"].cast("int64").to_pylist()
    return {**found.drop_columns(["time"]).to_pydict(), "ms": ms}


def one(tmp_path: Path, data: bytes) -> FormatError:
    path = archive(tmp_path / "a.zip", {"s/1.pickle": data})
    with pytest.raises(FormatError) as caught:
        read_archive(path, tmp_path / "out")
    assert caught.value.where.startswith(f"{path}, s/1.pickle")
    return caught.value


def test_every_row_of_the_writer_is_there_under_its_stream(made: Converted) -> None:
    found = table(made)
    ids = np.array(found["stream_id"])
    for record in made.lineage.streams:
        mine = np.flatnonzero(ids == record.stream)
        wanted = series(PLAN, record.stream)
        assert [found["ms"][i] for i in mine] == wanted.time_ms.tolist()
        assert [found["value"][i] for i in mine] == wanted.value.tolist()
        assert [found["row"][i] for i in mine] == list(range(len(wanted.value)))
    assert len(ids) == made.lineage.kept == made.lineage.rows > 5000


def test_lineage_says_where_every_stream_comes_from(written: Written, made: Converted) -> None:
    source = made.lineage.source
    assert source.sha256 == digest_file(written.path)
    assert (source.name, source.bytes) == ("Site_B.zip", written.path.stat().st_size)
    records = {record.member: record for record in made.lineage.streams}
    assert {m.name: m.stream for m in written.members} == {n: r.stream for n, r in records.items()}
    for member in written.members:
        record = records[member.name]
        assert (record.protocol, record.rows) == (member.protocol, member.rows)
        assert record.time_type == ("<f8" if member.times == "seconds" else "<M8[ns]")
        assert (record.first_ms is None) == (record.kept == 0)
    assert {m.kind for m in written.members} >= {"analog", "state", "constant", "empty"}


def test_the_checksum_of_a_member_is_that_of_its_pickle(tmp_path: Path) -> None:
    data = pickled("Site_B_x", TIMES, np.ones(2), 4)
    path = archive(tmp_path / "a.zip", {"s/1.pickle": data})
    (record,) = read_archive(path, tmp_path / "out").lineage.streams
    assert (record.sha256, record.bytes) == (digest_bytes(data), len(data))


def test_the_same_archive_gives_the_same_bytes(
    written: Written, made: Converted, tmp_path: Path
) -> None:
    again = read_archive(written.path, tmp_path)
    assert again.lineage == made.lineage
    assert again.observations.read_bytes() == made.observations.read_bytes()


def test_what_is_converted_is_not_converted_again(written: Written, tmp_path: Path) -> None:
    first = read_archive(written.path, tmp_path)
    before = first.observations.stat()
    again = read_archive(written.path, tmp_path)
    after = again.observations.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert open_converted(tmp_path) == first == again
    narrow = read_archive(written.path, tmp_path, layout=Layout(earliest_ms=10**12))
    assert narrow.observations.stat().st_ino != before.st_ino


def test_archives_are_converted_by_any_executor(written: Written, tmp_path: Path) -> None:
    with open_executor("processes:1") as executor:
        fine = executor.submit(read_archive, written.path, tmp_path / "a", layout=Layout())
        lost = executor.submit(read_archive, tmp_path / "none.zip", tmp_path / "b")
        assert fine.result().lineage.source.name == "Site_B.zip"
        with pytest.raises(FormatError, match="archive cannot be read: 'no file'"):
            lost.result()


def test_observations_of_another_conversion_are_refused(written: Written, tmp_path: Path) -> None:
    made = read_archive(written.path, tmp_path)
    made.observations.write_bytes(made.observations.read_bytes()[:-1] + b"?")
    with pytest.raises(FormatError, match="observations differ from their lineage"):
        read_archive(written.path, tmp_path)


def test_a_refused_archive_leaves_no_lineage_and_no_rows(tmp_path: Path) -> None:
    out = tmp_path / "out"
    good = archive(tmp_path / "good.zip", {"s/1.pickle": pickled("Site_B_x", TIMES, TIMES, 4)})
    read_archive(good, out)
    bad = archive(tmp_path / "bad.zip", {"s/1.pickle": pickled("Site_B_x", TIMES, TIMES[:1], 4)})
    with pytest.raises(FormatError, match="arrays differ in length"):
        read_archive(bad, out)
    with pytest.raises(FormatError):
        open_converted(out)
    assert [p.name for p in out.iterdir()] == ["observations.parquet"]


def test_rows_that_are_dropped_are_counted_per_member(tmp_path: Path) -> None:
    times = np.array([0.0, 1.6e9, 1.6e9 + 1, np.nan])
    data = pickled("Site_B_x", times, np.array([1.0, np.nan, 2.0, 3.0]), 2)
    made = read_archive(archive(tmp_path / "a.zip", {"s/1.pickle": data}), tmp_path / "out")
    (record,) = made.lineage.streams
    assert record.dropped == {"no time": 1, "no value": 1, "time out of range": 1}
    assert table(made) == {"stream_id": ["x"], "row": [2], "value": [2.0], "ms": [1600000001000]}


def test_milliseconds_are_not_taken_for_seconds(tmp_path: Path) -> None:
    error = one(tmp_path, pickled("Site_B_x", TIMES * 1000, np.ones(2), 4))
    assert (error.problem, error.value) == ("no time of the stream is in range", "1600000000000.0")


def test_times_in_float32_are_refused(tmp_path: Path) -> None:
    error = one(tmp_path, pickled("Site_B_x", TIMES.astype("f4"), np.ones(2), 4))
    assert (error.problem, error.value) == ("times are of a type that is not read", "<f4")


@pytest.mark.parametrize("name", ["no site", "a" * 200, "", "Site_B_x\n", "Site_B_\u202e"])
def test_identifiers_that_name_no_stream_are_refused(name: str, tmp_path: Path) -> None:
    assert "dentifier" in one(tmp_path, pickled(name, TIMES, TIMES, 4)).problem


def test_two_members_of_one_stream_are_refused_with_both_names(tmp_path: Path) -> None:
    data = pickled("Site_B_x", TIMES, TIMES, 4)
    path = archive(tmp_path / "a.zip", {"s/1.pickle": data, "s/2.pickle": data})
    with pytest.raises(FormatError, match=r"same stream: 'x' \(.*s/1.pickle and s/2.pickle\)"):
        read_archive(path, tmp_path / "out")
    layout = Layout(ignored=("s/2.*",))
    assert read_archive(path, tmp_path / "out", layout=layout).lineage.rows == 2


def test_an_archive_that_is_cut_while_it_is_read_is_refused(tmp_path: Path) -> None:
    long = np.random.Generator(np.random.Philox(1)).normal(size=400_000)
    data = pickled("Site_B_x", long, long, 4)
    path = archive(tmp_path / "a.zip", {f"s/{i}.pickle": data for i in range(3)}, stored=True)
    taken = members(path)
    next(taken)
    os.truncate(path, 1000)
    with pytest.raises(FormatError, match="archive is cut off"):
        list(taken)


def test_an_archive_that_is_written_while_it_is_read_is_refused(
    written: Written, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(written.path.read_bytes())
    done = threading.Event()

    def touch() -> None:
        for second in range(10**9):
            os.utime(path, (second, second))
            if done.wait(0.001):
                return

    writer = threading.Thread(target=touch)
    writer.start()
    try:
        with pytest.raises(FormatError, match="archive changed while it was read"):
            read_archive(path, tmp_path / "out")
    finally:
        done.set()
        writer.join()


@pytest.mark.parametrize("what", ["absent", "folder", "pipe"])
def test_what_is_no_file_is_refused(what: str, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    if what == "folder":
        path.mkdir()
    if what == "pipe":
        os.mkfifo(path)
    with pytest.raises(BenchwrightError, match="archive cannot be read"):
        read_archive(path, tmp_path / "out")
