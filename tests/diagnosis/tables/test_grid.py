"""Tables as files: figures whole in CSV, nothing in Markdown that is read as markup."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from benchwright.diagnosis.tables.every import every_table, write_tables
from benchwright.diagnosis.tables.grid import (
    Column,
    Grid,
    csv_text,
    markdown,
    shown,
    with_intervals,
)
from tests.diagnosis.tables.made import small

ODD = Grid(
    "odd",
    "Odd",
    (Column("who", "text"), Column("n"), Column("share", "share"), Column("lift", "number")),
    (("a|b <b>*x*</b>\n`c`", 1234, 1 / 3, None), ("=1,2", 0, None, 2.0)),
)


def test_markdown_escapes_and_says_unknown() -> None:
    text = markdown(ODD)
    assert r"| a\|b &lt;b>\*x\*&lt;/b> \`c\` | 1,234 | 33.3 % | unknown |" in text
    assert "| =1,2 | 0 | unknown | 2.00 |" in text


def test_people_see_a_figure_and_its_interval_in_one_cell() -> None:
    titles = ("who", "n low", "kappa", "kappa low", "kappa high", "share", "low", "high")
    kinds = ("text", "count", *["number"] * 3, *["share"] * 3)
    columns = tuple(map(Column, titles, kinds))
    rows = (("a", 3, 0.5, 0.25, 0.75, 0.125, 0.0, 0.5), ("b", 0, None, None, None, 1.0, None, None))
    joined = with_intervals(Grid("k", "K", columns, rows))
    assert [column.title for column in joined.columns] == ["who", "n low", "kappa", "share"]
    assert joined.rows == (
        ("a", 3, "0.50 (0.25 to 0.75)", "12.5 % (0.0 to 50.0)"),
        ("b", 0, "unknown", "100.0 % (unknown)"),
    )
    assert with_intervals(ODD) == ODD


def test_csv_keeps_figures_whole_and_leaves_unknown_empty() -> None:
    rows = list(csv.reader(io.StringIO(csv_text(ODD))))
    assert rows[0] == ["who", "n", "share", "lift"]
    assert float(rows[1][2]) == 1 / 3 and rows[1][3] == ""
    assert rows[1][0] == "a|b <b>*x*</b>\n`c`"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_holds_no_text_that_a_spreadsheet_runs(sign: str) -> None:
    text = f'{sign}HYPERLINK("x")'
    grid = Grid("g", "G", (Column(text, "text"), Column("n", "number")), ((text, -1.5), ("a=b", 0)))
    rows = list(csv.reader(io.StringIO(csv_text(grid), newline="")))
    assert rows == [[f"'{text}", "n"], [f"'{text}", "-1.5"], ["a=b", "0"]]


def test_an_empty_text_is_no_unknown_figure() -> None:
    assert (shown(None, "text"), shown(None, "count"), shown(0, "share")) == (
        "",
        "unknown",
        "0.0 %",
    )


def test_a_long_table_says_that_it_was_cut() -> None:
    assert ODD.first(2) is ODD
    assert len(ODD.first(1).rows) == 1 and "1 of 2 rows" in ODD.first(1).notes[-1]


def test_a_folder_holds_every_table_by_system_kind_and_domain(tmp_path: Path) -> None:
    found = small()
    write_tables(tmp_path, found, list(every_table(found)))
    told = json.loads((tmp_path / "tables.json").read_text())
    assert told["format"] == "benchwright.label-tables/1"
    assert (told["planned"], told["labelled"], told["missing"]) == (6, 5, ["s2 t3"])
    names = {grid["name"] for grid in told["tables"]}
    assert {f"{p.stem}" for p in tmp_path.glob("*.csv")} == names
    for axis in ("system", "kind", "domain"):
        assert {n for n in names if n.startswith(f"pattern-by-{axis}")}
    assert "6 trajectories planned, 5 labelled, 1 missing" in (tmp_path / "tables.md").read_text()


def test_every_table_of_patterns_marks_lower_confidence() -> None:
    for grid in every_table(small()):
        if grid.name.startswith(("verdicts", "uncovered")):
            continue
        said = " ".join([*(c.title for c in grid.columns), *grid.notes, *map(str, grid.rows)])
        assert "*" in said, grid.name


def test_the_same_labels_give_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_tables(tmp_path / name, small(), list(every_table(small())))
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
