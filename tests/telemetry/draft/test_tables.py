"""Points of long files: a table of the folder, one that lacks fields, and none at all."""

from __future__ import annotations

from pathlib import Path

from tests.telemetry.draft.folders import drafted, streams

ROWS = "\n".join(
    f"2024-01-{d:02d} {h:02d}:00,{name},{d}.{h:02d}"
    for d in range(1, 11)
    for h in range(24)
    for name in ("ahu1.supply", "ahu2.supply", "ahu2.fan")
)
LOG = f"time,point,value\n{ROWS}\n"
WHOLE = """id,class,building,device,room
ahu1.supply,Supply,north,AHU 1,
ahu2.supply,Supply,north,AHU 2,
ahu2.fan,Fan,north,AHU 2,cellar
"""


def test_a_whole_table_is_used_as_it_is(tmp_path: Path) -> None:
    made, data, remarks = drafted(tmp_path, {"log.csv": LOG, "list.csv": WHOLE})
    assert list(data["metadata"]["files"]) == ["list.csv"]
    assert data["metadata"]["columns"]["site"] == "building"
    assert "made up" not in remarks and made.left == ()
    assert sorted(streams(tmp_path)) == ["ahu1.supply", "ahu2.fan", "ahu2.supply"]


def test_a_table_with_semicolons_is_copied_into_one_that_can_be_read(tmp_path: Path) -> None:
    files = {"log.csv": LOG, "list.csv": WHOLE.replace(",", ";")}
    _, data, remarks = drafted(tmp_path, files)
    assert list(data["metadata"]["files"]) == ["corpus.points.csv"]
    assert "written with the words of list.csv" in remarks
    assert "ahu2.fan,Fan,north,AHU 2,cellar" in (tmp_path / "corpus.points.csv").read_text()
    assert len(streams(tmp_path)) == 3


def test_a_stream_that_the_table_does_not_have_is_told(tmp_path: Path) -> None:
    table = "\n".join(line for line in WHOLE.splitlines() if "fan" not in line)
    _, _, remarks = drafted(tmp_path, {"log.csv": LOG, "list.csv": table})
    assert "streams that the table does not have, left out: 'ahu2.fan'" in remarks
    assert sorted(streams(tmp_path)) == ["ahu1.supply", "ahu2.supply"]


def test_without_a_table_one_is_made_of_the_ids_and_told(tmp_path: Path) -> None:
    _, data, remarks = drafted(tmp_path, {"log.csv": LOG})
    assert "from ids alone, with these made up: class, site, equipment" in remarks
    rows = (tmp_path / "corpus.points.csv").read_text().splitlines()
    assert rows[0] == "stream,class,site,equipment"
    assert [row.split(",")[1::2] for row in rows[1:]] == [
        ["Supply", "ahu1"],
        ["Fan", "ahu2"],
        ["Supply", "ahu2"],
    ]
    assert {c["name"] for c in data["class"]} == {"Supply", "Fan"}
    assert len(streams(tmp_path)) == 3
