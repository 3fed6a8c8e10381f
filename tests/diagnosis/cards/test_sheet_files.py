"""Whatever a person writes into the cells of a sheet comes back as written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.cards.places import NoPlace, places_said
from benchwright.diagnosis.cards.sheet import COLUMNS, Sheet, blank_sheet, read_sheet
from benchwright.trajectory.evidence import Evidence

signs = st.characters(codec="utf-8", exclude_characters="\0\r")
cell = st.text(signs, max_size=12).map(str.strip)
separators = st.sampled_from([",", ";", "\t"])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sheets") / "sheet.csv"


@given(st.lists(st.tuples(st.integers(1, 9), *[cell] * 6), max_size=4), separators)
def test_cells_come_back_as_written(
    file: Path, rows: list[tuple[int | str, ...]], separator: str
) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows([COLUMNS, *rows])
    file.write_bytes(text.getvalue().encode("utf-8-sig"))
    read = [
        (row.card, *(row.cells[name] for name in COLUMNS[1:]))
        for row in read_sheet(file, range(1, 10)).rows
    ]
    assert read == [row for row in rows if any(row[1:])]


@pytest.mark.parametrize("line", ["sep=,\r\n", "SEP=;\n", "sep=\t\r", '"sep=,"\n', "sep=,,,,\n"])
def test_a_line_that_names_the_separator_is_no_row(file: Path, line: str) -> None:
    text = ",".join(COLUMNS) + "\n4,valid,,,,,sep=;\n"
    file.write_bytes((line + text).encode("utf-8-sig"))
    (row,) = read_sheet(file, [4]).rows
    assert (row.number, row.card, row.cells["note"]) == (2, 4, "sep=;")


@given(st.lists(st.integers(1, 40), unique=True))
def test_a_blank_sheet_says_nothing(file: Path, cards: list[int]) -> None:
    file.write_bytes(blank_sheet(cards))
    assert read_sheet(file, cards) == Sheet((), (), frozenset())
    assert file.read_text("utf-8-sig").count("\n") == len(cards) + 1


FILES = {"rule.py": "rule.py", ".[masked]/a b": ".claude/a b", "Makefile": "Makefile"}


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ("step 12", [("step", "12")]),
        ("Steps 3-5", [("step", "3"), ("step", "4"), ("step", "5")]),
        ("step 1, step 1", [("step", "1")]),
        ("session 7\nrule.py:4-9", [("session", "7"), ("artifact:rule.py", "4-9")]),
        ("rule.py lines 4-9", [("artifact:rule.py", "4-9")]),
        ("file Makefile", [("artifact:Makefile", "")]),
        ("artifact:Makefile:3", [("artifact:Makefile", "3")]),
        (".[masked]/a b:2", [("artifact:.claude/a b", "2")]),
        ("other/fit.py:2", [("artifact:other/fit.py", "2")]),
        ("result:r011fe736965f", [("result:r011fe736965f", "")]),
        ("log lines 3-4", [("log", "3-4")]),
        ("", []),
        (" ; ,", []),
    ],
)  # fmt: skip
def test_places_are_read_as_people_write_them(said: str, places: list[tuple[str, str]]) -> None:
    assert places_said(said, FILES) == tuple(Evidence(source, at) for source, at in places)


@pytest.mark.parametrize(
    "said", ["step", "steps 5-3", "steps 1-99", "step 3 and 4", "the report", "step 1; there", "3"]
)
def test_what_is_no_place_is_not_guessed_at(said: str) -> None:
    with pytest.raises(NoPlace):
        places_said(said, FILES)
