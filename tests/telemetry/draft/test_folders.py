"""From a folder of files to a built set, by the drafted file and the edits that the page names."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchwright.canonical import digest_file
from benchwright.executors import open_executor
from benchwright.suites.telemetry.build import build
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.drafting import draft, write_draft
from benchwright.tasks.taskset import TaskSet
from tests.telemetry.draft.folders import Truth, offices, plant, streams


def edit(path: Path, *changes: tuple[str, str]) -> None:
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)


def built(corpus: Path, out: Path) -> TaskSet:
    with open_executor("processes:1") as pool:
        return build(load_corpus(corpus), out, pool)


def read(folder: Path) -> Truth:
    return {
        (name, datetime.fromtimestamp(ts / 1000, UTC)): value
        for name, stream in streams(folder).items()
        for ts, value in zip(stream.readings.ts, stream.readings.value, strict=True)
        if not name.endswith("modus")
    }


def families(tasks: TaskSet) -> set[str]:
    return {tasks.task(one).axes["family"] for one in tasks.task_digests}


EDITS = (
    ('zone = "Europe/Berlin"', 'zone = "Europe/Vienna"'),
    ('licence = "not stated"', 'licence = "ours"'),
    ('privacy = "not stated"', 'privacy = "nobody is in these data"'),
)


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Truth]:
    folder = tmp_path_factory.mktemp("plant")
    return folder, plant(folder)


def test_a_wide_folder_becomes_a_set(pumps: tuple[Path, Truth], tmp_path: Path) -> None:
    folder, truth = pumps
    made = draft(folder)
    write_draft(made)
    assert (made.files, made.sources, made.left) == (6, 1, ())
    edit(made.out, *EDITS)
    assert read(folder) == truth
    tasks = built(made.out, tmp_path / "set")
    assert {"exact_value", "daily_aggregate", "pairwise_comparison", "ranking"} <= families(tasks)


def test_a_long_folder_with_a_table_of_points_becomes_a_set(tmp_path: Path) -> None:
    folder = tmp_path / "offices"
    truth = offices(folder)
    made = draft(folder)
    write_draft(made)
    assert made.left == ()
    table = folder / "corpus.points.csv"
    before = digest_file(table)
    edit(table, (",offices,", ",north wing,"))
    edit(made.out, (before, digest_file(table)), ('zone = "UTC"', 'zone = "Europe/Oslo"'))
    assert read(folder) == truth
    tasks = built(made.out, tmp_path / "set")
    assert {"exact_value", "daily_aggregate", "pairwise_comparison", "ranking"} <= families(tasks)
    texts = [tasks.task(one).instruction for one in tasks.task_digests]
    assert any("north wing" in text for text in texts)


def test_a_wrong_zone_is_refused_where_its_clocks_never_showed_a_time(tmp_path: Path) -> None:
    rows = "".join(f"2024-03-31 {h:02d}:00,{h}\n" for h in range(24))
    (tmp_path / "a.csv").write_text("time,t\n" + rows)
    made = draft(tmp_path)
    write_draft(made)
    edit(made.out, ('zone = "UTC"', 'zone = "Europe/Vienna"'))
    with pytest.raises(
        Exception, match=re.escape("the clock never shows this time: '2024-03-31T02")
    ):
        streams(tmp_path)


def test_two_drafts_of_one_folder_are_the_same_bytes(
    pumps: tuple[Path, Truth], tmp_path: Path
) -> None:
    folder, _ = pumps
    for path in folder.glob("pumpe*"):
        (tmp_path / folder.name).mkdir(exist_ok=True)
        (tmp_path / folder.name / path.name).write_bytes(path.read_bytes())
    assert draft(folder).text == draft(tmp_path / folder.name).text
