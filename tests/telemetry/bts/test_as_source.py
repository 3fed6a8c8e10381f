"""A converted archive is a long source of a corpus as it stands."""

from __future__ import annotations

from pathlib import Path

from benchwright.canonical import digest_bytes
from benchwright.suites.telemetry.bts import read_archive
from benchwright.suites.telemetry.bts.series import SeriesPlan, series
from benchwright.suites.telemetry.bts.writer import write_archive
from benchwright.suites.telemetry.corpus.adapter import Adapter
from tests.telemetry.corpora import make

STREAMS = tuple(f"{i:08x}_a1f3_4529_b409_5a56761c9d20" for i in range(12))
PLAN = SeriesPlan(seed=2, days=2, kinds={STREAMS[0]: "empty"})
SOURCE = {
    "name": "archive",
    "form": "long_parquet",
    "stream": "stream_id",
    "value": "value",
    "time": {"column": "time", "zone": "offset"},
    "files": ["observations.parquet"],
}
TABLE = {"stream": "id", "class": "class", "site": "site", "equipment": "unit"}


def test_the_adapter_reads_what_the_writer_wrote(tmp_path: Path) -> None:
    written = write_archive(tmp_path / "Site_B.zip", "Site_B", STREAMS, PLAN, missing=2)
    made = read_archive(written.path, tmp_path / "made")
    table = "id,class,site,unit\n" + "".join(f"{s},Temperature,B,u{s[:8]}\n" for s in STREAMS)
    files = {"observations.parquet": made.observations.read_bytes()}
    sums = {"points.csv": digest_bytes(table.encode())}
    metadata = {"form": "table", "files": sums, "columns": TABLE}
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "points.csv").write_text(table)
    adapter = Adapter(make(folder, files, SOURCE, metadata=metadata), tmp_path / "spool")
    found = {stream.id: stream for _, stream, _ in adapter.streams()}
    empty = {m.stream for m in written.members if m.rows == 0}
    assert set(found) == set(STREAMS) - set(written.missing) - empty
    for name, stream in found.items():
        made_of = series(PLAN, name)
        wanted = dict(zip(made_of.time_ms.tolist(), made_of.value.tolist(), strict=True))
        got = stream.readings
        assert dict(zip(got.ts.tolist(), got.value.tolist(), strict=True)) == wanted
    assert len(adapter.unmatched) == len(written.missing) + len(empty)
