"""Whole sets against their raw files, and faults planted in copies of the demo."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.suites.telemetry.audit import Audited, UnusableInput, audit
from benchwright.suites.telemetry.audit.findings import KINDS
from tests.telemetry.audit.sets import build, generated, gold, tasks


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("demo", tmp_path_factory.mktemp("demo") / "set")


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generated("demo", tmp_path_factory.mktemp("raw") / "data")


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built / "held", tmp_path / "set" / "held")
    return tmp_path / "set"


def test_nothing_differs_in_the_demo(built: Path, raw: Path) -> None:
    found = audit(built, raw, turns=True)
    assert list(found.findings) == []
    assert set(found.counts) == set(KINDS)
    assert found.counts["selection"] > 500
    assert min(found.counts[k] for k in ("values", "windows", "offsets", "quality")) > 500


@pytest.mark.slow
def test_nothing_differs_in_the_heating_substations(shared: Path, tmp_path: Path) -> None:
    if not (shared / "data" / "xai4heat").is_dir():
        pytest.skip("the files of the heating substations are not here")
    found = audit(build("xai4heat", tmp_path / "set"), shared / "data", turns=True)
    assert list(found.findings) == []
    assert found.counts["offsets"] > 500


@pytest.mark.slow
def test_nothing_differs_in_the_archives(shared: Path, tmp_path: Path) -> None:
    if not (shared / "data" / "bts").is_dir():
        pytest.skip("the building model is not here")
    data = generated("bts", tmp_path / "data", shared / "data")
    found = audit(build("bts", tmp_path / "set"), data, turns=True)
    assert list(found.findings) == []
    assert found.counts["values"] > 2000


def change(folder: Path, task: str, edit: Callable[[dict[str, Any]], None]) -> str:
    """Edit one stated row; give its task."""
    row = gold(folder, task)
    edit(row)
    (folder / "held" / task / "gold.json").write_text(json.dumps(row))
    return task


def an_hour_late(row: dict[str, Any]) -> None:
    row["calls"][1]["answer"]["start"] = row["calls"][1]["answer"]["start"].replace(
        ":00.000", ":00.001"
    )


def other_owner(row: dict[str, Any]) -> None:
    row["points"][0]["equipment"] = "AHU 9"


def other_stream(row: dict[str, Any]) -> None:
    a, b = row["identity"]["streams"]
    row["gold"]["fields"]["higher"] = b if row["gold"]["fields"]["higher"] == a else a


def other_side(row: dict[str, Any]) -> None:
    row["gold"]["fields"]["offset_s"] *= -1


def other_split(row: dict[str, Any]) -> None:
    row["split"] = "dev" if row["split"] == "train" else "train"


def other_decision(row: dict[str, Any]) -> None:
    turn = next(p for p in row["script"]["phases"] if p["kind"] == "quality_check")
    turn["gold"]["fields"]["decision"] += "!"


def other_ending(row: dict[str, Any]) -> None:
    row["script"]["phases"][-1]["gold"]["reason"] = "complete"


PLANTED = [
    ("window_mean", an_hour_late, "calls.1.answer.start"),
    ("daily_aggregate", other_owner, "points.0.equipment"),
    ("pairwise_comparison", other_stream, "gold.fields.higher"),
    ("nearest_value", other_side, "gold.fields.offset_s"),
    ("exact_value", other_split, "split"),
    ("ranking", other_decision, "phases.3.gold.fields.decision"),
    ("period_aggregate", other_ending, "phases.5.gold.reason"),
]


def test_faults_in_rows_selection_and_thresholds_are_named(copy: Path, raw: Path) -> None:
    wanted = {(change(copy, tasks(copy, family)[0], edit), name) for family, edit, name in PLANTED}
    shared = copy / "held" / "shared"
    lines = (shared / "selection.txt").read_text().splitlines()
    lines[3], lines[7] = lines[7], lines[3]
    (shared / "selection.txt").write_text("\n".join(lines) + "\n")
    wanted |= {_moved(lines[place]) for place in (3, 7)}
    numbers = json.loads((shared / "thresholds.json").read_text())
    numbers["thresholds"][0]["value"] += 1e-9
    (shared / "thresholds.json").write_text(json.dumps(numbers))

    found = audit(copy, raw, turns=True).findings
    rest = {(f.row, f.field) for f in found} - wanted
    assert {(f.row, f.field) for f in found} >= wanted
    assert [(f.field, f.row.split()[0]) for f in found if (f.row, f.field) in rest] == [
        ("value", numbers["thresholds"][0]["name"])
    ]


def _moved(line: str) -> tuple[str, str]:
    split, identity = line.split("\t")
    return identity, f"place and split ({split})"


def changed_cell(folder: Path, row: dict[str, Any]) -> None:
    """Raise the cell of the row's first reading by a tenth."""
    stream = row["identity"]["streams"][0]
    unit, _, name = stream.partition(".")
    path = folder / f"{unit}.csv"
    lines = path.read_text().splitlines()
    column = lines[0].split(",").index(name.replace("-", "_"))
    day = row["calls"][1]["answer"]["first_day"]
    place = next(i for i, line in enumerate(lines) if line.startswith(f"{day} 12:00"))
    cells = lines[place].split(",")
    cells[column] = f"{float(cells[column]) + 0.1:.1f}"
    path.write_text("\n".join([*lines[:place], ",".join(cells), *lines[place + 1 :]]) + "\n")


def test_a_changed_cell_is_found_in_its_file_and_in_the_rows_that_read_it(
    built: Path, raw: Path, tmp_path: Path
) -> None:
    task = next(
        t
        for t in tasks(built, "daily_aggregate")
        if gold(built, t)["points"][0]["kind"] == "instant"
    )
    row = gold(built, task)
    data = shutil.copytree(raw, tmp_path / "data")
    changed_cell(data, row)
    found = audit(built, data, turns=True).findings
    assert (found[0].row, found[0].field) == (
        row["identity"]["streams"][0].split(".")[0] + ".csv",
        "sha256",
    )
    fields = {f.field for f in found if f.row == task}
    assert {"calls.1.answer.mean", "gold.fields.value", "evidence.reads.0.content"} <= fields
    other = {f.row for f in found if f.field == "gold.fields.value"}
    assert all(gold(built, t)["identity"]["streams"] == row["identity"]["streams"] for t in other)


def test_a_wrong_zone_is_found_in_windows(copy: Path, raw: Path) -> None:
    path = copy / "held" / "shared" / "corpus.toml"
    text = path.read_text()
    assert text.count('\nzone = "Europe/Berlin"') == 1
    path.write_text(text.replace('\nzone = "Europe/Berlin"', '\nzone = "Europe/Athens"'))
    found: Audited = audit(copy, raw)
    rows = {f.row for f in found.findings if f.field == "calls.1.answer.start"}
    assert rows >= {*tasks(copy, "daily_aggregate")[:3], *tasks(copy, "quality_gate")[:3]}
    assert not rows & {*tasks(copy, "window_mean")}


def test_a_missing_file_is_one_line_with_its_name(built: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"^a data file is missing: ahu-1\.csv \(in [^\n]*\)$"):
        audit(built, tmp_path)
